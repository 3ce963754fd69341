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
  package var stem: String { "\(platform.rawValue)/\(folder)/\(id)" }
  /// The path below the store's folder: `x/ada/1346889436626259968.json`.
  package var path: String { stem + ".json" }

  package init(platform: Platform, folder: String, id: String) {
    self.platform = platform
    self.folder = folder
    self.id = id
  }
}

extension StoredFile: Comparable {
  /// By the bytes of the path, so that the order is the same on any machine.
  package static func < (lhs: StoredFile, rhs: StoredFile) -> Bool {
    lhs.path.utf8.lexicographicallyPrecedes(rhs.path.utf8)
  }
}
