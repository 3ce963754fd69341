import Files
import JSONText
import SiteOutput
import ThreadModel
import ThreadStore

/// Threads of an archive whose beginning the archive lacks.
///
/// An archive does not say which conversation a post is in. A chain whose first post is missing there is kept under the post that it
/// answers; X knows where the conversation begins.
extension XJob {
  /// Whether the conversation's id is a guess that X may correct.
  func hasGuessedID(_ conversation: Conversation) -> Bool {
    conversation.provenance.allSatisfy { $0.source == .xArchive } && !conversation.provenance.isEmpty
      && !conversation.posts.contains { $0.id == conversation.id }
  }

  /// Joins what the archive brought to the conversation that it belongs to, and keeps the page's address.
  func join(_ known: Conversation, in file: StoredFile, to fetched: [Conversation]) async {
    let posts = Set(known.posts.map(\.id))
    guard
      let home = fetched.first(where: { conversation in
        conversation.authorID == known.authorID && conversation.id != known.id
          && conversation.posts.contains { posts.contains($0.id) }
      })
    else { return }
    do {
      let new = try await keeper.join(file, known, to: home.id)
      try keepAddress(of: file, for: new)
      progress(.note("\(file.path) is a part of \(new.path), and was joined to it"))
    } catch {
      tally.fail(error, stops: error.kind == .io)
    }
  }

  /// Where the joined thread was published, the whole one is: addresses do not change.
  private func keepAddress(of old: StoredFile, for new: StoredFile) throws(PipelineError) {
    let path = "\(site.store)/\(Permalinks.fileName)"
    guard FileSystem.kind(of: path) != .nothing else { return }
    do {
      var permalinks = try Permalinks(JSONValue(parsing: try FileBytes.read(path)), file: path)
      guard let address = permalinks[old.stem], permalinks[new.stem] == nil else { return }
      permalinks[new.stem] = address
      permalinks[old.stem] = nil
      try AtomicFile.write(permalinks.bytes, to: path)
    } catch let error as SiteOutputError {
      throw PipelineError(error)
    } catch let error as JSONError {
      throw PipelineError(.content, [error.description(file: path)])
    } catch let error as FileError {
      throw PipelineError(error, about: .content)
    } catch {
      throw PipelineError(.io, error)
    }
  }
}
