import Basics
import CCmark

/// The HTML of one document while it is written, and the sections that are open in it.
///
/// It writes text, tags and attributes, so that all escaping is in one place.
struct HTMLWriter: ~Copyable {
  let options: HTMLOptions
  var sections = OpenSections()
  /// The header, if it has ended.
  private var header = UTF8Buffer()
  /// Everything else.
  private var output: UTF8Buffer
  /// Host and port of the site.
  private let ownAuthority: [UInt8]

  init(_ options: HTMLOptions, capacity: Int) {
    output = UTF8Buffer(capacity: capacity)
    self.options = options
    ownAuthority = LinkTarget.authority(of: options.baseURL)
  }

  consuming func finish() -> DocumentHTML { DocumentHTML(header: header, body: output) }

  /// The number of bytes of the document's HTML.
  var count: Int { header.count + output.count }

  /// Makes everything written so far the header.
  mutating func endHeader() {
    // A copy, because the buffer has room for the whole document.
    header = UTF8Buffer(bytes: Array(output.bytes[...]))
    output.removeAll(keepingCapacity: true)
  }

  // MARK: - Text and tags

  mutating func write(_ markup: StaticString) {
    output.append(markup)
  }

  mutating func write(_ number: Int) {
    output.append(integer: number)
  }

  mutating func write(text: UnsafeBufferPointer<UInt8>) {
    output.appendEscapedText(text)
  }

  mutating func write(text: String) {
    output.appendEscapingHTML(text)
  }

  /// Writes bytes that need no escaping.
  mutating func write(html: UnsafeBufferPointer<UInt8>) {
    output.append(html)
  }

  mutating func write(html: UTF8Buffer) {
    output.append(html)
  }

  /// Writes an inline node's contribution to alt text.
  mutating func writePlainText(of node: CmarkNode) {
    output.appendPlainText(of: node)
  }

  /// Begins a line unless the output is at the start of one, as cmark does before every block.
  mutating func beginLine() {
    if !output.isEmpty, output.bytes.last != UInt8(ascii: "\n") { output.append(UInt8(ascii: "\n")) }
  }

  mutating func writeBlock(_ tag: StaticString) {
    beginLine()
    write(tag)
  }

  /// Ends the tag of a void element.
  mutating func endVoidElement() {
    write(options.syntax == .xml ? "/>" : ">")
  }

  // MARK: - Attributes

  /// Writes a boolean attribute. XML requires a value.
  mutating func writeFlag(_ name: StaticString) {
    write(" ")
    write(name)
    guard options.syntax == .xml else { return }
    write("=\"")
    write(name)
    write("\"")
  }

  /// Writes ` name="value"`.
  mutating func writeAttribute(_ name: StaticString, _ value: UnsafeBufferPointer<UInt8>) {
    write(" ")
    write(name)
    write("=\"")
    output.appendEscapedText(value)
    write("\"")
  }

  mutating func writeAttribute(_ name: StaticString, _ value: String) {
    var value = value
    value.withUTF8 { writeAttribute(name, $0) }
  }

  mutating func writeAttribute(_ name: StaticString, _ value: Int) {
    write(" ")
    write(name)
    write("=\"")
    output.append(integer: value)
    write("\"")
  }

  /// Writes ` name="value"` for a value that is already escaped.
  mutating func writeAttribute(_ name: StaticString, escaped value: UTF8Buffer) {
    write(" ")
    write(name)
    write("=\"")
    output.append(value)
    write("\"")
  }

  /// Writes a URL in a list of URLs and widths.
  mutating func writeListed(_ url: UnsafeBufferPointer<UInt8>) {
    output.appendEscapedURL(url, encodesCommas: true)
  }

  /// Writes ` name="url"`.
  mutating func writeURL(_ name: StaticString, _ url: UnsafeBufferPointer<UInt8>) {
    write(" ")
    write(name)
    write("=\"")
    output.appendEscapedURL(url)
    write("\"")
  }

  /// Writes a number from 0 to 109, such as a share in percent, as classes for its tens and ones, such as `t4 u3`. A style sheet derives a
  /// length from these without a style in the page.
  mutating func writeDigits(of number: Int) {
    write("t")
    write(number / 10)
    write(" u")
    write(number % 10)
  }

  /// Writes the `lang` of a paragraph or heading of the site's wording within a section that also contains texts.
  mutating func writeWordsLanguage() {
    guard let kind = sections.innermost?.kind, kind.mixesWords, let language = languageOfWords else { return }
    writeAttribute("lang", language)
  }

  /// The language to state for the site's wording at this place; `nil` if it equals the surrounding language.
  var languageOfWords: String? {
    options.languages?.words ?? (sections.innermost?.namesLanguage == true ? options.wordsLanguage : nil)
  }

  // MARK: - URLs

  func target(of url: UnsafeBufferPointer<UInt8>) -> LinkTarget {
    LinkTarget(url, ownAuthority: ownAuthority)
  }

  /// Whether a page may load a picture or other media from a URL.
  func isLoadable(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    let target = target(of: url)
    return !url.isEmpty && (target == .own || target == .web)
  }

  /// Writes `<a href="…"` and its `rel`, for a link whose target is not `unsafe`.
  mutating func beginAnchor(to url: UnsafeBufferPointer<UInt8>, _ target: LinkTarget) {
    write("<a href=\"")
    if let own = replacement(of: url) {
      output.appendEscapingHTML(own)
    } else if url.first == UInt8(ascii: "#") {
      output.appendEscapingHTML(options.pageURL)
      write("#")
      let fragment = UnsafeBufferPointer(rebasing: url.dropFirst())
      let isOfPage = options.pageIDStart.map { fragment.starts(with: $0.utf8) } ?? false
      if !isOfPage { output.append(options.idPrefix) }
      output.appendEscapedURL(fragment)
    } else {
      output.appendEscapedURL(url, isStrict: options.syntax == .xml)
    }
    write("\"")
    guard target != .own else { return }
    let isOwners = options.vouchesForLinks || sections.isInOwnersText
    write(isOwners ? " rel=\"noopener\"" : " rel=\"noopener nofollow ugc\"")
  }

  /// Writes the URL of a picture, without quotation marks.
  mutating func writePictureURL(_ url: UnsafeBufferPointer<UInt8>) {
    if let own = replacement(of: url) {
      output.appendEscapingHTML(own)
    } else {
      output.appendEscapedURL(url)
    }
  }

  /// Returns the replacement for a destination; `nil` for most destinations.
  private func replacement(of url: UnsafeBufferPointer<UInt8>) -> String? {
    options.destinations.isEmpty ? nil : options.destinations[String(decoding: url, as: UTF8.self)]
  }

  // MARK: - Media

  /// Returns the known facts of a picture, a video or a sound.
  func facts(of url: UnsafeBufferPointer<UInt8>) -> MediaFacts? {
    options.media.isEmpty ? nil : options.media[String(decoding: url, as: UTF8.self)]
  }

  mutating func writeSize(_ facts: MediaFacts?) {
    if let width = facts?.width, width > 0 { writeAttribute("width", width) }
    if let height = facts?.height, height > 0 { writeAttribute("height", height) }
  }
}

extension UTF8Buffer {
  /// Appends an inline node's contribution to alt text, as cmark does: text and code, and a space for every line break.
  mutating func appendPlainText(of node: CmarkNode) {
    switch node.type {
    case CMARK_NODE_TEXT, CMARK_NODE_CODE: appendEscapedText(node.literal)
    case CMARK_NODE_LINEBREAK, CMARK_NODE_SOFTBREAK: append(UInt8(ascii: " "))
    default: break
    }
  }
}
