extension MarkdownTextWriter {
  /// Adds a link. An address that `WebAddress` does not call safe gives the text alone.
  package mutating func link(text: String, url: String) {
    text.withUTF8Bytes { link(text: $0, url: url) }
  }

  /// Adds a link whose text is valid UTF-8.
  package mutating func link(text: some Collection<UInt8>, url: String) {
    guard WebAddress.isSafe(url) else {
      plain(text)
      return
    }
    link(text: text, trusted: url)
  }

  /// Adds a link to an address that is known to be harmless, such as a relative one within the site.
  package mutating func link(text: some Collection<UInt8>, trusted url: String) {
    beginAtom()
    // Without this the link would become an image.
    escapeExclamationMark()
    appendBracketed("[", text, url)
  }

  /// Adds an image with its alternative text. An address that `WebAddress` does not call safe gives the text alone.
  package mutating func image(alt: String, url: String) {
    guard WebAddress.isSafe(url) else {
      plain(alt)
      return
    }
    beginAtom()
    alt.withUTF8Bytes { appendBracketed("![", $0, url) }
  }

  /// Adds a picture that stands for a short word, its alternative text being its title, too: what browsers show of it when pointed at,
  /// and what tells it from other pictures.
  ///
  /// - Parameters:
  ///   - word: of ASCII, without quotation marks and backslashes.
  ///   - url: known to be harmless.
  package mutating func symbol(_ word: String, trusted url: String) {
    beginAtom()
    word.withUTF8Bytes { appendBracketed("![", $0, url, title: word) }
  }

  private mutating func beginAtom() {
    afterCarriageReturn = false
    flushPending()
    position = .inside
  }

  private mutating func appendBracketed(
    _ opening: StaticString, _ text: some Collection<UInt8>, _ url: String, title: String? = nil
  ) {
    output.append(opening)
    var inner = MarkdownTextWriter(.inline, startsLine: false)
    swap(&inner.output, &output)
    inner.plain(text)
    // A bracket follows, so an exclamation mark may stay as it is.
    inner.mayEndWithExclamationMark = true
    output = inner.finish()
    output.append("](" as StaticString)
    output.appendLinkDestination(url)
    if let title {
      output.append(" \"" as StaticString)
      output.append(title)
      output.append(UInt8(ascii: "\""))
    }
    output.append(UInt8(ascii: ")"))
    endsWithExclamationMark = false
  }

  /// Puts a backslash before the `!` that the output ends with, if it does.
  mutating func escapeExclamationMark() {
    guard endsWithExclamationMark else { return }
    output.bytes.insert(UInt8(ascii: "\\"), at: output.count - 1)
    endsWithExclamationMark = false
  }
}

extension UTF8Buffer {
  /// Appends `text` so that CommonMark shows exactly it, wherever on a line it stands: names, labels, titles, alternative
  /// text. The rules are those of `MarkdownTextWriter`; newlines become `&#10;`.
  package mutating func appendEscapingMarkdown(_ text: String) {
    appendMarkdown(text, with: MarkdownTextWriter(.inline))
  }

  /// Appends `text` as paragraphs of its own that show exactly it; the caller ends them with a newline.
  package mutating func appendMarkdownBlock(_ text: String) {
    appendMarkdown(text, with: MarkdownTextWriter(.block))
  }

  /// Lends this buffer to a writer, so that nothing is copied.
  private mutating func appendMarkdown(_ text: String, with writer: consuming MarkdownTextWriter) {
    swap(&writer.output, &self)
    writer.plain(text)
    self = writer.finish()
  }
}
