import Basics
import ExportFormats
import MediaMirror
import Synchronization
import ThreadModel
import ThreadStore

/// The store's media on their way into an export: what a file is, its bytes say and not its name.
final class ExportedMedia: Sendable {
  private struct State {
    /// The types of the files that were looked at; `nil` for those that are not taken.
    var types: [String: MediaType?] = [:]
    var problems: [String: String] = [:]
  }

  private let store: ThreadStore
  private let takes: Set<MediaType>
  private let format: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - takes: types that the format has a place for.
  ///   - format: its name, for messages.
  init(_ store: ThreadStore, taking takes: Set<MediaType>, into format: String) {
    self.store = store
    self.takes = takes
    self.format = format
  }

  /// What of the files that were asked for is left out and why, sorted.
  var problems: [String] { state.withLock { $0.problems.values.sorted() } }

  /// The conversation with those files alone that can be taken along: what loses its file is shown as a page shows what the store has no
  /// copy of, in words and with a link.
  ///
  /// - Parameter families: what is wanted at all; the rest is no loss to be told of.
  func taken(_ conversation: Conversation, _ families: Set<MediaType.Family>) -> Conversation {
    var result = conversation
    func kept(_ file: String?, _ family: MediaType.Family = .image) -> String? {
      families.contains(family) ? file.flatMap { type(of: $0) == nil ? nil : $0 } : nil
    }
    func kept(_ emoji: [CustomEmoji]) -> [CustomEmoji] {
      emoji.map { CustomEmoji(shortcode: $0.shortcode, url: $0.url, file: kept($0.file)) }
    }
    func kept(_ post: Post) -> Post {
      guard !post.media.isEmpty || post.card?.imageFile != nil || !post.emoji.isEmpty else { return post }
      var facts = post.facts
      facts.media = post.media.map { medium in
        var medium = medium
        let family: MediaType.Family =
          medium.kind == .photo ? .image : medium.kind == .audio ? .audio : .video
        medium.file = kept(medium.file, family)
        medium.posterFile = kept(medium.posterFile)
        medium.sizes = []
        medium.captions = medium.captions.map { captions in
          var captions = captions
          captions.file = kept(captions.file, .captions)
          return captions
        }
        return medium
      }
      if let file = post.card?.imageFile { facts.card?.imageFile = kept(file) }
      facts.emoji = kept(post.emoji)
      return Post(facts)
    }
    result.posts = conversation.posts.map(kept)
    result.related = conversation.related.map(kept)
    result.authors = conversation.authors.map { author in
      guard author.avatarFile != nil || !author.emoji.isEmpty else { return author }
      var author = author
      author.avatarFile = kept(author.avatarFile)
      author.emoji = kept(author.emoji)
      return author
    }
    return result
  }

  /// What a file is; `nil` for one that is not taken along.
  func type(of name: String) -> MediaType? {
    if let known = state.withLock({ $0.types[name] }) { return known }
    var type: MediaType?
    var problem: String?
    do throws(PipelineError) {
      _ = try PublishedMedia.open(name, of: store, type: &type)
      if let found = type, !takes.contains(found) {
        type = nil
        problem = "\(name): \(format) has no place for \(found.rawValue.uppercased()), so a link stands there"
      }
    } catch {
      problem = Self.words(error)
    }
    // Two workers may both come here, and find the same.
    state.withLock { state in
      state.types[name] = .some(type)
      if let problem { state.problems[name] = problem }
    }
    return type
  }

  /// A mistake in a picture is none of the whole export.
  private static func words(_ error: PipelineError) -> String {
    error.messages.map { $0.replacing("error: ", with: "") }.joined(separator: "\n")
  }

  /// A picture's content.
  func picture(_ name: String) throws(ExportFormatError) -> BookPicture {
    var type: MediaType?
    do {
      let file = try PublishedMedia.open(name, of: store, type: &type)
      if let type, takes.contains(type) {
        return BookPicture(name: name, type: type.mimeType, bytes: try file.bytes())
      }
    } catch {
      throw .changed(name)
    }
    throw .changed(name)
  }
}
