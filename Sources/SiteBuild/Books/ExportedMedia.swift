import Basics
package import ExportFormats
package import MediaMirror
import SiteWorkspace
import Synchronization
package import ThreadModel
package import ThreadStore

/// The store's media for an export. A file's type is determined by its bytes, not by its name.
package final class ExportedMedia: Sendable {
  private struct State {
    /// The types of the checked files; `nil` for files that are not exported.
    var types: [String: MediaType?] = [:]
    var problems: [String: String] = [:]
  }

  private let store: ThreadStore
  private let takes: Set<MediaType>
  private let format: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - takes: the types that the format supports.
  ///   - format: the format's name, for messages.
  package init(_ store: ThreadStore, taking takes: Set<MediaType>, into format: String) {
    self.store = store
    self.takes = takes
    self.format = format
  }

  /// The requested files that are left out, with the reasons, sorted.
  package var problems: [String] { state.withLock { $0.problems.values.sorted() } }

  /// Returns the conversation with only the files that can be exported. Media without a file are shown as words and a link, like media
  /// without a copy on a page.
  ///
  /// - Parameter families: the wanted families of media. Omitting others is not reported.
  package func taken(_ conversation: Conversation, _ families: Set<MediaType.Family>) -> Conversation {
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

  /// Returns the type of a file; `nil` if it is not exported.
  package func type(of name: String) -> MediaType? {
    if let known = state.withLock({ $0.types[name] }) { return known }
    var type: MediaType?
    var problem: String?
    do throws(PipelineError) {
      _ = try PublishedMedia.open(name, of: store, type: &type)
      if let found = type, !takes.contains(found) {
        type = nil
        problem =
          "\(name): \(format) does not support \(found.rawValue.uppercased()); the export contains a link instead"
      }
    } catch {
      problem = Self.words(error)
    }
    // Two workers may both reach this point, with the same result.
    state.withLock { state in
      state.types[name] = .some(type)
      if let problem { state.problems[name] = problem }
    }
    return type
  }

  /// Returns a message for a problem with one picture, without the prefix of errors that stop the export.
  private static func words(_ error: PipelineError) -> String {
    error.messages.map { $0.replacing("error: ", with: "") }.joined(separator: "\n")
  }

  /// Returns the contents of a picture.
  package func picture(_ name: String) throws(ExportFormatError) -> BookPicture {
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
