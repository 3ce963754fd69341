import Files

extension MediaStore {
  /// Removes files that nothing mentions any more, such as those of posts that their author deleted.
  ///
  /// - Parameters:
  ///   - names: what may go: only these are looked at, and only where they are files.
  ///   - used: what any conversation or profile of the store still mentions (`Conversation.mediaFiles`).
  /// - Returns: what was removed, sorted.
  @discardableResult
  package func remove(_ names: Set<String>, unlessIn used: Set<String>) throws(MediaError) -> [String] {
    var removed: [String] = []
    for name in names.subtracting(used).sorted() {
      let path = try path(name)
      guard FileSystem.kind(of: path) == .file else { continue }
      do {
        try FileSystem.remove(path)
      } catch {
        throw .file(error)
      }
      removed.append(name)
    }
    return removed
  }
}
