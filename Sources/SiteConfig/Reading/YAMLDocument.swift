import Yams

/// Converts text to ``ConfigNode`` with Yams, which only this file uses, and refuses the parts of YAML that a configuration does not need.
///
/// Aliases, anchors, tags, merge keys, keys that are not text, and several documents in one file are errors. Without them a file is easy to understand,
/// and cannot exhaust the memory: Yams copies the target of an alias ("billion laughs"), and hashes every key with all its content, again on each level
/// of keys within keys. So Yams must not receive any alias, or a list or mapping as a key.
///
/// Yams does not expose parser events, and aliases cannot be recognised without a YAML scanner. So the signs that begin these constructs are replaced by
/// private-use characters (``Placeholders``) before Yams gets the text. To libyaml each of them is a letter in the same column: an alias becomes plain
/// text that begins with the placeholder of the star, as no other text does; a key that is not text becomes a syntax error. In values, the signs are
/// restored.
struct YAMLDocument {
  private let source: SourceText
  private let placeholders: Placeholders
  /// Characters that do not occur in the text, with which duplicate keys are made different.
  private let spare: [Unicode.Scalar]
  /// The first letters of the keys that were made unique, by the keys' positions.
  private var renamedKeys: [SourceMark: String] = [:]

  /// The highest nesting level; a sensible site.yml has at most 4 (`threads`, an entry, `hide`, a post).
  private static let deepest = 16
  /// The highest number of duplicate keys in one file that are reported.
  private static let mostDuplicates = 20

  /// Returns the document's content; `nil` for an empty file, or if an error was added to `problems`.
  static func compose(_ source: SourceText, problems: inout ProblemList) -> ConfigNode? {
    guard var document = YAMLDocument(source, problems: &problems) else { return nil }
    return document.compose(problems: &problems)
  }

  private init?(_ source: SourceText, problems: inout ProblemList) {
    if let (scalar, mark) = source.firstUnprintable() {
      let code = String(scalar.value, radix: 16, uppercase: true)
      let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
      problems.error("the character \(name) is not allowed in YAML; remove it", at: mark)
      return nil
    }
    guard let (placeholders, spare) = Placeholders.unused(in: source, andSpare: Self.mostDuplicates) else {
      problems.error("the file holds too many private-use characters", at: .start)
      return nil
    }
    self.source = source
    self.placeholders = placeholders
    self.spare = spare
  }

  private mutating func compose(problems: inout ProblemList) -> ConfigNode? {
    var bytes = placeholders.replacingSigns(in: source.bytes)
    while true {
      do {
        // `.basic` has no conversion rules, so plain text stays text. The encoding is given because Yams' default depends on the environment.
        let parser = try Parser(
          yaml: String(decoding: bytes, as: UTF8.self), resolver: .basic, encoding: .utf8)
        guard let root = try parser.singleRoot() else { return nil }
        // Nodes have weak references to their anchors; the parser owns the anchors.
        let tree = withExtendedLifetime(parser) { node(from: root, depth: 0, problems: &problems) }
        return tree.isRefused ? nil : tree
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        let mark = SourceMark(line: context.mark.line, column: context.mark.column)
        if makeUnique(keyAt: mark, in: &bytes) { continue }
        let names = keys.map { quoted(placeholders.restored($0)) }.joined(separator: ", ")
        problems.error("the same key is set twice in one mapping: \(names)", at: mark)
      } catch let error as YamlError {
        let (message, mark) = Self.explain(error, in: source)
        problems.error(message, at: mark)
      } catch {
        problems.error("the file cannot be read as YAML: \(error)", at: .start)
      }
      return nil
    }
  }

  /// Makes the first of two equal keys unique, so that the rest of the file can be checked as well.
  ///
  /// Yams reports only the first of the two keys, and stops. If that key's first letter is replaced by a character that occurs nowhere else, the file can
  /// be parsed, and both positions are known when the nodes are read.
  private mutating func makeUnique(keyAt mark: SourceMark, in bytes: inout [UInt8]) -> Bool {
    guard renamedKeys.count < spare.count, renamedKeys[mark] == nil else { return false }
    let text = SourceText(bytes: bytes)
    guard let first = text.scalar(at: mark) else { return false }
    let isQuoted = first == "\"" || first == "'"
    let letter = isQuoted ? SourceMark(line: mark.line, column: mark.column + 1) : mark
    guard let range = text.scalarRange(at: letter), let scalar = text.scalar(at: letter) else { return false }
    guard scalar.properties.isAlphabetic || scalar == "_" || scalar.properties.numericType != nil else {
      return false
    }
    bytes.replaceSubrange(range, with: Array(String(spare[renamedKeys.count]).utf8))
    renamedKeys[mark] = String(scalar)
    return true
  }

  // MARK: - From Yams' nodes

  private func node(from node: Node, depth: Int, problems: inout ProblemList) -> ConfigNode {
    let mark = node.mark.map { SourceMark(line: $0.line, column: $0.column) } ?? .start
    let refused = ConfigNode(content: .refused, mark: mark)
    guard depth <= Self.deepest else {
      problems.error("lists and mappings are nested too deeply", at: mark)
      return refused
    }
    guard isAllowed(node, at: mark, problems: &problems) else { return refused }
    switch node {
    case .alias:
      // Yams creates these nodes only for its encoder.
      return refused
    case .scalar(let scalar):
      return ConfigNode(
        content: .scalar(placeholders.restored(scalar.string), isPlain: scalar.style == .plain), mark: mark)
    case .sequence(let sequence):
      let elements = sequence.map { self.node(from: $0, depth: depth + 1, problems: &problems) }
      return ConfigNode(content: .list(elements), mark: mark)
    case .mapping(let mapping):
      return ConfigNode(
        content: .mapping(entries(of: mapping, depth: depth, problems: &problems)), mark: mark)
    }
  }

  /// Whether a node has neither an anchor nor a tag and is not an alias; adds an error otherwise.
  private func isAllowed(_ node: Node, at mark: SourceMark, problems: inout ProblemList) -> Bool {
    if node.anchor != nil {
      problems.error(
        "YAML anchors are not taken here: write the value out where it is needed"
          + " (text that begins with \"&\" needs quotes)", at: mark)
      return false
    }
    // Yams gives quoted text the tag of text, and `!!str` means the same as quotes, so these tags are harmless.
    let tag = node.tag.rawValue
    let harmless = [Tag.Name.implicit, .str, .seq, .map].map(\.rawValue)
    if !harmless.contains(tag) {
      problems.error(
        "YAML tags such as \(quoted(tag)) are not taken here: write the value without the tag"
          + " (text that begins with \"!\" needs quotes)", at: mark)
      return false
    }
    if case .scalar(let scalar) = node, scalar.style == .plain,
      scalar.string.unicodeScalars.first == placeholders.star
    {
      problems.error(
        "YAML aliases are not taken here: write the value out (text that begins with \"*\" needs quotes)",
        at: mark)
      return false
    }
    return true
  }

  private func entries(
    of mapping: Node.Mapping, depth: Int, problems: inout ProblemList
  ) -> [ConfigNode.Entry] {
    var entries: [ConfigNode.Entry] = []
    var seen: [String: SourceMark] = [:]
    for (keyNode, valueNode) in mapping {
      let key = self.node(from: keyNode, depth: depth + 1, problems: &problems)
      guard !key.isRefused else { continue }
      guard case .scalar(let text, _) = key.content else {
        problems.error("a key must be text, and this one is \(key.kind)", at: key.mark)
        continue
      }
      var name = text
      if let letter = renamedKeys[key.mark] { name = letter + String(text.unicodeScalars.dropFirst()) }
      if let first = seen[name] {
        problems.error(
          "the key \(quoted(name)) is set twice, first on line \(first.line); keep one of them", at: key.mark)
        continue
      }
      seen[name] = key.mark
      let value = self.node(from: valueNode, depth: depth + 1, problems: &problems)
      entries.append(ConfigNode.Entry(key: name, keyMark: key.mark, value: value))
    }
    return entries
  }

  /// Returns a message for libyaml's syntax error that says what to change, and its position.
  private static func explain(_ error: YamlError, in source: SourceText) -> (
    message: String, mark: SourceMark
  ) {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let place = SourceMark(line: mark.line, column: mark.column)
      let start = context.map { SourceMark(line: $0.mark.line, column: $0.mark.column) }
      if let key = keyThatIsNoText(from: start ?? place, to: place, in: source) {
        return ("a key must be text, written \"key: value\"", key)
      }
      let words = explanation(of: problem, at: place, context: context?.text, start: start, in: source)
      return (words.message, words.mark ?? place)
    case .memory:
      return ("lists and mappings are nested too deeply", .start)
    default:
      return ("the file cannot be read as YAML", .start)
    }
  }

  /// Returns the position of a key that ``Placeholders`` made invalid, if libyaml's error is on its line or up to three lines below; otherwise `nil`.
  private static func keyThatIsNoText(
    from start: SourceMark, to place: SourceMark, in source: SourceText
  ) -> SourceMark? {
    for line in max(min(start.line, place.line), place.line - 3)...place.line {
      var previous: Unicode.Scalar = "{"
      let scalars = Array(source.line(line).unicodeScalars)
      for (index, scalar) in scalars.enumerated() where scalar != " " && scalar != "\t" {
        let isMark = scalar == "?" && (index + 1 == scalars.count || scalars[index + 1] == " ")
        if isMark && ["{", "[", ",", "-"].contains(previous)
          || scalar == ":" && ["]", "}"].contains(previous)
        {
          return SourceMark(line: line, column: index + 1)
        }
        previous = scalar
      }
    }
    return nil
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
    case "but found another document":
      return ("a second YAML document begins here, and this file may only be one; remove the \"---\"", nil)
    case _ where problem.hasPrefix("Maximum nesting level"):
      return ("lists and mappings are nested too deeply", nil)
    case "found undefined tag handle", "did not find expected tag URI":
      return ("YAML tags are not taken here (text that begins with \"!\" needs quotes)", nil)
    case "did not find expected alphabetic or numeric character":
      return ("a value cannot begin with \"&\"; put it in quotes", nil)
    default:
      return ([problem, context].compactMap(\.self).joined(separator: " "), nil)
    }
  }
}

/// Characters that replace some of YAML's signs in the text that Yams gets; none of them occurs in the original text.
///
/// The reason is explained at ``YAMLDocument``.
struct Placeholders: Sendable {
  /// Replaces each `*`, which begins an alias.
  let star: Unicode.Scalar
  /// Replaces each `?`, which begins a key of any kind and size.
  let question: Unicode.Scalar
  /// Replaces each `:` after a closing bracket or brace, which would make a list or mapping a key.
  let colon: Unicode.Scalar

  /// Returns placeholders for a text, and up to `count` spare characters; `nil` if the text contains nearly all private-use characters.
  static func unused(in source: SourceText, andSpare count: Int) -> (Placeholders, spare: [Unicode.Scalar])? {
    var used: Set<UInt32> = []
    // All private-use characters U+E000…U+F8FF begin with the byte EE or EF.
    if source.bytes.contains(where: { $0 == 0xEE || $0 == 0xEF }) {
      for scalar in String(decoding: source.bytes, as: UTF8.self).unicodeScalars {
        if (0xE000...0xF8FF).contains(scalar.value) { used.insert(scalar.value) }
      }
    }
    let unused = (0xE000...0xF8FF).lazy.filter { !used.contains($0) }.compactMap(Unicode.Scalar.init)
    let taken = Array(unused.prefix(3 + count))
    guard taken.count >= 3 else { return nil }
    return (Placeholders(star: taken[0], question: taken[1], colon: taken[2]), Array(taken.dropFirst(3)))
  }

  /// Returns the text for Yams, with as many scalars on as many lines as the original.
  func replacingSigns(in bytes: [UInt8]) -> [UInt8] {
    let (star, question, colon) = (Array(star.utf8), Array(question.utf8), Array(colon.utf8))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 4)
    // The last byte that is not a blank.
    var last: UInt8 = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "*"): result += star
      case UInt8(ascii: "?"): result += question
      case UInt8(ascii: ":") where last == UInt8(ascii: "]") || last == UInt8(ascii: "}"): result += colon
      default: result.append(byte)
      }
      if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { last = byte }
    }
    return result
  }

  /// Returns a text from Yams with the original signs.
  func restored(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 == star || $0 == question || $0 == colon }) else {
      return text
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case star: result.append("*")
      case question: result.append("?")
      case colon: result.append(":")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  fileprivate var utf8: String.UTF8View { String(self).utf8 }
}
