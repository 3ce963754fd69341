package import ThreadModel

/// A conversation's place in the store, known from its name alone.
package struct StoredFile: Hashable, Sendable {
  /// The folder of the network: `x`.
  package let platform: Platform
  /// The folder of the author, named by the handle they had when the first file came into it.
  package let folder: String
  /// The file's name without `.json`: mostly the value of the conversation's id, but which conversation a file holds is only known by
  /// reading it.
  package let name: String

  /// `x/ada/1346889436626259968`: what names the thread wherever a short name is needed.
  package let stem: String
  /// The path below the store's folder: `x/ada/1346889436626259968.json`. Kept, as sorting asks for it again and again.
  package let path: String

  package init(platform: Platform, folder: String, name: String) {
    self.platform = platform
    self.folder = folder
    self.name = name
    stem = "\(platform.rawValue)/\(folder)/\(name)"
    path = stem + ".json"
  }
}

extension StoredFile {
  /// The name of the file for an author's conversation.
  ///
  /// The folder says whose it is, and with the author the authority that their own posts have. Where the conversation is of another (an
  /// answer in somebody else's), its name says so.
  static func name(of id: PostID, by author: AuthorID) -> String {
    // An account on Bluesky is the authority of its posts; elsewhere both have the same one.
    SafeName.make(id, isScoped: id.authority == (author.authority ?? author.value))
  }

  /// The names that files of a conversation may have, whoever's they are.
  static func names(of id: PostID) -> [String] {
    id.authority == nil
      ? [SafeName.make(id, isScoped: true)]
      : [SafeName.make(id, isScoped: true), SafeName.make(id, isScoped: false)]
  }
}

extension StoredFile: Comparable {
  /// By the bytes of the path, so that the order is the same on any machine.
  package static func < (lhs: StoredFile, rhs: StoredFile) -> Bool {
    lhs.path.utf8.lexicographicallyPrecedes(rhs.path.utf8)
  }
}
