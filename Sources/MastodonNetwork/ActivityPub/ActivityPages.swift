import JSONText

/// Where the reading of a collection stands: it comes in pages, in the object that has it, or at addresses (ActivityPub, 5; ActivityStreams 2.0,
/// Core, 5).
struct ActivityPages: Sendable {
  /// What is read next: a page, or its address.
  private var next: JSONValue?
  /// Pages that are read at most: a server may go on for ever.
  private var left: Int
  private var visited: Set<String> = []

  init(_ collection: JSONValue?, atMost pages: Int) {
    next = collection
    left = pages
  }

  /// Whether there is no more.
  var isAtEnd: Bool { next == nil || left <= 0 }
  /// Whether there would be more than is read.
  var isCut: Bool { next != nil && left <= 0 }

  /// The address that has to be asked to go on; `nil` where what is next is here.
  mutating func takeAddress() -> String? {
    guard let address = next?.string else { return nil }
    next = nil
    left -= 1
    // A page that names itself or an earlier one would never end.
    return visited.insert(address).inserted ? address : nil
  }

  /// Goes on with what was read at the address.
  mutating func put(_ page: MastodonFields) { next = .object(page.members) }

  /// The entries of the page that is next, if it is here.
  mutating func takeEntries() -> [JSONValue] {
    guard case .object(let members)? = next else {
      // What is neither a page nor an address ends it.
      if next?.string == nil { next = nil }
      return []
    }
    let page = MastodonFields(members)
    let entries = page["orderedItems"] ?? page["items"]
    // A collection says where its first page is, a page where the next one is. What is inside does not count as a page, but has to end, too.
    let found = entries.map { $0.array ?? [$0] } ?? []
    next = page["next"] ?? (found.isEmpty ? page["first"] : nil)
    left -= next?.object == nil ? 0 : 1
    return found
  }
}
