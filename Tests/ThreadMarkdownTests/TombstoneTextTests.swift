import InterfaceText
import TestSupport
import Testing
import ThreadModel

@testable import ThreadMarkdown

/// The sentences about missing posts. The store has a code, and the page has the site's language.
@Suite struct TombstoneTextTests {
  private static let languages = ["en", "de", "fr", "es", "ja", "ar"]

  private static func sentence(
    _ reason: TombstoneReason, in words: Localization, on platform: Platform = .bluesky
  ) -> String {
    Tombstone(id: PostID("1", on: platform), reason: reason).sentence(on: .subjectQuoted, in: words)
  }

  static let sentences: [(TombstoneReason, String)] = [
    (.signedInOnly, "The quoted post is visible only to people who are signed in to Bluesky."),
    (.deactivated, "The quoted post is not available, because its author deactivated the account."),
    (.detached, "The quoted post was removed from this quote by its author."),
    (.quotePending, "The quoted post is not shown, because its author has not yet agreed to be quoted."),
    (.quoteRejected, "The quoted post is not shown, because its author did not agree to be quoted."),
    (.quoteRevoked, "The quoted post is not shown, because its author no longer agrees to be quoted."),
    (.notShown, "The quoted post is not shown by its server."),
    (.answeredGone, "The quoted post is not available, because the post that it replies to is gone."),
    (.deleted, "The quoted post was deleted by its author."),
    ("eaten_by_a_dog", "The quoted post is not available (eaten_by_a_dog)."),
  ]

  @Test(arguments: sentences) func describesReasons(reason: TombstoneReason, words: String) throws {
    #expect(Self.sentence(reason, in: .english) == words)
  }

  /// The English sentence that earlier versions stored beside the code is no longer shown.
  @Test func codesReplaceStoredSentences() throws {
    let stone = Tombstone(
      id: PostID("1", on: .bluesky), reason: .detached, detail: "its author took it out of this quote")
    #expect(stone.sentence(on: .subjectQuoted, in: .installed("de")).contains("aus diesem Zitat"))
    let old = Tombstone(
      id: PostID("1", on: .mastodon), reason: .unknown, detail: "the server does not show it")
    #expect(
      old.sentence(on: .subjectQuoted, in: .installed("en"))
        == "The quoted post is not available (the server does not show it).")
  }

  @Test func everyLanguageHasItsOwnSentences() throws {
    let codes = Self.sentences.map(\.0).filter { $0 != "eaten_by_a_dog" }
    var all: Set<String> = []
    for language in Self.languages {
      let words = Localization.installed(language)
      for code in codes {
        let sentence = Self.sentence(code, in: words)
        #expect(!sentence.contains("_") && !sentence.contains("{"), "\(language): \(sentence)")
        #expect(all.insert(sentence).inserted, "\(language): \(sentence)")
      }
    }
  }
}
