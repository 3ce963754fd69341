import NetworkSources
import SitePipeline
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Unroll

/// A thread in reading order, whatever network it is from.
///
/// Every character is as its author wrote it: `Post.text` is the text, not Markdown and not HTML. What a page makes of it comes from a
/// ``ThreadRenderer``.
public struct PostThread: Sendable, Identifiable {
  /// A post of the thread's main line.
  public struct Post: Sendable, Identifiable {
    /// As the network has it.
    public let id: String
    /// Without the network's escapes; its short links are the addresses that they lead to.
    public let text: String
    /// When it was written: milliseconds since 1970, UTC. `nil` where nobody knows.
    public let createdAt: Int64?
    /// Pictures, videos and sounds.
    public let mediaCount: Int
  }

  /// The id of the conversation's first post, as the network has it.
  public let id: String
  /// Such as "x", "bluesky" or "mastodon".
  public let platform: String
  /// Without the "@"; `nil` where the file does not say it.
  public let handle: String?
  /// What the author calls themselves; `nil` where the file does not say it.
  public let authorName: String?
  /// In reading order. Where a post is missing, the one behind it follows; ``isWhole`` tells.
  public let posts: [Post]
  /// Whether nothing of the thread is known to be missing.
  public let isWhole: Bool

  let unrolled: UnrolledThread

  init(_ conversation: Conversation) {
    unrolled = UnrolledThread(unrolling: conversation)
    id = unrolled.id.value
    platform = unrolled.id.platform.rawValue
    handle = unrolled.author.handle
    authorName = unrolled.author.name
    posts = unrolled.mainPosts.map {
      Post(
        id: $0.post.id.value, text: $0.post.text.text, createdAt: $0.post.createdAt?.milliseconds,
        mediaCount: $0.post.media.count)
    }
    isWhole = unrolled.completeness.isWhole
  }

  /// The thread in a file of a store, such as `threads/x/ada/1500.json`.
  ///
  /// - Parameters:
  ///   - bytes: of the file, whose format `docs/conversation.schema.json` describes.
  ///   - file: its name, for errors.
  /// - Throws: where it is no such file, with line and column.
  public init(stored bytes: [UInt8], file: String) throws(ThreadsiteError) {
    do {
      self.init(try ConversationCoding.decode(bytes, file: file))
    } catch {
      throw ThreadsiteError("\(error)")
    }
  }

  /// The threads in answers of a network's API that somebody saved: of X's API, versions 1.1 and 2, as one document or one a line.
  ///
  /// - Parameter files: their names, for errors, and their bytes. Posts of one thread may be spread over several.
  /// - Returns: the threads with posts by their author, in the order of their ids.
  /// - Throws: where a file holds no posts.
  public static func saved(
    _ files: [(name: String, bytes: [UInt8])]
  ) throws(ThreadsiteError) -> [PostThread] {
    guard let answers = NetworkRegistry.all.networks.lazy.compactMap(\.savedAnswers).first else { return [] }
    return try threads(of: answers, files)
  }

  private static func threads<Answers: SavedAnswers>(
    of answers: Answers.Type, _ files: [(name: String, bytes: [UInt8])]
  ) throws(ThreadsiteError) -> [PostThread] {
    var answers = Answers()
    for file in files {
      do {
        try answers.take(file.bytes, file: file.name)
      } catch {
        throw ThreadsiteError("\(error)")
      }
    }
    let parts = answers.parts
    return answers.grouped(with: []).groups
      .flatMap { group in Answers.resolve(group.members.map { parts[$0] }, as: group.id) }
      .sorted { $0.id < $1.id }
      .map(PostThread.init)
      .filter { !$0.posts.isEmpty }
  }
}

/// What went wrong: what, where and what to do, as a person reads it.
public struct ThreadsiteError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
