import Files
import JSONText
package import ThreadModel
import UTF8Text

/// Profiles: one file an author, `<folder>/profiles/<platform>/<author id>.json`.
extension ThreadStore {
  /// What the store has of an author beside their threads; `nil` where it has nothing.
  package func profile(of author: AuthorID) throws(ThreadStoreError) -> Profile? {
    let path = profilePath(of: author)
    guard let bytes = try StoreFiles.read(path, atMost: Self.maximumFileSize) else { return nil }
    let profile = try ConversationCoding.decodeProfile(bytes, file: path)
    guard profile.author.id == author else {
      throw .misnamed(file: path, holds: "the profile of \(profile.author.id)")
    }
    return leavingOut.clearing(profile)
  }

  /// All profiles, in the order of their accounts.
  package func profiles() throws(ThreadStoreError) -> [Profile] {
    let top = "\(folder)/\(Self.profilesFolderName)"
    var profiles: [Profile] = []
    for platform in try StoreFiles.entries(of: top) where platform.kind == .folder {
      for entry in try StoreFiles.entries(of: "\(top)/\(platform.name)")
      where entry.name.hasByteSuffix(".json") {
        let path = "\(top)/\(platform.name)/\(entry.name)"
        guard let bytes = try StoreFiles.read(path, atMost: Self.maximumFileSize) else { continue }
        profiles.append(leavingOut.clearing(try ConversationCoding.decodeProfile(bytes, file: path)))
      }
    }
    return profiles.sorted { $0.author.id < $1.author.id }
  }

  /// Keeps a profile in the place of what was known: followers come and go, so two lists of them are never joined.
  ///
  /// Of an account that was removed nothing is kept.
  package func save(_ profile: Profile) throws(ThreadStoreError) {
    let author = profile.author.id
    guard try removedThreads().accounts[author] == nil,
      !leavingOut.holds(author, handle: profile.author.handle)
    else { return }
    let profile = leavingOut.clearing(profile)
    let platform = author.platform.rawValue
    guard SafeName.make(platform) == platform, author.isWellFormed else { throw .unsafeName(platform) }
    try write(ConversationCoding.encode(profile).bytes, to: profilePath(of: author))
  }

  /// Takes a profile away; its pictures stay.
  package func removeProfile(of author: AuthorID) throws(ThreadStoreError) {
    do {
      try FileSystem.remove(profilePath(of: author))
    } catch {
      throw .file(error)
    }
  }

  private func profilePath(of author: AuthorID) -> String {
    "\(folder)/\(Self.profilesFolderName)/\(author.platform.rawValue)/\(SafeName.make(author, isScoped: false)).json"
  }
}
