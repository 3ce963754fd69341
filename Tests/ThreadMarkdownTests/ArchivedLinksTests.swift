import Basics
import MarkdownHTML
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// Pages link to archived copies only of posts that were not removed.
@Suite struct ArchivedLinksTests {
  /// All reasons, and whether a page may link to an archived copy of a post that is missing for this reason.
  private static let reasons: [(reason: TombstoneReason, isAllowed: Bool)] = [
    (.unknown, true), (.notInArchive, true),
    (.deleted, false), (.protected, false), (.suspended, false), (.withheld, false), (.blocked, false),
    (.notFound, false), (.signedInOnly, false), (.deactivated, false), (.detached, false),
    (.quotePending, false), (.quoteRejected, false), (.quoteRevoked, false), (.notShown, false),
    (.answeredGone, false), (.leftOut, false), (.hidden, false),
    ("", false), ("a_later_reason", false), ("not_in_archive_", false),
  ]

  private static func missing(_ reason: TombstoneReason) -> Tombstone {
    var stone = Tombstone(id: PostID("40", on: .x), reason: reason)
    stone.handle = "c_babbage"
    return stone
  }

  private static func copies(
    of items: [ThreadItem], author: Author = Invented.ada, isOn: Bool = true
  ) throws -> [String] {
    var options = Components.options
    if isOn { options.archived = ArchivedLinks() }
    return try Components.tokens(
      of: Components.render(Invented.thread(items, author: author), options: options)
    ).startTags.compactMap { $0["href"] }.filter { $0.contains("web.archive.org") }
  }

  /// A gap, a quote, and a quote in a quote.
  private static func places(_ stone: Tombstone, by author: Author? = nil) -> [[ThreadItem]] {
    let outer = Invented.post("30", "Quoted", author: Invented.babbage)
    return [
      [.gap(Gap(stone)), .post(ThreadPost(Invented.post("10", "After a gap")))],
      [.post(ThreadPost(Invented.post("10", "Quoting"), quote: .tombstone(stone, author: author)))],
      [
        .post(
          ThreadPost(
            Invented.post("10", "Quoting"),
            quote: .post(outer, author: Invented.babbage, quote: .tombstone(stone, author: author))))
      ],
    ]
  }

  @Test(arguments: reasons) func onlyUnfetchedPostsHaveCopies(reason: TombstoneReason, isAllowed: Bool) throws
  {
    for (place, items) in Self.places(Self.missing(reason)).enumerated() {
      let copies = try Self.copies(of: items)
      // An archive has all posts of its account. So a post that the account's thread lacks was deleted.
      let isDeleted = place == 0 && reason == .notInArchive
      #expect(copies.count == (isAllowed && !isDeleted ? 1 : 0), "\(reason)")
      #expect(try Self.copies(of: items, isOn: false) == [], "\(reason)")
    }
  }

  /// A post was removed if it was in the store before, and may have been if the network explains its absence.
  @Test func removedPostsHaveNoCopies() throws {
    for reason: TombstoneReason in [.unknown, .notInArchive] {
      var stone = Self.missing(reason)
      stone.removedAt = Invented.time(60)
      for items in Self.places(stone) { #expect(try Self.copies(of: items) == []) }
    }
    var explained = Self.missing(.unknown)
    explained.detail = "Not authorized."
    for items in Self.places(explained) { #expect(try Self.copies(of: items) == []) }
  }

  /// The author's own archive lacks a post that the author quotes.
  @Test func deletedPostsOfTheAuthorHaveNoCopies() throws {
    var stone = Self.missing(.notInArchive)
    stone.authorID = Invented.ada.id
    for items in Self.places(stone) { #expect(try Self.copies(of: items) == []) }
    stone.authorID = nil
    stone.handle = Invented.ada.handle
    for items in Self.places(stone) { #expect(try Self.copies(of: items) == []) }
  }

  @Test func closedAndProtectedAccountsHaveNoCopies() throws {
    var closed = Invented.ada
    closed.removal = Removal(reason: .suspended)
    var protected = Invented.ada
    protected.isProtected = true
    for author in [closed, protected] {
      for items in Self.places(Self.missing(.notInArchive), by: author) {
        #expect(try Self.copies(of: items, author: author) == [])
      }
    }
  }

  @Test func theTimeOfThePostChoosesTheCopy() throws {
    var options = Components.options
    options.archived = ArchivedLinks()
    options.links = SampleLinks(archivedAt: Timestamp(milliseconds: 1_609_959_907_089))
    let markdown = try Components.render(
      Invented.thread(Self.places(Self.missing(.notInArchive))[1]), options: options
    ).markdown.string
    #expect(
      markdown.contains(
        "(https://web.archive.org/web/20210106190507/https://x.com/c_babbage/status/40)"), "\(markdown)")
  }

  /// URLs that a hand-edited record or a post may contain.
  @Test(arguments: [
    "javascript:alert(1)", "mailto:ada@example.com", "https://web.archive.org/web/2020/https://a.example/",
    "https:///nohost", "https://a.example/ b", "//a.example/",
  ])
  func otherURLsHaveNoCopies(url: String) throws {
    let post = Invented.post(
      "11", "Look here", entities: [TextEntity(5..<9, .link(url: url, short: nil))])
    var options = Components.options
    options.archived = ArchivedLinks(dead: [url])
    var carded = Invented.post("12", "Look")
    carded.card = LinkCard(url: url, title: "Card")
    let document = try Components.render(
      Invented.thread([Invented.post("10", "First"), post, carded]), options: options)
    #expect(!document.markdown.string.contains("[archived]"))
    #expect(!document.markdown.string.contains("Archived copy"))
  }

  @Test func aTextHasFewMarks() throws {
    let words = (0..<300).map { "https://a.example/\($0)" }
    let text = words.joined(separator: " ")
    let post = Invented.post(
      "11", text, entities: words.map { Invented.entity($0, in: text, .link(url: $0, short: nil)) })
    var options = Components.options
    options.archived = ArchivedLinks(dead: words)
    let markdown = try Components.render(
      Invented.thread([Invented.post("10", "First"), post]), options: options
    ).markdown.string
    #expect(markdown.split(separator: "([archived](").count - 1 == 100)
  }

  @Test func theMarkIsNamedInTheHTML() throws {
    let sample = Samples.deadLinks
    var options = Components.options
    options.archived = ArchivedLinks(dead: ["https://old.example/%C3%A4_page"])
    let html = try Components.html(of: Components.render(Invented.thread(sample), options: options))
    #expect(html.contains("aria-label=\"archived: old.example\">archived</a>)!"), "\(html)")
  }
}
