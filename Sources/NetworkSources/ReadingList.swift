package import ThreadModel

/// The posts of others that an account marked, from the account's export. The list is private: nothing of it is stored or published.
package struct ReadingList: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case likes, bookmarks
  }

  /// A marked post.
  package struct Entry: Sendable, Hashable {
    /// The post's URL, in ASCII, as `threadsite add` accepts it if the network's posts can be fetched.
    package let url: String
    /// The time at which the account marked the post; `nil` if the export does not state it.
    package let time: Timestamp?
    /// The post's text; `nil` if the export does not contain it.
    package let text: String?

    /// Returns `nil` if the URL is not an http URL in printable ASCII.
    package init?(url: String, time: Timestamp? = nil, text: String? = nil) {
      guard url.utf8.count <= 2048, url.hasPrefix("https://") || url.hasPrefix("http://"),
        url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { return nil }
      self.url = url
      self.time = time
      self.text = text
    }
  }

  /// In the order of the export.
  package private(set) var entries: [Entry] = []
  /// The number of entries that name no post.
  package private(set) var unreadable = 0
  /// The parts that are certainly missing, each a whole message.
  package var shortfalls: [String] = []

  package init() {}

  /// Adds an entry, or counts it as unreadable if it is `nil`.
  package mutating func add(_ entry: Entry?) {
    if let entry { entries.append(entry) } else { unreadable += 1 }
  }

  /// Adds another list at the end.
  package mutating func append(_ other: ReadingList) {
    entries += other.entries
    unreadable += other.unreadable
    shortfalls += other.shortfalls
  }

  package mutating func reverse() { entries.reverse() }
}

extension SourceError {
  /// The error for an export of a network whose exports never contain such a list.
  package init(export: String, contains kind: ReadingList.Kind, never owner: String) {
    self.init(export: export, "exports of \(owner) contain no \(kind.rawValue)")
  }
}
