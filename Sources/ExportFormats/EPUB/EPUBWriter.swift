import Basics
import SiteOutput

/// Writes a book in the format of e-readers, EPUB 3.3 (https://www.w3.org/TR/epub-33/), piece by piece.
///
/// The file contains neither the current time nor data about the machine, so the same threads always produce the same bytes. At any time,
/// only one thread, one picture, and one line per thread of the table of contents are in memory.
package struct EPUBWriter: ~Copyable {
  /// A file in the book, as the manifest lists it.
  fileprivate struct Item {
    var id: String
    var path: String
    var type: String
    var properties = ""
  }

  private var zip: ZipWriter
  private let book: Book
  private var contents = UTF8Buffer()
  private var group: String?
  private var threads = 0
  private var pictures: [Item] = []
  /// The languages of the threads, with the number of threads in each.
  private var languages: [String: Int] = [:]
  private var mayFlash = false

  /// Returns the name of a thread's document by its number, from 0. Other threads link to it by this name.
  package static func document(_ number: Int) -> String {
    let digits = String(number + 1)
    return "t" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".xhtml"
  }

  /// The path from a thread's document to the pictures.
  package static let mediaPrefix = "../media/"

  /// - Parameter path: the path of the book; `nil` for standard output.
  package init(_ book: Book, to path: String?) throws(ExportFormatError) {
    var zip = try ZipWriter(path)
    // The first file, uncompressed, because programs recognize the format by its bytes (OCF 3.3, 4.3).
    try zip.add("mimetype", Array("application/epub+zip".utf8), .stored)
    try zip.add("META-INF/container.xml", Self.container, .deflated)
    try zip.add("EPUB/style.css", UTF8Buffer("\(BookStyle.sheet)").bytes, .deflated)
    try zip.add("EPUB/text/title.xhtml", Self.titlePage(of: book).bytes, .deflated)
    self.zip = zip
    self.book = book
  }

  /// Adds the next thread.
  package mutating func add(_ thread: BookThread) throws(ExportFormatError) {
    let document = Self.document(threads)
    threads += 1
    if let language = thread.language { languages[language, default: 0] += 1 }
    var page = Self.beginPage(thread.title, language: thread.language ?? book.language)
    page.append("<body epub:type=\"bodymatter\">\n<article class=\"thread\">\n" as StaticString)
    page.append(thread.body)
    page.append("</article>\n</body>\n</html>\n" as StaticString)
    try zip.add("EPUB/text/" + document, page.bytes, .deflated)
    list(thread, at: "text/" + document)
  }

  /// Adds a picture, once for all threads that show it.
  package mutating func add(_ picture: BookPicture) throws(ExportFormatError) {
    let path = "media/" + picture.name
    if ["image/gif", "image/webp"].contains(picture.type) { mayFlash = true }
    pictures.append(Item(id: "m\(pictures.count + 1)", path: path, type: picture.type))
    try zip.add("EPUB/" + path, picture.bytes, .stored)
  }

  /// Writes the table of contents and the package document, which depend on all threads, and moves the book into place.
  ///
  /// - Parameters:
  ///   - accessibility: a summary of the book's accessibility.
  ///   - allDescribed: whether every picture has a description.
  package mutating func finish(accessibility: String, allDescribed: Bool) throws(ExportFormatError) {
    try zip.add("EPUB/nav.xhtml", navigation.bytes, .deflated)
    try zip.add(
      "EPUB/content.opf", package(accessibility: accessibility, allDescribed: allDescribed).bytes, .deflated)
    try zip.finish()
  }

  // MARK: Pages

  private static let container = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
    <rootfiles>
    <rootfile full-path="EPUB/content.opf" media-type="application/oebps-package+xml"/>
    </rootfiles>
    </container>

    """.utf8)

  /// Returns the beginning of a page, up to its body; the page is in the folder `text/`.
  private static func beginPage(_ title: String, language: String, styleSheet: String = "../style.css")
    -> UTF8Buffer
  {
    var page = UTF8Buffer(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
        + "xmlns:epub=\"http://www.idpf.org/2007/ops\"")
    page.appendAttribute("lang", language)
    page.appendAttribute("xml:lang", language)
    page.appendAttribute("dir", TextDirection.of(language))
    page.append(">\n<head>\n<title>" as StaticString)
    page.appendEscapingXML(title)
    page.append("</title>\n<link rel=\"stylesheet\" type=\"text/css\"" as StaticString)
    page.appendAttribute("href", styleSheet)
    page.append("/>\n</head>\n" as StaticString)
    return page
  }

  private static func titlePage(of book: Book) -> UTF8Buffer {
    var page = beginPage(book.title, language: book.language)
    page.append(
      "<body epub:type=\"frontmatter\">\n<section class=\"title-page\" epub:type=\"titlepage\">\n"
        as StaticString)
    page.appendTitlePage(of: book)
    page.append("</section>\n</body>\n</html>\n" as StaticString)
    return page
  }

  // MARK: Contents

  private mutating func list(_ thread: BookThread, at path: String) {
    if thread.group != group {
      if group != nil { contents.append("</ol></li>\n" as StaticString) }
      group = thread.group
      if let group {
        contents.append("<li><span>" as StaticString)
        contents.appendEscapingXML(group)
        contents.append("</span>\n<ol>\n" as StaticString)
      }
    }
    contents.append("<li>" as StaticString)
    contents.appendLine(of: thread, href: path)
    contents.appendParts(of: thread, in: path + "#")
    contents.append("</li>\n" as StaticString)
  }

  private var navigation: UTF8Buffer {
    var page = Self.beginPage(book.words.contents, language: book.language, styleSheet: "style.css")
    page.append(
      "<body epub:type=\"frontmatter\">\n<nav epub:type=\"toc\" role=\"doc-toc\" id=\"toc\">\n<h1>"
        as StaticString)
    page.appendEscapingXML(book.words.contents)
    page.append("</h1>\n<ol>\n<li><a href=\"text/title.xhtml\">" as StaticString)
    page.appendEscapingXML(book.words.titlePage)
    page.append("</a></li>\n" as StaticString)
    page.append(contents)
    if group != nil { page.append("</ol></li>\n" as StaticString) }
    page.append("</ol>\n</nav>\n<nav epub:type=\"landmarks\" hidden=\"hidden\">\n<ol>\n" as StaticString)
    page.append("<li><a epub:type=\"titlepage\" href=\"text/title.xhtml\">" as StaticString)
    page.appendEscapingXML(book.words.titlePage)
    page.append("</a></li>\n<li><a epub:type=\"toc\" href=\"#toc\">" as StaticString)
    page.appendEscapingXML(book.words.contents)
    page.append("</a></li>\n" as StaticString)
    if threads > 0 {
      page.append("<li><a epub:type=\"bodymatter\"" as StaticString)
      page.appendAttribute("href", "text/" + Self.document(0))
      page.append(">" as StaticString)
      page.appendEscapingXML(book.title)
      page.append("</a></li>\n" as StaticString)
    }
    page.append("</ol>\n</nav>\n</body>\n</html>\n" as StaticString)
    return page
  }

  // MARK: The package document

  /// The language of most threads; if it is unknown, the language of the book's texts.
  private var mainLanguage: String {
    languages.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? book.language
  }

  private func package(accessibility: String, allDescribed: Bool) -> UTF8Buffer {
    var xml = UTF8Buffer(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" "
        + "unique-identifier=\"id\"")
    xml.appendAttribute("xml:lang", book.language)
    xml.append(">\n<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n" as StaticString)
    xml.append("<dc:identifier id=\"id\">" as StaticString)
    xml.appendEscapingXML(book.identifier)
    xml.append("</dc:identifier>\n" as StaticString)
    xml.appendElement("dc:title", book.title)
    // The first language is the main language of the book.
    let main = mainLanguage
    for language in [main] + Set(languages.keys).subtracting([main]).sorted() {
      xml.appendElement("dc:language", language)
    }
    for author in book.authors { xml.appendElement("dc:creator", author) }
    if let publisher = book.publisher { xml.appendElement("dc:publisher", publisher) }
    if let source = book.source { xml.appendElement("dc:source", source) }
    xml.appendElement("dc:date", book.modified)
    xml.appendMeta("dcterms:modified", book.modified)
    let hasPictures = !pictures.isEmpty
    xml.appendMeta("schema:accessMode", "textual")
    if hasPictures { xml.appendMeta("schema:accessMode", "visual") }
    xml.appendMeta("schema:accessModeSufficient", "textual")
    if hasPictures { xml.appendMeta("schema:accessModeSufficient", "textual,visual") }
    for feature in ["readingOrder", "structuralNavigation", "tableOfContents"]
      + (hasPictures && allDescribed ? ["alternativeText"] : [])
    {
      xml.appendMeta("schema:accessibilityFeature", feature)
    }
    // Animated pictures were not checked for flashes.
    xml.appendMeta("schema:accessibilityHazard", mayFlash ? "unknown" : "none")
    xml.appendMeta("schema:accessibilitySummary", accessibility)
    xml.append("</metadata>\n<manifest>\n" as StaticString)
    let html = "application/xhtml+xml"
    xml.append(Item(id: "nav", path: "nav.xhtml", type: html, properties: "nav"))
    xml.append(Item(id: "style", path: "style.css", type: "text/css"))
    xml.append(Item(id: "title", path: "text/title.xhtml", type: html))
    for number in 0..<threads {
      xml.append(Item(id: "t\(number + 1)", path: "text/" + Self.document(number), type: html))
    }
    for picture in pictures { xml.append(picture) }
    xml.append("</manifest>\n<spine" as StaticString)
    if TextDirection.of(main) == "rtl" {
      xml.append(" page-progression-direction=\"rtl\"" as StaticString)
    }
    xml.append(">\n<itemref idref=\"title\"/>\n<itemref idref=\"nav\"/>\n" as StaticString)
    for number in 0..<threads {
      xml.append("<itemref idref=\"t" as StaticString)
      xml.append(integer: number + 1)
      xml.append("\"/>\n" as StaticString)
    }
    xml.append("</spine>\n</package>\n" as StaticString)
    return xml
  }
}

extension UTF8Buffer {
  fileprivate mutating func append(_ item: EPUBWriter.Item) {
    append("<item" as StaticString)
    appendAttribute("id", item.id)
    appendAttribute("href", item.path)
    appendAttribute("media-type", item.type)
    if !item.properties.isEmpty { appendAttribute("properties", item.properties) }
    append("/>\n" as StaticString)
  }

  fileprivate mutating func appendMeta(_ property: StaticString, _ value: String) {
    append("<meta property=\"" as StaticString)
    append(property)
    append("\">" as StaticString)
    appendEscapingXML(value)
    append("</meta>\n" as StaticString)
  }

  fileprivate mutating func appendElement(_ name: StaticString, _ text: String) {
    append("<" as StaticString)
    append(name)
    append(">" as StaticString)
    appendEscapingXML(text)
    append("</" as StaticString)
    append(name)
    append(">\n" as StaticString)
  }
}
