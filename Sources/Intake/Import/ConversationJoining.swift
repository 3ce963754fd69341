import Basics
import SiteOutput
import SiteWorkspace
import ThreadModel
import ThreadStore

/// Corrections of threads whose beginning an archive lacks.
///
/// An archive does not state the conversation of a post. A chain whose first post is missing in the archive is stored under the post that
/// it answers. X's API, and an archive with the first post, state where the conversation begins.
extension Conversation {
  /// Whether the conversation's id is a guess that another source may correct.
  var hasGuessedID: Bool {
    provenance.allSatisfy { $0.source.isExport } && !provenance.isEmpty
      && !posts.contains { $0.id == id || $0.conversationID == id }
  }
}

extension Conversation {
  /// The order in which parts of one thread are preferred as the home of the thread: parts with their first post before parts without, and
  /// the earliest first.
  var beginning: (Int, Int64, PostID) {
    let first = posts.first { $0.id == id }
    let earliest = posts.filter { $0.authorID == authorID }.compactMap { $0.createdAt?.milliseconds }.min()
    return (first == nil ? 1 : 0, first?.createdAt?.milliseconds ?? earliest ?? .max, id)
  }
}

extension ThreadStore {
  /// Joins the author's threads that have posts in common. An archive and a network may know different beginnings of one thread with a gap.
  ///
  /// - Returns: the files that were joined to others. Their URLs are kept.
  func joinParts(of author: AuthorID) throws(PipelineError) -> [(old: StoredFile, new: StoredFile)] {
    var moves: [(old: StoredFile, new: StoredFile)] = []
    do {
      var index = try index()
      for files in try filesInCommon(of: author) {
        var parts: [(file: StoredFile, conversation: Conversation)] = []
        for file in files { parts.append((file, try read(file))) }
        guard let home = parts.min(by: { $0.conversation.beginning < $1.conversation.beginning }) else {
          continue
        }
        for (file, part) in parts where file != home.file {
          guard try !save(part.moved(to: home.conversation.id), index: &index).outcome.isRefused else {
            continue
          }
          try remove(file)
          moves.append((file, home.file))
        }
      }
    } catch {
      throw PipelineError(error)
    }
    try keepAddresses(moves)
    return moves
  }

  /// Returns the groups of the author's files that have posts in common, each sorted by path.
  private func filesInCommon(of author: AuthorID) throws(ThreadStoreError) -> [[StoredFile]] {
    var groups: [[StoredFile]] = []
    var groupOfFile: [StoredFile: Int] = [:]
    var fileOfPost: [PostID: StoredFile] = [:]
    for file in try list() where file.platform == author.platform {
      // Unreadable files were reported when the import began.
      guard let known = try? readOwnPosts(file), known.authorID == author else { continue }
      for post in known.posts {
        guard let other = fileOfPost.updateValue(file, forKey: post), other != file else { continue }
        let group = groupOfFile[other] ?? groupOfFile[file] ?? groups.count
        if group == groups.count { groups.append([]) }
        for member in [other, file] where groupOfFile[member] == nil {
          groupOfFile[member] = group
          groups[group].append(member)
        }
        // The file connects two groups.
        guard let second = groupOfFile[file], second != group else { continue }
        for member in groups[second] { groupOfFile[member] = group }
        groups[group] += groups[second]
        groups[second] = []
      }
    }
    return groups.filter { !$0.isEmpty }.map { $0.sorted() }
  }

  /// Keeps the published URLs of threads that are now in another file. If that file already has a URL, the old URL redirects to it.
  func keepAddresses(_ moves: [(old: StoredFile, new: StoredFile)]) throws(PipelineError) {
    guard !moves.isEmpty else { return }
    try changePermalinks { permalinks in
      for (old, new) in moves { permalinks.join(old.stem, to: new.stem) }
    }
  }
}
