import Basics

/// The events that a request asks for (NIP-01): all conditions must hold, each by one of its values.
struct RelayFilter: Hashable, Sendable {
  /// The maximum number of ids, authors or tag values in a filter. Many relays refuse larger filters.
  static let mostValues = 100
  /// The number of events that a request asks for. Many relays send fewer.
  static let pageSize = 500

  var ids: [String]?
  var authors: [String]?
  var kinds: [Int]?
  /// The values of tags by their names, which have one letter.
  var tags: [String: [String]] = [:]
  /// The first and the last second, as seconds since 1970.
  var since: Int64?
  var until: Int64?

  /// The name under which requests are counted.
  var name: String {
    if ids != nil { return "REQ ids" }
    if let tag = tags.keys.min() { return "REQ #\(tag)" }
    return "REQ authors"
  }

  /// Whether an event is requested by this filter. Relays may send others.
  func matches(_ event: NostrEvent) -> Bool {
    if let ids, !ids.contains(event.id) { return false }
    if let authors, !authors.contains(event.author) { return false }
    if let kinds, !kinds.contains(event.kind) { return false }
    if let since, event.createdAt < since { return false }
    if let until, event.createdAt > until { return false }
    return tags.allSatisfy { name, values in
      event.values(name).contains { tag in tag.first.map(values.contains) ?? false }
    }
  }

  var json: JSONValue {
    func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    var members: [String: JSONValue] = ["limit": .integer(Int64(Self.pageSize))]
    members["ids"] = ids.map(list)
    members["authors"] = authors.map(list)
    members["kinds"] = kinds.map { .array($0.map { .integer(Int64($0)) }) }
    for (name, values) in tags { members["#" + name] = list(values) }
    members["since"] = since.map { .integer($0) }
    members["until"] = until.map { .integer($0) }
    return .object(members)
  }
}

extension Sequence<String> {
  /// Returns the different values in order, in groups that fit into a filter.
  func inFilters() -> [[String]] {
    let values = Set(self).sorted()
    return stride(from: 0, to: values.count, by: RelayFilter.mostValues).map { start in
      Array(values[start...].prefix(RelayFilter.mostValues))
    }
  }
}
