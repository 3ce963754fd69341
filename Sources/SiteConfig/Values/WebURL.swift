import UTF8Text

/// The URL of some page on the web: http or https, with a host, kept as written.
package struct WebURL: Sendable, Hashable, CustomStringConvertible {
  /// As written; ASCII without blanks, quotes, angle brackets and controls.
  package let description: String

  /// - Throws: ``InvalidValue`` for what is no such URL.
  package init(_ text: String) throws(InvalidValue) {
    let page = text.prefix(upToBytes: "?#")
    _ = try SiteURL(String(page))
    let isPrintable = text[page.endIndex...].utf8.allSatisfy { byte in
      isASCIILetterOrDigit(byte) || "-._~%!$&'()*+,;=:@/?#".utf8.contains(byte)
    }
    guard isPrintable else {
      throw InvalidValue("percent-encode what is not ASCII, and blanks, in \(quoted(text))")
    }
    description = text
  }
}

extension ValueReader where Value == WebURL {
  static var webURL: ValueReader { .text("a URL") { text throws(InvalidValue) in try WebURL(text) } }
}
