import Basics
import Foundation
import SiteOutput

/// Writes threads as a single HTML file that needs no other files: it contains the style sheet and the pictures. Its
/// Content-Security-Policy forbids loading other files and running scripts.
///
/// The same document can be the source of a printed book (``PDFTypesetter``).
package struct HTMLFileWriter: ~Copyable {
  /// The place of the finished document.
  package enum Destination: Sendable {
    /// A file for browsers; standard output if the path is `nil`.
    case file(String?)
    /// Bytes in memory, with the style sheet of printed books.
    case printedBook
  }

  /// `nil` for a document in memory.
  private var file: OutgoingFile?
  private var document: [UInt8] = []
  private let book: Book
  private var threads = 0
  private let hasSeveral: Bool

  /// Returns the link to a thread by its number, from 0: the id of the thread's element.
  package static func document(_ number: Int) -> String { "#thread-\(number + 1)" }
  /// Returns the prefix of the ids of a thread's posts.
  package static func idPrefix(_ number: Int) -> String { "thread-\(number + 1)-" }
  /// The prefix of pictures' URLs that ``add(_:picture:)`` replaces by the pictures' content.
  package static let mediaPrefix = "media/"

  /// - Parameters:
  ///   - hasSeveral: whether more than one thread will be added.
  package init(
    _ book: Book, hasSeveral: Bool, to destination: Destination
  ) throws(ExportFormatError) {
    file =
      switch destination {
      case .file(let path): try withFiles { () throws(FileError) in try OutgoingFile(path) }
      case .printedBook: nil
      }
    self.book = book
    self.hasSeveral = hasSeveral
  }

  /// Writes everything before the first thread.
  ///
  /// - Parameter contents: all threads that will be added, without their bodies.
  package mutating func begin(_ contents: [BookThread]) throws(ExportFormatError) {
    try write(head)
    if hasSeveral { try write(navigation(contents)) }
  }

  /// Adds the next thread.
  ///
  /// - Parameter picture: returns the content of a picture in the body, by its name.
  package mutating func add(
    _ thread: BookThread, picture: (String) throws(ExportFormatError) -> BookPicture
  ) throws(ExportFormatError) {
    var start = UTF8Buffer("<article class=\"thread\"")
    start.appendAttribute("id", String(Self.document(threads).dropFirst()))
    let language = thread.language ?? book.language
    start.appendAttribute("lang", language)
    start.appendAttribute("dir", TextDirection.of(language))
    start.append(">\n" as StaticString)
    if !hasSeveral, !thread.contents.isEmpty {
      start.append("<nav" as StaticString)
      start.appendAttribute("aria-label", book.words.contents)
      start.append(">" as StaticString)
      start.appendParts(of: thread, in: "#" + Self.idPrefix(threads))
      start.append("</nav>\n" as StaticString)
    }
    threads += 1
    try write(start)
    try write(thread.body, picture: picture)
    try write("</article>\n")
  }

  /// Ends the page, and moves a file into place.
  ///
  /// - Returns: the document of a printed book; empty for a file.
  @discardableResult
  package consuming func finish() throws(ExportFormatError) -> [UInt8] {
    try write("</main>\n</body>\n</html>\n")
    do {
      try file?.finish()
    } catch {
      throw .file(error)
    }
    return document
  }

  /// Writes a body with its pictures embedded.
  ///
  /// Quotation marks in texts and attributes are escaped, so `src="` occurs only at the beginning of an attribute.
  private mutating func write(
    _ body: UTF8Buffer, picture: (String) throws(ExportFormatError) -> BookPicture
  ) throws(ExportFormatError) {
    let mark = Array("src=\"\(Self.mediaPrefix)".utf8)
    let bytes = body.bytes
    var written = 0
    var index = 0
    while index + mark.count < bytes.count {
      guard bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) else {
        index += 1
        continue
      }
      let start = index + mark.count
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\"")) ?? bytes.count
      let name = String(decoding: bytes[start..<end], as: UTF8.self)
      try write(UTF8Buffer(bytes: Array(bytes[written..<index])))
      let content = try picture(name)
      var source = UTF8Buffer(capacity: content.bytes.count * 4 / 3 + 64)
      source.append("src=\"data:" as StaticString)
      source.append(content.type)
      source.append(";base64," as StaticString)
      source.append(Data(content.bytes).base64EncodedString())
      try write(source)
      written = end
      index = end
    }
    try write(UTF8Buffer(bytes: Array(bytes[written...])))
  }

  private var head: UTF8Buffer {
    var page = UTF8Buffer("<!DOCTYPE html>\n<html")
    page.appendAttribute("lang", book.language)
    page.appendAttribute("dir", TextDirection.of(book.language))
    page.append(">\n<head>\n<meta charset=\"utf-8\">\n" as StaticString)
    page.append(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
        as StaticString)
    page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" as StaticString)
    page.append("<meta name=\"referrer\" content=\"no-referrer\">\n<title>" as StaticString)
    page.appendEscapingHTML(book.title)
    page.append("</title>\n<style>\n" as StaticString)
    page.append(BookStyle.sheet)
    page.append(file == nil ? PrintStyle.sheet : Self.ownStyle)
    page.append("</style>\n</head>\n<body>\n<main>\n" as StaticString)
    if hasSeveral {
      page.append("<header class=\"title-page\">\n" as StaticString)
      page.appendTitlePage(of: book)
      page.append("</header>\n" as StaticString)
    }
    return page
  }

  private func navigation(_ threads: [BookThread]) -> UTF8Buffer {
    var page = UTF8Buffer("<nav>\n<h2>")
    page.appendEscapingHTML(book.words.contents)
    page.append("</h2>\n<ol>\n" as StaticString)
    var group: String?
    for (number, thread) in threads.enumerated() {
      if thread.group != group {
        if group != nil { page.append("</ol></li>\n" as StaticString) }
        group = thread.group
        if let group {
          page.append("<li>" as StaticString)
          page.appendEscapingHTML(group)
          page.append("\n<ol>\n" as StaticString)
        }
      }
      page.append("<li>" as StaticString)
      page.appendLine(of: thread, href: Self.document(number))
      page.append("</li>\n" as StaticString)
    }
    if group != nil { page.append("</ol></li>\n" as StaticString) }
    page.append("</ol>\n</nav>\n" as StaticString)
    return page
  }

  private mutating func write(_ text: UTF8Buffer) throws(ExportFormatError) {
    guard file != nil else {
      document += text.bytes
      return
    }
    do {
      try file?.write(text.bytes)
    } catch {
      throw .file(error)
    }
  }

  /// Additional rules for browsers. E-readers have such rules themselves.
  private static let ownStyle: StaticString = """
    html { color-scheme: light dark; font-family: system-ui, sans-serif; }
    body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 40rem; }
    .title-page { margin-top: 2rem; }
    .thread + .thread { margin-top: 4rem; padding-top: 3rem; border-top: 1px solid; }
    @media print { .thread { break-before: page; } }

    """
}
