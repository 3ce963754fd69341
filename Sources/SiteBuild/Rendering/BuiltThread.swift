import Basics
import MarkdownHTML
import SearchIndex
import SiteConfig
package import SiteOutput
import SiteWorkspace
import ThreadModel

/// The result of rendering a thread, except its page's body, its Markdown and its words for the search: the data for its page, other
/// threads' pages, lists and feeds.
///
/// It depends on the thread's file, its settings, its people, its URL, the templates, and the results of its lookups in the rest of the
/// site. A build reuses it from the previous build if none of these has changed.
package struct BuiltThread: Sendable {
  /// The page, without the HTML and the related threads.
  package var page: ThreadPage
  /// The thread's author.
  var author: AuthorID
  /// The files of the store's media folder that the page shows; sorted.
  package var mediaFiles: [String]
  var missingAltTexts: Int
  /// The hours in which the author's posts were written.
  var hours: [PostCounts.Hour]
  /// The lookups of other threads, with their results.
  var lookups: [Lookup]
  /// The posts that the page shows as separate posts, for links from other threads; sorted.
  var shownPosts: [PostID]
  /// Hashes of the words by which the thread is compared with others (``SearchTerms/topics``); empty on a site without a search.
  var topics: [UInt32] = []

  /// A lookup in the rest of the site, with its result.
  struct Lookup: Sendable, Hashable {
    let question: SitePages.Question
    let answer: SitePages.Place?
  }

  var summary: ThreadSummary { page.summary }

  /// The pages of other threads that it quotes or to which it links.
  var linkedPages: Set<SitePath> {
    Set(
      lookups.compactMap { lookup in
        if case .author = lookup.question { nil } else { lookup.answer?.page }
      })
  }

}

extension BuiltThread: Record {
  static let fields = RecordFields(
    Self.init, \.page, \.author, \.mediaFiles, \.missingAltTexts, \.hours, \.lookups, \.shownPosts, \.topics)
}

extension BuiltThread.Lookup: Record {
  static let fields = RecordFields(Self.init, \.question, \.answer)
}

extension SitePages.Place: Record {
  static let fields = RecordFields(Self.init(page:post:content:), \.page, \.post, \.content)
}

extension SitePages.Question: ByteCodable {
  init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    switch try reader.integer() {
    case 0: self = .post(try reader.value(), in: try reader.value(), by: try reader.value())
    case 1: self = .postNamed(try reader.value(), by: try reader.value())
    case 3: self = .embedded(try reader.value())
    default: self = .author(try reader.value())
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .post(let post, in: let conversation, by: let author):
      writer.write(0)
      writer.write(post)
      writer.write(conversation)
      writer.write(author)
    case .postNamed(let name, by: let author):
      writer.write(1)
      writer.write(name)
      writer.write(author)
    case .author(let account):
      writer.write(2)
      writer.write(account)
    case .embedded(let url):
      writer.write(3)
      writer.write(url)
    }
  }
}

/// The data about one file of the store that a build keeps for the next build, except the words for the search.
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
    /// Set if posts of the thread were removed or are hidden, which may change the page's URL.
    var lostWords: Permalinks.LostWords?
  }

  /// Returns the keys of the thread, which are first in the bytes of a record.
  static func keys(in bytes: [UInt8]) throws(ByteReader.Truncated) -> ConversationKeys {
    try ConversationKeys(byteCoding: bytes)
  }
}

extension ThreadRecord.Built {
  /// Returns whether the page of the same conversation would still show the same posts under the same title at the same place. The data about
  /// other threads are not compared.
  func isCurrent(
    stem: String, _ settings: ThreadSelection.Settings, _ selection: ThreadSelection,
    _ authors: AuthorDirectory, _ permalinks: Permalinks
  ) -> Bool {
    self.settings == settings.digest(copies: selection.copies(settings))
      && peopleDigest == authors.digest(of: people)
      && permalinks.page(
        of: stem, title: thread.summary.title, slug: settings.slug, losingWords: lostWords)
        == thread.summary.path
  }
}

extension ThreadRecord: Record {
  static let fields = RecordFields(Self.init, \.keys, \.built)
}

extension ThreadRecord.Built: Record {
  static let fields = RecordFields(
    Self.init, \.thread, \.settings, \.people, \.peopleDigest, \.lostWords)
}
