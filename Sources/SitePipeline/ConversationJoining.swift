import Basics
import SiteOutput
import ThreadModel
import ThreadStore

/// Threads of an archive whose beginning the archive lacks.
///
/// An archive does not say which conversation a post is in. A chain whose first post is missing there is kept under the post that it
/// answers; X, and an archive that has the first post, know where the conversation begins.
extension Conversation {
  /// Whether the conversation's id is a guess that another source may correct.
  var hasGuessedID: Bool {
    provenance.allSatisfy { $0.source.isExport } && !provenance.isEmpty
      && !posts.contains { $0.id == id }
  }

  /// The same as a part of another conversation.
  func moved(to id: PostID) -> Conversation {
    var moved = self
    moved.id = id
    for index in moved.posts.indices { moved.posts[index].conversationID = id }
    return moved
  }
}

extension ThreadStore {
  /// Where a thread was published that is now in another file, it stays; where that file has an address already, the old one leads there.
  func keepAddresses(_ moves: [(old: StoredFile, new: StoredFile)]) throws(PipelineError) {
    guard !moves.isEmpty else { return }
    try changePermalinks { permalinks in
      for (old, new) in moves { permalinks.join(old.stem, to: new.stem) }
    }
  }

  /// Changes the record of addresses, and writes it where it is another then.
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

  /// The record of the addresses that threads were published at; an empty one where there is none.
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
