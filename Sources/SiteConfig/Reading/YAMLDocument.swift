/// Converts text to ``ConfigNode``, and rejects the parts of YAML that a configuration does not need.
///
/// Aliases, anchors, tags, merge keys, keys that are not text, and several documents in one file are errors. Without them a file is easy to read
/// and cannot exhaust the memory: no alias is expanded ("billion laughs"), and no key is larger than its text.
struct YAMLDocument: ~Copyable {
  /// An error that stops the reader.
  private struct Failure: Error {
    let message: String
    let mark: SourceMark
  }

  private let source: SourceText
  private var parser: YAMLParser

  /// The maximum nesting level. A usual site.yml has 4 levels (`threads`, an entry, `hide`, a post).
  private static let deepest = 16

  /// Returns the document's content; `nil` for an empty file, or if an error was added to `problems`.
  static func compose(_ source: SourceText, problems: inout ProblemList) -> ConfigNode? {
    if let (scalar, mark) = source.firstUnprintable() {
      let code = String(scalar.value, radix: 16, uppercase: true)
      let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
      problems.error("the character \(name) is not allowed in YAML; remove it", at: mark)
      return nil
    }
    // A syntax error is reported alone, because it may cause all other problems.
    var found = problems
    do {
      var document = YAMLDocument(source: source, parser: YAMLParser(source.bytes))
      let root = try document.root(problems: &found)
      problems = found
      return root?.isRefused == true ? nil : root
    } catch {
      problems.error(error.message, at: error.mark)
      return nil
    }
  }

  // MARK: - From events to nodes

  private mutating func root(problems: inout ProblemList) throws(Failure) -> ConfigNode? {
    guard case .documentStart = try next().kind else { return nil }
    let root = try node(from: try next(), depth: 0, problems: &problems)
    let rest = try next()
    guard case .streamEnd = rest.kind else {
      throw Failure(
        message: "a second YAML document begins here, and this file may only be one; remove the \"---\"",
        mark: rest.start)
    }
    return root
  }

  /// Returns the node that begins with an event.
  private mutating func node(
    from event: YAMLParser.Event, depth: Int, problems: inout ProblemList
  ) throws(Failure) -> ConfigNode {
    guard depth <= Self.deepest else { throw Self.tooDeep(at: event.start) }
    if let message = Self.refusal(of: event) {
      problems.error(message, at: event.start)
      _ = try skip(event)
      return ConfigNode(content: .refused, mark: event.start)
    }
    let content: ConfigNode.Content
    switch event.kind {
    case .scalar(let text, let isPlain):
      if isPlain, !text.isEmpty, let mark = source.commentWithoutSpace(after: event.end) {
        problems.warning(
          "the text from \"#\" on is a comment; if it belongs to the value, put the value in quotes, and otherwise write a space after \"#\"",
          at: mark)
      }
      content = .scalar(text, isPlain: isPlain)
    case .listStart:
      var elements: [ConfigNode] = []
      while let element = try nextInCollection() {
        elements.append(try node(from: element, depth: depth + 1, problems: &problems))
      }
      content = .list(elements)
    case .mappingStart:
      content = .mapping(try entries(depth: depth, problems: &problems))
    case .alias, .documentStart, .collectionEnd, .streamEnd:
      content = .refused
    }
    return ConfigNode(content: content, mark: event.start)
  }

  private mutating func entries(
    depth: Int, problems: inout ProblemList
  ) throws(Failure) -> [ConfigNode.Entry] {
    var entries: [ConfigNode.Entry] = []
    var seen: [String: SourceMark] = [:]
    while let key = try nextInCollection() {
      let name = try text(ofKey: key)
      let value = try next()
      if let message = Self.refusal(of: key) {
        problems.error(message, at: key.start)
        _ = try skip(value)
      } else if let first = seen[name] {
        problems.error(
          "the key \(quoted(name)) is set twice, first on line \(first.line); keep one of them", at: key.start
        )
        _ = try skip(value)
      } else {
        seen[name] = key.start
        let node = try node(from: value, depth: depth + 1, problems: &problems)
        entries.append(ConfigNode.Entry(key: name, keyMark: key.start, value: node))
      }
    }
    return entries
  }

  /// Returns the text of a key; empty for an alias. Throws if the key is a list or a mapping, or has a `?` before it.
  private mutating func text(ofKey key: YAMLParser.Event) throws(Failure) -> String {
    if let sign = source.signOfExplicitKey(before: key.start) { throw Self.keyIsNotText(at: sign) }
    switch key.kind {
    case .scalar(let text, _): return text
    case .listStart, .mappingStart:
      // The error is at the colon after the key, or at the start of a key whose end is on another line.
      let end: SourceMark
      do { end = try skip(key) } catch { end = key.start }
      throw Self.keyIsNotText(at: end)
    default: return ""
    }
  }

  /// Returns the reason to reject a node (an alias, an anchor or a tag); `nil` for a valid node.
  private static func refusal(of event: YAMLParser.Event) -> String? {
    if case .alias = event.kind { return aliasMessage }
    if event.hasAnchor {
      return "YAML anchors are not supported: repeat the value where it is needed"
        + " (text that begins with \"&\" needs quotes)"
    }
    // These tags are harmless: `!!str` has the same meaning as quotes.
    guard let tag = event.tag, !["str", "seq", "map"].contains(where: { tag == "tag:yaml.org,2002:" + $0 })
    else { return nil }
    return "YAML tags such as \(quoted(tag)) are not supported: write the value without the tag"
      + " (text that begins with \"!\" needs quotes)"
  }

  private static let aliasMessage =
    "YAML aliases are not supported: repeat the value (text that begins with \"*\" needs quotes)"

  private static func keyIsNotText(at mark: SourceMark) -> Failure {
    Failure(message: "a key must be text, written \"key: value\"", mark: mark)
  }

  private static func tooDeep(at mark: SourceMark) -> Failure {
    Failure(message: "lists and mappings are nested too deeply", mark: mark)
  }

  // MARK: - Events

  private mutating func next() throws(Failure) -> YAMLParser.Event {
    do { return try parser.next() } catch { throw Self.explain(error, in: source) }
  }

  /// Returns the next event of a list or a mapping; `nil` at its end.
  private mutating func nextInCollection() throws(Failure) -> YAMLParser.Event? {
    let event = try next()
    if case .collectionEnd = event.kind { return nil }
    return event
  }

  /// Skips the rest of the node that begins with an event. Returns the position after the node.
  private mutating func skip(_ first: YAMLParser.Event) throws(Failure) -> SourceMark {
    var event = first
    var depth = 0
    while true {
      switch event.kind {
      case .listStart, .mappingStart: depth += 1
      case .collectionEnd: depth -= 1
      default: break
      }
      guard depth > 0 else { return event.end }
      guard depth <= Self.deepest else { throw Self.tooDeep(at: event.start) }
      event = try next()
    }
  }

  // MARK: - Syntax errors

  /// Whether the value before a position begins with a single quote.
  private static func isInSingleQuotes(_ mark: SourceMark, _ source: SourceText) -> Bool {
    source.line(mark.line).unicodeScalars.prefix(max(mark.column - 1, 0)).count { $0 == "'" } >= 2
  }

  /// Returns the position of the colon of a line such as `title:My threads`, which is text instead of a key with a value, on the line of
  /// an error or on the two lines before it; `nil` if no line has this form.
  private static func keyWithoutSpace(before mark: SourceMark, in source: SourceText) -> SourceMark? {
    for line in (max(mark.line - 2, 1)...mark.line).reversed() {
      let text = Array(source.line(line).utf8)
      let start = text.firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") } ?? text.endIndex
      guard let colon = text[start...].firstIndex(of: UInt8(ascii: ":")), colon > start,
        text[start..<colon].allSatisfy({ $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) }),
        colon + 1 < text.count,
        ![UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "\t")].contains(text[colon + 1])
      else { continue }
      return SourceMark(line: line, column: colon + 1)
    }
    return nil
  }

  /// Returns a message for a syntax error with its correction. libyaml's own messages are in its `scanner.c` and `parser.c`.
  private static func explain(_ error: YAMLParser.SyntaxError, in source: SourceText) -> Failure {
    let character = source.scalar(at: error.mark)
    let line = error.contextMark.map { " that begins on line \($0.line)" } ?? ""
    // libyaml reports an open quote or an incomplete key at the position where it stops, and aliases at their second character.
    let isAlias = error.contextMark.flatMap(source.scalar(at:)) == "*"
    var isAtStart = false
    func atStart(_ message: String) -> String {
      isAtStart = true
      return message
    }
    if let conflict = (1...max(source.lineCount, 1)).first(where: { source.line($0).hasPrefix("<<<<<<< ") }) {
      return Failure(
        message: "this line is a merge conflict marker of git; resolve the conflict",
        mark: SourceMark(line: conflict, column: 1))
    }
    if ["mapping values are not allowed in this context", "could not find expected ':'"].contains(
      error.problem),
      let mark = keyWithoutSpace(before: error.mark, in: source)
    {
      return Failure(message: "a space is missing after this \":\"", mark: mark)
    }
    let message =
      switch error.problem {
      case "found character that cannot start any token" where character == "\t",
        "found a tab character where an indentation space is expected",
        "found a tab character that violates indentation":
        "a tab cannot indent YAML; use spaces"
      case "found character that cannot start any token":
        "a value cannot begin with \(character.map { quoted(String($0)) } ?? "this character"); put it in quotes"
      case "mapping values are not allowed in this context":
        "a \":\" is not expected here: put text that contains \": \" in quotes, or check the indentation"
      case "mapping keys are not allowed in this context":
        keyIsNotText(at: error.mark).message
      case "block sequence entries are not allowed in this context":
        "a list item (\"- \") is not expected here: begin the list on a line of its own"
      case "could not find expected ':'":
        atStart("a key\(line) is not followed by \":\" and a value")
      case "found unexpected end of stream", "found unexpected document indicator":
        atStart("a quote that is opened here is never closed")
      case "found unknown escape character", "did not find expected hexdecimal number",
        "found invalid Unicode character escape code":
        "YAML has no such escape: write \"\\\\\" for a backslash, or use single quotes"
      case "did not find expected key":
        "expected a key of the mapping\(line); check the indentation and the quotes"
          + (isInSingleQuotes(error.mark, source)
            ? ", and write an apostrophe within single quotes twice" : "")
      case "did not find expected '-' indicator":
        "expected another \"- \" of the list\(line); check the indentation"
      case "did not find expected ',' or ']'": "expected \",\" or \"]\" in the list\(line)"
      case "did not find expected ',' or '}'": "expected \",\" or \"}\" in the mapping\(line)"
      case "found undefined tag handle", "did not find expected tag URI":
        "YAML tags are not supported (text that begins with \"!\" needs quotes)"
      case "did not find expected alphabetic or numeric character":
        isAlias ? atStart(aliasMessage) : "a value cannot begin with \"&\"; put it in quotes"
      case "": "the file cannot be read as YAML"
      default: [error.problem, error.context].compactMap(\.self).joined(separator: " ")
      }
    return Failure(message: message, mark: isAtStart ? error.contextMark ?? error.mark : error.mark)
  }
}
