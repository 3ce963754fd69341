/// One entry of `threads`: a thread, or a place that threads come from.
package enum ThreadSource: Sendable, Equatable {
  /// A thread, by the address of any of its posts.
  case post(Post)
  /// An archive that a network gave to its user.
  case archive(Archive)
  /// All threads of an account.
  case author(Author)
  /// All threads that a search finds.
  case search(Search)
}

extension ThreadSource {
  /// The keys of which an entry has exactly one; it says which kind of entry it is.
  static let kinds = ["url", "archive", "author", "search"]

  private static let keysOfKinds: [String: [String]] = [
    "url": PostFields.fields.map(\.key),
    "archive": ArchiveFields.fields.map(\.key),
    "author": AuthorFields.fields.map(\.key),
    "search": SearchFields.fields.map(\.key),
  ]

  /// The keys of all kinds, each once, in the order of their declarations.
  fileprivate static var allKeys: [String] {
    var keys: [String] = []
    for key in kinds.flatMap({ keysOfKinds[$0] ?? [] }) where !keys.contains(key) { keys.append(key) }
    return keys
  }

  static func read(_ value: ConfigValue, problems: inout ProblemList) -> ThreadSource? {
    problems.remember(value)
    switch value.node.content {
    case .scalar where !value.node.isNull:
      return ValueReader.post.read(value, &problems).map { .post(Post(url: $0)) }
    case .mapping(let entries):
      guard let kind = kind(of: entries, in: value, problems: &problems) else { return nil }
      let usable = withoutKeysOfOtherKinds(entries, kind: kind, in: value, problems: &problems)
      return read(
        ConfigValue(node: ConfigNode(content: .mapping(usable), mark: value.node.mark), path: value.path),
        as: kind, problems: &problems)
    default:
      problems.error(
        "expected the URL of a post, or a mapping with one of \(kinds.joined(separator: ", ")); found"
          + " \(value.node.kind)", at: value)
      return nil
    }
  }

  private static func read(
    _ value: ConfigValue, as kind: String, problems: inout ProblemList
  ) -> ThreadSource? {
    switch kind {
    case "url": ValueReader<PostFields>.section.read(value, &problems)?.source(value, problems: &problems)
    case "archive": ValueReader<ArchiveFields>.section.read(value, &problems)?.source
    case "author": ValueReader<AuthorFields>.section.read(value, &problems)?.source
    default: ValueReader<SearchFields>.section.read(value, &problems)?.source
    }
  }

  private static func kind(
    of entries: [ConfigNode.Entry], in value: ConfigValue, problems: inout ProblemList
  ) -> String? {
    let found = entries.filter { kinds.contains($0.key) }
    if found.count == 1 { return found[0].key }
    if found.isEmpty {
      // The key that should say it may be misspelt, which is worth more than to hear that none is there.
      var isMisspelt = false
      for entry in entries where !allKeys.contains(entry.key) {
        let nearest = Suggestion.nearest(to: entry.key, among: allKeys)
        isMisspelt = isMisspelt || nearest.map(kinds.contains) == true
        problems.error(
          "unknown key \(quoted(entry.key))\(Suggestion.phrase(for: entry.key, among: allKeys))",
          at: entry.keyMark, path: value.path(of: entry.key))
      }
      guard !isMisspelt else { return nil }
      problems.error("an entry needs one of \(kinds.joined(separator: ", "))", at: value)
    } else {
      let names = found.map(\.key).joined(separator: " and ")
      problems.error(
        "an entry has only one of \(kinds.joined(separator: ", ")), and this one has \(names); make two entries of"
          + " it", at: found[1].keyMark, path: value.path)
    }
    return nil
  }

  private static func withoutKeysOfOtherKinds(
    _ entries: [ConfigNode.Entry], kind: String, in value: ConfigValue, problems: inout ProblemList
  ) -> [ConfigNode.Entry] {
    entries.filter { entry in
      guard keysOfKinds[kind]?.contains(entry.key) != true, allKeys.contains(entry.key) else { return true }
      let owners = kinds.filter { keysOfKinds[$0]?.contains(entry.key) == true }.joined(separator: " or ")
      problems.error(
        "\(quoted(entry.key)) goes with \(owners), not with \(kind)", at: entry.keyMark,
        path: value.path(of: entry.key))
      return false
    }
  }
}

extension ValueReader where Value == [ThreadSource] {
  static var threadSources: ValueReader {
    let elements = ValueReader<ThreadSource>(nestedKeys: ThreadSource.allKeys.map { "." + $0 }) {
      value, problems in ThreadSource.read(value, problems: &problems)
    }
    let list = ValueReader.list(of: elements)
    return ValueReader(nestedKeys: list.nestedKeys) { value, problems in
      guard let sources = list.read(value, &problems) else { return nil }
      if case .list(let nodes) = value.node.content {
        if nodes.isEmpty {
          problems.warning(
            "the list is empty, so the site has no threads; leave the key out for everything in the store",
            at: value)
        }
        refuseRepeats(nodes, in: value, problems: &problems)
      }
      return sources
    }
  }

  /// Two entries for one post would be two titles for one page.
  private static func refuseRepeats(_ nodes: [ConfigNode], in value: ConfigValue, problems: inout ProblemList)
  {
    var seen: [String: SourceMark] = [:]
    for (index, node) in nodes.enumerated() {
      // An address that is none was reported when the entry was read.
      guard let address = address(of: node), let post = try? PostReference(address) else { continue }
      if let first = seen[post.identity] {
        problems.error(
          "this post is listed before, on line \(first.line); keep one of them",
          at: value.element(node, at: index))
      } else {
        seen[post.identity] = node.mark
      }
    }
  }

  private static func address(of node: ConfigNode) -> String? {
    switch node.content {
    case .scalar(let text, _): return text
    case .mapping(let entries):
      guard let entry = entries.first(where: { $0.key == "url" }),
        case .scalar(let text, _) = entry.value.content
      else { return nil }
      return text
    case .list, .refused: return nil
    }
  }
}
