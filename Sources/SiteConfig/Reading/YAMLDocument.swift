import Yams

/// The one place that knows Yams: text to ``ConfigNode``, with everything refused that a configuration needs
/// no YAML for.
///
/// Aliases, anchors, tags, merge keys, keys that are not text, and several documents in one file are errors.
/// That makes the file mean what it says, and makes bombs impossible: Yams copies what an alias stands for ("billion
/// laughs"), and hashes every key with all that it holds, again on each level of keys within keys. So neither an
/// alias nor a list or mapping as a key may reach it.
///
/// Yams shows no events, and what is an alias cannot be told without a YAML scanner. So the signs that make these
/// things are replaced by private-use characters (``StandIns``) before Yams has the text. To libyaml each is one letter
/// of text in the same column: an alias becomes plain text that begins with the star's stand-in, which no other
/// text does; a key that is no text becomes a syntax error. In values, the signs are put back.
struct YAMLDocument {
  private let source: SourceText
  private let standIns: StandIns
  /// Characters that the text does not hold, for telling duplicate keys apart.
  private let spare: [Unicode.Scalar]
  /// The keys that were made unique, by their place, as they were written.
  private var renamedKeys: [SourceMark: String] = [:]

  /// The deepest that a site.yml can sensibly be is 4 (`threads`, an entry, `hide`, a post).
  private static let deepest = 16
  /// How many duplicate keys of one file are reported.
  private static let mostDuplicates = 20

  /// The document's content; `nil` for a file without any, or where an error was added to `problems`.
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
    guard let (standIns, spare) = StandIns.unused(in: source, andSpare: Self.mostDuplicates) else {
      problems.error("the file holds too many private-use characters", at: .start)
      return nil
    }
    self.source = source
    self.standIns = standIns
    self.spare = spare
  }

  private mutating func compose(problems: inout ProblemList) -> ConfigNode? {
    var bytes = standIns.replacingSigns(in: source.bytes)
    while true {
      do {
        // `.basic` has no rules: plain text stays text. The encoding is given, because Yams' default asks the
        // environment.
        let parser = try Parser(
          yaml: String(decoding: bytes, as: UTF8.self), resolver: .basic, encoding: .utf8)
        guard let root = try parser.singleRoot() else { return nil }
        // Nodes hold their anchors weakly; the parser owns them.
        let tree = withExtendedLifetime(parser) { node(from: root, depth: 0, problems: &problems) }
        return tree.isRefused ? nil : tree
      } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
        let mark = SourceMark(line: context.mark.line, column: context.mark.column)
        if makeUnique(keyAt: mark, in: &bytes) { continue }
        let names = keys.map { quoted(standIns.restored($0)) }.joined(separator: ", ")
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

  /// Renames the first of two equal keys, so that the rest of the file can be looked at as well.
  ///
  /// Yams reports the first of them only, and no second one. With its first letter replaced by a character
  /// that occurs nowhere, the file composes, and both places are known when the tree is walked.
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
}

// MARK: - From Yams' nodes

extension YAMLDocument {
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
      // Yams makes these only for its encoder.
      return refused
    case .scalar(let scalar):
      return ConfigNode(
        content: .scalar(standIns.restored(scalar.string), isPlain: scalar.style == .plain), mark: mark)
    case .sequence(let sequence):
      let elements = sequence.map { self.node(from: $0, depth: depth + 1, problems: &problems) }
      return ConfigNode(content: .list(elements), mark: mark)
    case .mapping(let mapping):
      return ConfigNode(
        content: .mapping(entries(of: mapping, depth: depth, problems: &problems)), mark: mark)
    }
  }

  /// Whether a node has neither an anchor nor a tag and is no alias; adds an error where it is not.
  private func isAllowed(_ node: Node, at mark: SourceMark, problems: inout ProblemList) -> Bool {
    if node.anchor != nil {
      problems.error(
        "YAML anchors are not taken here: write the value out where it is needed"
          + " (text that begins with \"&\" needs quotes)", at: mark)
      return false
    }
    // Yams gives quoted text the tag of text; `!!str` says no more than quotes do.
    let tag = node.tag.rawValue
    let harmless = [Tag.Name.implicit, .str, .seq, .map].map(\.rawValue)
    if !harmless.contains(tag) {
      problems.error(
        "YAML tags such as \(quoted(tag)) are not taken here: write the value without the tag"
          + " (text that begins with \"!\" needs quotes)", at: mark)
      return false
    }
    if case .scalar(let scalar) = node, scalar.style == .plain,
      scalar.string.unicodeScalars.first == standIns.star
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
}
