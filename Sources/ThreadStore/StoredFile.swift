package import ThreadModel

/// A conversation's place in the store, known from its name alone.
package struct StoredFile: Hashable, Sendable {
  /// The folder of the network: `x`.
  package let platform: Platform
  /// The folder of the author, named by the handle they had when the first file came into it.
  package let folder: String
  /// The conversation's id as file names have it, which for X and Mastodon is the id itself.
  package let id: String

  /// `x/ada/1346889436626259968`: what names the thread wherever a short name is needed.
  package let stem: String
  /// The path below the store's folder: `x/ada/1346889436626259968.json`. Kept, as sorting asks for it again and again.
  package let path: String

  package init(platform: Platform, folder: String, id: String) {
    self.platform = platform
    self.folder = folder
    self.id = id
    stem = "\(platform.rawValue)/\(folder)/\(id)"
    path = stem + ".json"
  }
}

extension StoredFile: Comparable {
  /// By the bytes of the path, so that the order is the same on any machine.
  package static func < (lhs: StoredFile, rhs: StoredFile) -> Bool {
    lhs.path.utf8.lexicographicallyPrecedes(rhs.path.utf8)
  }
}
