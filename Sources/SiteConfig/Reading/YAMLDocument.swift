/// Converts text to ``ConfigNode``, and refuses the parts of YAML that a configuration does not need.
///
/// Aliases, anchors, tags, merge keys, keys that are not text, and several documents in one file are errors. Without them a file is easy to understand,
/// and cannot exhaust the memory: no alias is ever expanded ("billion laughs"), and no key is larger than its text.
struct YAMLDocument: ~Copyable {
  /// An error that ends the reading of a file.
  private struct Failure: Error {
    let message: String
    let mark: SourceMark
  }

  private let source: SourceText
  private var parser: YAMLParser

  /// The highest nesting level; a sensible site.yml has at most 4 (`threads`, an entry, `hide`, a post).
  private static let deepest = 16

  /// Returns the document's content; `nil` for an empty file, or if an error was added to `problems`.
  static func compose(_ source: SourceText, problems: inout ProblemList) -> ConfigNode? {
    if let (scalar, mark) = source.firstUnprintable() {
      let code = String(scalar.value, radix: 16, uppercase: true)
      let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
      problems.error("the character \(name) is not allowed in YAML; remove it", at: mark)
      return nil
    }
    // A file with a syntax error reports nothing else, because the error may be the cause of the rest.
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

  /// Returns the text of a key; empty for an alias. Throws if the key is a list or a mapping, or has the `?` of such keys before it.
  private mutating func text(ofKey key: YAMLParser.Event) throws(Failure) -> String {
    if let sign = source.signOfExplicitKey(before: key.start) { throw Self.keyIsNotText(at: sign) }
    switch key.kind {
    case .scalar(let text, _): return text
    case .listStart, .mappingStart:
      // The position is that of the colon after the key. A key without an end nearby is reported at its start.
      let end: SourceMark
      do { end = try skip(key) } catch { end = key.start }
      throw Self.keyIsNotText(at: end)
    default: return ""
    }
  }

  /// Returns why a node is refused: an alias, an anchor or a tag; `nil` if it is not.
  private static func refusal(of event: YAMLParser.Event) -> String? {
    if case .alias = event.kind { return aliasMessage }
    if event.hasAnchor {
      return "YAML anchors are not taken here: write the value out where it is needed"
        + " (text that begins with \"&\" needs quotes)"
    }
    // `!!str` means the same as quotes, so that these tags are harmless.
    guard let tag = event.tag, !["str", "seq", "map"].contains(where: { tag == "tag:yaml.org,2002:" + $0 })
    else { return nil }
    return "YAML tags such as \(quoted(tag)) are not taken here: write the value without the tag"
      + " (text that begins with \"!\" needs quotes)"
  }

  private static let aliasMessage =
    "YAML aliases are not taken here: write the value out (text that begins with \"*\" needs quotes)"

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

  /// Skips the rest of the node that begins with an event, and returns the position after it.
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

  /// Returns a message for libyaml's syntax error that says what to change, and its position.
  private static func explain(_ error: YAMLParser.SyntaxError, in source: SourceText) -> Failure {
    let words = explanation(
      of: error.problem, at: error.mark, context: error.context, start: error.contextMark, in: source)
    return Failure(message: words.message, mark: words.mark ?? error.mark)
  }

  /// Returns the message for one of libyaml's messages (in its `scanner.c` and `parser.c`), and a better position if libyaml reports the end of the file.
  private static func explanation(
    of problem: String, at mark: SourceMark, context: String?, start: SourceMark?, in source: SourceText
  ) -> (message: String, mark: SourceMark?) {
    let character = source.scalar(at: mark)
    let line = start.map { " that begins on line \($0.line)" } ?? ""
    switch problem {
    case "found character that cannot start any token" where character == "\t",
      "found a tab character where an indentation space is expected",
      "found a tab character that violates indentation":
      return ("a tab cannot indent YAML; use spaces", nil)
    case "found character that cannot start any token":
      let shown = character.map { quoted(String($0)) } ?? "this character"
      return ("a value cannot begin with \(shown); put it in quotes", nil)
    case "mapping values are not allowed in this context":
      return (
        "a \":\" is not expected here: put text that holds \": \" in quotes, or check the indentation", nil
      )
    case "block sequence entries are not allowed in this context":
      return ("a list item (\"- \") is not expected here: begin the list on a line of its own", nil)
    case "could not find expected ':'":
      return ("a key\(line) is not followed by \":\" and a value", start)
    case "found unexpected end of stream", "found unexpected document indicator":
      return ("a quote that is opened here is never closed", start)
    case "found unknown escape character", "did not find expected hexdecimal number",
      "found invalid Unicode character escape code":
      return (
        "this is no escape that YAML knows: write \"\\\\\" for a backslash, or use single quotes", nil
      )
    case "did not find expected key":
      return ("expected a key of the mapping\(line); check the indentation and the quotes", nil)
    case "did not find expected '-' indicator":
      return ("expected another \"- \" of the list\(line); check the indentation", nil)
    case "did not find expected ',' or ']'":
      return ("expected \",\" or \"]\" in the list\(line)", nil)
    case "did not find expected ',' or '}'":
      return ("expected \",\" or \"}\" in the mapping\(line)", nil)
    case "mapping keys are not allowed in this context":
      return (keyIsNotText(at: mark).message, nil)
    case _ where problem.hasPrefix("Maximum nesting level"):
      return (tooDeep(at: mark).message, nil)
    case "found undefined tag handle", "did not find expected tag URI":
      return ("YAML tags are not taken here (text that begins with \"!\" needs quotes)", nil)
    case "did not find expected alphabetic or numeric character"
    where start.flatMap(source.scalar(at:)) == "*":
      return (aliasMessage, start)
    case "did not find expected alphabetic or numeric character":
      return ("a value cannot begin with \"&\"; put it in quotes", nil)
    case "":
      return ("the file cannot be read as YAML", nil)
    default:
      return ([problem, context].compactMap(\.self).joined(separator: " "), nil)
    }
  }
}
