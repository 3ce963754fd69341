import Basics
import SiteOutput
import ThreadModel
import ThreadStore

/// Corrections of threads whose beginning an archive lacks.
///
/// An archive does not tell the conversation of a post. A chain whose first post is missing in the archive is stored under the post that it answers;
/// X, and an archive with the first post, know where the conversation begins.
extension Conversation {
  /// Whether the conversation's id is a guess that another source may correct.
  var hasGuessedID: Bool {
    provenance.allSatisfy { $0.source.isExport } && !provenance.isEmpty
      && !posts.contains { $0.id == id }
  }

  /// Returns the same posts as a part of the conversation with another id.
  func moved(to id: PostID) -> Conversation {
    var moved = self
    moved.id = id
    for index in moved.posts.indices { moved.posts[index].conversationID = id }
    return moved
  }
}

extension ThreadStore {
  /// Keeps the published addresses of threads that are now in another file; if that file has an address already, the old address redirects to it.
  func keepAddresses(_ moves: [(old: StoredFile, new: StoredFile)]) throws(PipelineError) {
    guard !moves.isEmpty else { return }
    try changePermalinks { permalinks in
      for (old, new) in moves { permalinks.join(old.stem, to: new.stem) }
    }
  }

  /// Changes the record of addresses, and writes it if it has changed.
  func changePermalinks(_ change: (inout Permalinks) -> Void) throws(PipelineError) {
    let before = try permalinks()
    var permalinks = before
    change(&permalinks)
    guard permalinks != before else { return }
    do {
      try AtomicFile.write(permalinks.bytes, to: "\(folder)/\(Permalinks.fileName)")
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Returns the record of the addresses at which threads were published; empty if the file is missing.
  func permalinks() throws(PipelineError) -> Permalinks {
    let path = "\(folder)/\(Permalinks.fileName)"
    guard FileSystem.kind(of: path) != .nothing else { return Permalinks() }
    do {
      return try Permalinks(JSONValue(parsing: try FileBytes.read(path)), file: path)
    } catch let error as SiteOutputError {
      throw PipelineError(error)
    } catch let error as JSONError {
      throw PipelineError(
        .content, [error.description(file: path) + "; take the file back from version control"])
    } catch let error as FileError {
      throw PipelineError(error, about: .content)
    } catch {
      throw PipelineError(.io, error)
    }
  }
}
