import Basics
import MarkdownHTML
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// Links to archived copies, which a page has only for posts that nobody removed.
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
    for items in Self.places(Self.missing(reason)) {
      let copies = try Self.copies(of: items)
      #expect(copies.count == (isAllowed ? 1 : 0), "\(reason)")
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
}
