import Basics

/// A page as the preview serves it: the site's own, with the script that keeps it new, and with a policy that allows this script what it
/// needs and nothing else. What stands in the site's folder is not touched.
enum PreviewPage {
  /// - Parameters:
  ///   - script: the address of the script.
  ///   - allowed: what the script may load from, as a source of a Content-Security-Policy.
  static func prepared(_ html: [UInt8], script: String, allowed: String) -> [UInt8] {
    var result = html
    // From the end to the beginning, so that places stay true.
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

  /// A page for when there is none of the site's.
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

  /// The policy with a source for scripts and for what scripts fetch, where it did not allow that already.
  static func extended(policy: String, by source: String) -> String {
    var directives = policy.split(separator: ";").map { $0.trimmed }.filter { !$0.isEmpty }
    func words(_ directive: String) -> [String] {
      directive.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    }
    func place(_ name: String) -> Int? { directives.firstIndex { words($0).first?.lowercased() == name } }
    let fallback = place("default-src").map { Array(words(directives[$0]).dropFirst()) }
    for name in ["script-src", "connect-src"] {
      let own = place(name)
      // Without either, everything is allowed.
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
    // Those that the site's own pages are written with.
    for (reference, character) in [
      ("&#39;", "'"), ("&#x27;", "'"), ("&apos;", "'"), ("&quot;", "\""), ("&#34;", "\""), ("&lt;", "<"),
      ("&gt;", ">"), ("&amp;", "&"),
    ] {
      text = text.replacing(reference, with: character)
    }
    return text
  }

  // MARK: Places in a page

  /// Behind the head's beginning; in a page without one, before what shows.
  private static func placeForScript(in html: [UInt8]) -> Int {
    for name in ["<head", "<html", "<!doctype"] {
      if let tag = tag(name, in: html, from: 0) { return tag.end }
    }
    return 0
  }

  /// Where the values of `content` of the page's own policies stand, with their quotes, before its body.
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
    /// Behind its `>`.
    var end: Int
    /// Values with their quotes.
    var attributes: [(name: String, value: Range<Int>)] = []
  }

  /// The next tag of a name, such as `<head`, whose letters are lower case.
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
      // The first byte is a part of the name whatever it is, so that this comes to an end.
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
