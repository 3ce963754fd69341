import Basics
import MarkdownHTML
import SearchIndex
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadModel

/// The result of rendering a thread, except its page's body, its Markdown and its words for the search: the data for its page, other threads' pages,
/// lists and feeds.
///
/// It depends on the thread's file, its settings, its people, its address, the templates, and the answers to its questions about the rest of the
/// site. A build therefore reuses it from the previous one if none of these has changed.
package struct BuiltThread: Sendable {
  var summary: ThreadSummary
  /// The thread's author.
  var author: AuthorID
  /// The address of the thread on its network.
  var sourceURL: String?
  /// The same thread on other networks.
  var copies: [ThreadPage.Copy] = []
  /// The beginning of its text, including its title.
  var beginning = ""
  /// Whether its heading consists of the first words of its text.
  var headingIsText = false
  /// The hosts from which the page loads media.
  var mediaHosts: [String]
  /// The table of contents.
  var contents: [ContentsEntry]
  var actions: PostActions?
  /// The files of the store's media folder that the page shows; sorted.
  package var mediaFiles: [String]
  var missingAltTexts: Int
  /// The hours in which the author's posts were written.
  var hours: [PostCounts.Hour]
  /// The questions about other threads, with their answers.
  var lookups: [Lookup]
  /// The posts that the page shows as separate posts, for links from other threads; sorted.
  var shownPosts: [PostID]

  /// A question about the rest of the site, with its answer.
  struct Lookup: Sendable, Hashable {
    let question: SitePages.Question
    let answer: SitePages.Place?
  }

  /// The pages of other threads that it quotes or to which it links.
  var linkedPages: Set<SitePath> {
    Set(
      lookups.compactMap { lookup in
        if case .author = lookup.question { nil } else { lookup.answer?.page }
      })
  }

  /// Returns a digest of everything that other threads can learn by asking where a post or an author is shown.
  ///
  /// - Parameter keys: the keys of the thread's file.
  func placeDigest(_ keys: ConversationKeys) -> UInt64 {
    var bytes = ByteWriter(capacity: 64 * (keys.ownPosts.count + shownPosts.count + 4))
    bytes.write(keys.id)
    bytes.write(keys.authorID)
    bytes.write(keys.ownPosts) { $0.write($1) }
    bytes.write(summary.path.text)
    bytes.write(shownPosts) { $0.write($1) }
    return ContentHash.value(ofMany: bytes.bytes)
  }

  /// Returns the page, without the data about related threads.
  func page(_ html: DocumentHTML) -> ThreadPage {
    var page = ThreadPage(
      summary: summary, header: html.header, body: html.body, sourceURL: sourceURL, mediaHosts: mediaHosts)
    page.copies = copies
    page.beginning = beginning
    page.headingIsText = headingIsText
    page.contents = contents
    page.actions = actions
    return page
  }
}

/// The data that a build keeps of one file of the store for the next build, except the words for the search.
struct ThreadRecord: Sendable {
  var keys: ConversationKeys
  /// `nil` for a thread without a page.
  var built: Built?

  struct Built: Sendable {
    var thread: BuiltThread
    /// A digest of the settings in site.yml for the thread.
    var settings: UInt64
    /// The people whose names and pages may be on the thread's page.
    var people: [AuthorID]
    /// A digest of those names and pages.
    var peopleDigest: UInt64
    /// Set if posts of the thread were removed or are hidden, which may change the page's address.
    var lostWords: Permalinks.LostWords?
  }

  init(keys: ConversationKeys, built: Built? = nil) {
    self.keys = keys
    self.built = built
  }

  /// Returns the keys of the thread from the bytes of a record.
  static func keys(in bytes: [UInt8]) throws(ByteReader.Truncated) -> ConversationKeys {
    var reader = ByteReader(bytes)
    return try reader.conversationKeys()
  }

  init(_ bytes: [UInt8]) throws(ByteReader.Truncated) {
    var reader = ByteReader(bytes)
    keys = try reader.conversationKeys()
    guard try reader.integer() == 1 else { return }
    built = Built(
      thread: try reader.builtThread(),
      settings: UInt64(bitPattern: Int64(try reader.integer())),
      people: try reader.list { (reader) throws(ByteReader.Truncated) in try reader.networkID() },
      peopleDigest: UInt64(bitPattern: Int64(try reader.integer())),
      lostWords: try reader.optionalString().map(Permalinks.LostWords.init))
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: 4096)
    writer.write(keys)
    guard let built else {
      writer.write(0)
      return writer.bytes
    }
    writer.write(1)
    writer.write(built.thread)
    writer.write(Int(Int64(bitPattern: built.settings)))
    writer.write(built.people) { $0.write($1) }
    writer.write(Int(Int64(bitPattern: built.peopleDigest)))
    writer.write(built.lostWords?.beginning)
    return writer.bytes
  }
}

extension SearchTerms {
  /// Reads a record in the form that a build stores.
  init(_ bytes: [UInt8]) throws(ByteReader.Truncated) {
    var reader = ByteReader(bytes)
    self.init(
      url: try reader.string(), record: try reader.bytes(), length: try reader.integer(),
      titleLength: try reader.integer(), log: try reader.bytes())
  }

  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: url.utf8.count + record.count + log.count + 16)
    writer.write(url)
    writer.write(record)
    writer.write(length)
    writer.write(titleLength)
    writer.write(log)
    return writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ thread: BuiltThread) {
    write(thread.summary)
    write(thread.author)
    write(thread.sourceURL)
    write(thread.copies) { bytes, copy in
      bytes.write(copy.platform.rawValue)
      bytes.write(copy.url)
    }
    write(thread.beginning)
    write(thread.headingIsText ? 1 : 0)
    write(thread.mediaHosts) { $0.write($1) }
    write(thread.contents) { bytes, entry in
      bytes.write(entry.title)
      bytes.write(entry.anchor)
      bytes.write(entry.number ?? 0)
      bytes.write(entry.branch)
    }
    write(thread.actions.map { [$0] } ?? []) { bytes, actions in
      bytes.write(actions.like)
      bytes.write(actions.repost)
      bytes.write(actions.reply)
    }
    write(thread.mediaFiles) { $0.write($1) }
    write(thread.missingAltTexts)
    write(thread.hours) { bytes, hour in
      bytes.write(hour.number)
      bytes.write(hour.posts)
    }
    write(thread.lookups) { bytes, lookup in
      bytes.write(lookup.question)
      bytes.write(lookup.answer.map { [$0] } ?? []) { bytes, place in
        bytes.write(place.page.text)
        bytes.write(place.post.map { [$0] } ?? []) { $0.write($1) }
      }
    }
    write(thread.shownPosts) { $0.write($1, near: thread.summary.id) }
  }

  private mutating func write(_ question: SitePages.Question) {
    switch question {
    case .post(let post, in: let conversation, by: let writer):
      write(0)
      write(post)
      write(conversation)
      write(writer.map { [$0] } ?? []) { $0.write($1) }
    case .postNamed(let name, by: let writer):
      write(1)
      write(name)
      write(writer)
    case .author(let account):
      write(2)
      write(account)
    }
  }

  private mutating func write(_ account: AccountReference) {
    write(account.platform.rawValue)
    write(account.handle)
    write(account.instance)
    write(account.authorID.map { [$0] } ?? []) { $0.write($1) }
  }

  private mutating func write(_ summary: ThreadSummary) {
    write(summary.id)
    write(summary.path.text)
    write(summary.title)
    write(summary.excerpt)
    write(summary.author.platform.rawValue)
    write(summary.author.handle)
    write(summary.author.name)
    write(summary.author.emoji.sorted { $0.key < $1.key }) { bytes, emoji in
      bytes.write(emoji.key)
      bytes.write(emoji.value)
    }
    write(summary.author.url)
    write(summary.author.path.text)
    write(summary.author.isHiddenFromSearch ? 1 : 0)
    write(summary.published)
    write(summary.updated)
    write(summary.tags) { $0.write($1.name) }
    write(summary.postCount)
    write(summary.readingMinutes)
    write(summary.likes.map { [$0] } ?? []) { $0.write($1) }
    write(summary.language)
    write(summary.isWhole ? 1 : 0)
    write(summary.isHiddenFromSearch ? 1 : 0)
    write(summary.image.map { [$0] } ?? []) { bytes, image in
      bytes.write(image.source)
      bytes.write(image.size?.width ?? 0)
      bytes.write(image.size?.height ?? 0)
      bytes.write(image.altText)
    }
    write(summary.thumbnail.map { [$0] } ?? []) { $0.write($1) }
  }

  private mutating func write(_ image: SummaryImage) {
    switch image {
    case .remote(let url):
      write(0)
      write(url)
    case .stored(let path):
      write(1)
      write(path.text)
    }
  }
}

extension ByteReader {
  fileprivate mutating func builtThread() throws(Truncated) -> BuiltThread {
    let summary = try summary()
    return BuiltThread(
      summary: summary, author: try networkID(), sourceURL: try optionalString(),
      copies: try list { (bytes) throws(Truncated) in
        ThreadPage.Copy(platform: Platform(rawValue: try bytes.string()), url: try bytes.string())
      },
      beginning: try string(), headingIsText: try integer() == 1,
      mediaHosts: try list { (bytes) throws(Truncated) in try bytes.string() },
      contents: try list { (bytes) throws(Truncated) in
        let (title, anchor, number) = (try bytes.string(), try bytes.string(), try bytes.integer())
        return ContentsEntry(
          title: title, anchor: anchor, number: number == 0 ? nil : number, branch: try bytes.optionalString()
        )
      },
      actions: try optional { (bytes) throws(Truncated) in
        PostActions(like: try bytes.string(), repost: try bytes.string(), reply: try bytes.string())
      },
      mediaFiles: try list { (bytes) throws(Truncated) in try bytes.string() },
      missingAltTexts: try integer(),
      hours: try list { (bytes) throws(Truncated) in
        PostCounts.Hour(number: try bytes.integer(), posts: try bytes.integer())
      },
      lookups: try list { (bytes) throws(Truncated) in
        BuiltThread.Lookup(
          question: try bytes.question(),
          answer: try bytes.optional { (bytes) throws(Truncated) in
            SitePages.Place(
              page: SitePath(try bytes.string()),
              post: try bytes.optional { (bytes) throws(Truncated) -> PostID in try bytes.networkID() })
          })
      },
      shownPosts: try list { (bytes) throws(Truncated) in try bytes.networkID(near: summary.id) })
  }

  fileprivate mutating func question() throws(Truncated) -> SitePages.Question {
    switch try integer() {
    case 0:
      return .post(
        try networkID(), in: try networkID(),
        by: try optional { (bytes) throws(Truncated) in try bytes.account() })
    case 1: return .postNamed(try string(), by: try account())
    default: return .author(try account())
    }
  }

  private mutating func account() throws(Truncated) -> AccountReference {
    AccountReference(
      platform: Platform(rawValue: try string()), handle: try string(), instance: try optionalString(),
      authorID: try optional { (bytes) throws(Truncated) -> AuthorID in try bytes.networkID() })
  }

  private mutating func summary() throws(Truncated) -> ThreadSummary {
    let (id, path, title, excerpt): (PostID, SitePath, String, String) = (
      try networkID(), SitePath(try string()), try string(), try string()
    )
    let platform = Platform(rawValue: try string())
    let (handle, name) = (try optionalString(), try string())
    let emoji = try list { (bytes) throws(Truncated) in
      (code: try bytes.string(), picture: try bytes.image())
    }
    var author = AuthorSummary(
      platform: platform, handle: handle, name: name, url: try optionalString(), path: SitePath(try string()))
    author.emoji = Dictionary(emoji.map { ($0.code, $0.picture) }) { first, _ in first }
    author.isHiddenFromSearch = try integer() == 1
    let (published, updated) = (try timestamp(), try timestamp())
    let tags = try list { (bytes) throws(Truncated) in try bytes.string() }
    let (posts, minutes) = (try integer(), try integer())
    let likes = try optional { (bytes) throws(Truncated) in try bytes.integer() }
    var summary = ThreadSummary(
      id: id, path: path, title: title, excerpt: excerpt, author: author, published: published,
      updated: updated, tags: tags, postCount: posts, language: try optionalString(),
      isWhole: try integer() == 1, image: nil)
    summary.isHiddenFromSearch = try integer() == 1
    summary.image =
      try optional { (bytes) throws(Truncated) in
        let source = try bytes.image()
        let (width, height) = (try bytes.integer(), try bytes.integer())
        return PreviewImage(
          source, size: PreviewImage.Size(width: width, height: height),
          altText: try bytes.optionalString())
      }
    summary.thumbnail = try optional { (bytes) throws(Truncated) in try bytes.image() }
    summary.readingMinutes = minutes
    summary.likes = likes
    return summary
  }

  private mutating func image() throws(Truncated) -> SummaryImage {
    try integer() == 0 ? .remote(try string()) : .stored(SitePath(try string()))
  }
}
