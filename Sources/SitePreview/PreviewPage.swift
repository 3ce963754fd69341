import Basics

/// Prepares a page for the preview: adds the reload script, and extends the page's policy so that this script may run. The files in the
/// site's folder are not changed.
enum PreviewPage {
  /// - Parameters:
  ///   - script: the URL of the script.
  ///   - allowed: the source from which the script may load, for a Content-Security-Policy.
  static func prepared(_ html: [UInt8], script: String, allowed: String) -> [UInt8] {
    var result = html
    // From the end to the beginning, so that the ranges stay valid.
    for place in policies(in: html).reversed() {
      let policy = unescaped(String(decoding: html[place], as: UTF8.self))
      var attribute = UTF8Buffer("\"")
      attribute.appendEscapingHTML(extended(policy: policy, by: allowed))
      attribute.append("\"")
      result.replaceSubrange(place, with: attribute.bytes)
    }
    result.insert(contentsOf: Array(element(script).utf8), at: placeForScript(in: html))
    return result
  }

  private static func element(_ script: String) -> String { "<script async src=\"\(script)\"></script>" }

  /// Returns a page that is shown until the site's first build succeeds.
  static func placeholder(_ state: PreviewState, script: String, allowed: String) -> [UInt8] {
    var html = UTF8Buffer()
    html.append("<!doctype html>\n<html lang=\"en\">\n<head>\n")
    html.append(element(script))
    html.append(
      "\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    )
    html.append("<meta name=\"color-scheme\" content=\"light dark\">\n")
    html.append("<meta http-equiv=\"Content-Security-Policy\" content=\"")
    html.appendEscapingHTML(extended(policy: "default-src 'none'", by: allowed))
    html.append("\">\n")
    if let messages = state.messages {
      html.append("<title>Not built</title>\n</head>\n<body>\n<h1>The site could not be built</h1>\n<pre>")
      html.appendEscapingHTML(messages.map { TextControls.shown($0) }.joined(separator: "\n"))
      html.append("</pre>\n")
    } else {
      html.append("<title>Building</title>\n</head>\n<body>\n<h1>The site is being built</h1>\n")
    }
    html.append("</body>\n</html>\n")
    return html.bytes
  }

  // MARK: Policies

  /// Returns the policy with an additional source for scripts and their requests, unless the policy already allows it.
  static func extended(policy: String, by source: String) -> String {
    var directives = policy.split(separator: ";").map { $0.trimmed }.filter { !$0.isEmpty }
    func words(_ directive: String) -> [String] {
      directive.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    }
    func place(_ name: String) -> Int? { directives.firstIndex { words($0).first?.lowercased() == name } }
    let fallback = place("default-src").map { Array(words(directives[$0]).dropFirst()) }
    for name in ["script-src", "connect-src"] {
      let own = place(name)
      // Without this directive and `default-src`, everything is allowed.
      guard var sources = own.map({ Array(words(directives[$0]).dropFirst()) }) ?? fallback else { continue }
      guard !sources.contains("'self'"), !sources.contains("*") else { continue }
      sources.removeAll { $0.lowercased() == "'none'" }
      let directive = ([name] + sources + [source]).joined(separator: " ")
      if let own { directives[own] = directive } else { directives.append(directive) }
    }
    return directives.joined(separator: "; ")
  }

  private static func unescaped(_ attribute: String) -> String {
    var text = attribute
    if text.utf8.count > 1, text.hasBytePrefix("\"") || text.hasBytePrefix("'") {
      text = String(text.dropFirst().dropLast())
    }
    // The character references that occur in the site's own pages.
    for (reference, character) in [
      ("&#39;", "'"), ("&#x27;", "'"), ("&apos;", "'"), ("&quot;", "\""), ("&#34;", "\""), ("&lt;", "<"),
      ("&gt;", ">"), ("&amp;", "&"),
    ] {
      text = text.replacing(reference, with: character)
    }
    return text
  }

  // MARK: Places in a page

  /// Returns the offset after the start tag of the head; in a page without a head, after the start tag of `html` or the doctype, or 0.
  private static func placeForScript(in html: [UInt8]) -> Int {
    for name in ["<head", "<html", "<!doctype"] {
      if let tag = tag(name, in: html, from: 0) { return tag.end }
    }
    return 0
  }

  /// Returns the ranges of the policies in the page's `meta` elements before its body: the values of `content`, with their quotes.
  private static func policies(in html: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var from = 0
    let end = tag("<body", in: html, from: 0)?.start ?? html.count
    while let meta = tag("<meta", in: html, from: from), meta.start < end {
      let isPolicy = meta.attributes.contains { attribute in
        attribute.name == "http-equiv"
          && unescaped(String(decoding: html[attribute.value], as: UTF8.self)).trimmed.lowercased()
            == "content-security-policy"
      }
      if isPolicy, let content = meta.attributes.first(where: { $0.name == "content" }) {
        places.append(content.value)
      }
      from = meta.end
    }
    return places
  }

  private struct Tag {
    let start: Int
    /// The offset after its `>`.
    var end: Int
    /// The names, and the ranges of the values with their quotes.
    var attributes: [(name: String, value: Range<Int>)] = []
  }

  /// Returns the next tag with a name such as `<head`, which must be in lower case.
  private static func tag(_ name: String, in html: [UInt8], from: Int) -> Tag? {
    let name = Array(name.utf8)
    var start = from
    while start + name.count < html.count {
      guard let found = html[start...].firstIndex(of: UInt8(ascii: "<")), found + name.count < html.count
      else {
        return nil
      }
      let behind = html[found + name.count]
      if zip(name, html[found...]).allSatisfy({ $0 == lowercase($1) }),
        isSpace(behind) || behind == UInt8(ascii: ">") || behind == UInt8(ascii: "/")
      {
        return attributes(in: html, of: Tag(start: found, end: found + name.count))
      }
      start = found + 1
    }
    return nil
  }

  private static func attributes(in html: [UInt8], of tag: Tag) -> Tag {
    var tag = tag
    var place = tag.end
    func skip(_ condition: (UInt8) -> Bool) {
      while place < html.count, condition(html[place]) { place += 1 }
    }
    while place < html.count {
      skip { isSpace($0) || $0 == UInt8(ascii: "/") }
      guard place < html.count, html[place] != UInt8(ascii: ">") else { break }
      let nameStart = place
      // The first byte always belongs to the name, so that the loop ends.
      place += 1
      skip { !isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
      let name = String(decoding: html[nameStart..<place], as: UTF8.self).lowercased()
      skip(isSpace)
      guard place < html.count, html[place] == UInt8(ascii: "=") else { continue }
      place += 1
      skip(isSpace)
      guard place < html.count else { break }
      let start = place
      let quote = html[place]
      if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        place += 1
        skip { $0 != quote }
        place = min(place + 1, html.count)
      } else {
        skip { !isSpace($0) && $0 != UInt8(ascii: ">") }
      }
      tag.attributes.append((name, start..<place))
    }
    tag.end = min(place + 1, html.count)
    return tag
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
