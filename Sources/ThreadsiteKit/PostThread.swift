import NetworkSources
import SiteBuild
import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Unroll

/// A thread of any network, in reading order.
///
/// `Post.text` is the text as its author wrote it, with short links replaced by their targets. It is plain text, not Markdown or HTML. A
/// ``ThreadRenderer`` renders a thread as Markdown and HTML.
public struct PostThread: Sendable, Identifiable {
  /// A post of the thread's main line.
  public struct Post: Sendable, Hashable, Identifiable {
    /// The network's ID of the post.
    public let id: String
    /// The text, without the network's escapes; short links are replaced by their targets.
    public let text: String
    /// The time when the post was written, in milliseconds since 1970, UTC; `nil` if it is unknown.
    public let createdAt: Int64?
    /// The URL of the post at its network; `nil` if it is unknown.
    public let url: String?
    /// A BCP 47 tag, guessed by the network or stated by the author.
    public let language: String?
    /// The hashtags in the text, without "#", in their order.
    public let hashtags: [String]
    /// The author's warning before the post.
    public let contentWarning: String?
    /// The images, videos and sound files.
    public let media: [PostMedia]
    public let poll: PostPoll?
    public let quote: PostQuote?

    /// The number of images, videos and sound files.
    public var mediaCount: Int { media.count }

    init(_ post: ThreadModel.Post, quote: Quote?) {
      id = post.id.value
      text = post.text.text
      createdAt = post.createdAt?.milliseconds
      url = post.url
      language = post.language
      hashtags = post.text.entities.compactMap { entity in
        if case .hashtag(let tag, _) = entity.kind { tag } else { nil }
      }
      contentWarning = post.contentWarning
      media = post.media.map(PostMedia.init)
      poll = post.poll.map(PostPoll.init)
      self.quote = quote.map(PostQuote.init)
    }
  }

  /// The network's ID of the conversation's first post.
  public let id: String
  /// The URL of the first post at its network; `nil` if it is unknown.
  public let url: String?
  /// The time of the first post, in milliseconds since 1970, UTC; `nil` if it is unknown.
  public let createdAt: Int64?
  /// The time of the last post of the main line, in milliseconds since 1970, UTC; `nil` if it is unknown.
  public let lastPostAt: Int64?
  /// The language of the author's posts as a BCP 47 tag; `nil` if it is unknown.
  public let language: String?
  /// The hashtags of all the author's posts, in reading order and without "#". If a tag has several spellings, the first is used.
  public let tags: [String]
  /// The post that the first post answers, if the thread begins as a reply.
  public let answered: PostQuote?
  /// The name of the network, such as "x", "bluesky" or "mastodon".
  public let platform: String
  /// The author's handle, without the "@"; `nil` if the file does not contain it.
  public let handle: String?
  /// The author's display name; `nil` if the file does not contain it.
  public let authorName: String?
  /// The posts of the main line in reading order. Missing posts are left out; see ``isWhole``.
  public let posts: [Post]
  /// Whether no post of the thread is known to be missing.
  public let isWhole: Bool

  let unrolled: UnrolledThread

  init(_ conversation: Conversation) {
    unrolled = UnrolledThread(unrolling: conversation)
    id = unrolled.id.value
    platform = unrolled.id.platform.rawValue
    handle = unrolled.author.handle
    authorName = unrolled.author.name
    posts = unrolled.mainPosts.map { Post($0.post, quote: $0.quote) }
    url = unrolled.sourceURL
    createdAt = posts.first?.createdAt
    lastPostAt = posts.compactMap(\.createdAt).max()
    language = unrolled.language
    tags = ThreadTags.make(from: unrolled)
    answered = unrolled.context.map(PostQuote.init)
    isWhole = unrolled.completeness.isWhole
  }

  /// Reads the thread from a file of a store, such as `threads/x/ada/1500.json`.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the file, whose format `docs/conversation.schema.json` describes.
  ///   - file: the name of the file, for errors.
  /// - Throws: ``ThreadsiteError`` with line and column if the file is invalid.
  public init(stored bytes: [UInt8], file: String) throws(ThreadsiteError) {
    do {
      self.init(try ConversationCoding.decode(bytes, file: file))
    } catch {
      throw ThreadsiteError(error)
    }
  }

  /// Reads the threads from saved responses of the APIs of X (versions 1.1 and 2) and Threads. A file contains one JSON document, or one
  /// per line.
  ///
  /// - Parameter files: the names of the files, for errors, and their bytes. Posts of one thread may be in several files.
  /// - Returns: the threads with posts by their author, by network and in the order of their IDs.
  /// - Throws: ``ThreadsiteError`` if a file contains no posts.
  public static func saved(
    _ files: [(name: String, bytes: [UInt8])]
  ) throws(ThreadsiteError) -> [PostThread] {
    var result: [PostThread] = []
    for answers in NetworkRegistry.all.savedAnswers {
      let own = files.filter { NetworkRegistry.all.savedAnswers(in: $0.bytes)?.platform == answers.platform }
      result += try threads(of: answers, own)
    }
    return result
  }

  private static func threads<Answers: SavedAnswers>(
    of answers: Answers.Type, _ files: [(name: String, bytes: [UInt8])]
  ) throws(ThreadsiteError) -> [PostThread] {
    var answers = Answers()
    for file in files {
      do {
        try answers.take(file.bytes, file: file.name)
      } catch {
        throw ThreadsiteError(error.kind == .file ? .file : .content, error)
      }
    }
    let parts = answers.removeParts()
    return answers.grouped(with: []).groups
      .flatMap { group in Answers.resolve(group.members.map { parts[$0] }, as: group.id) }
      .sorted { $0.id < $1.id }
      .map(PostThread.init)
      .filter { !$0.posts.isEmpty }
  }
}
