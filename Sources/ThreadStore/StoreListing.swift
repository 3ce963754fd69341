package import ThreadModel

/// Files of the store by their names, which tell the few that may hold a conversation from all others; which of these does is known by
/// reading them.
package struct StoreListing: Sendable {
  private let files: [String: [StoredFile]]

  package init(_ files: [StoredFile]) {
    self.files = Dictionary(grouping: files) { Self.key($0.platform, $0.name) }
  }

  /// In the order of the list that this was made of.
  package func files(thatMayHold id: PostID) -> [StoredFile] {
    StoredFile.names(of: id).flatMap { files[Self.key(id.platform, $0)] ?? [] }
  }

  private static func key(_ platform: Platform, _ name: String) -> String { "\(platform.rawValue)/\(name)" }
}
