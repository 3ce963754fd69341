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
    (.signedInOnly, "The quoted post is shown only to people who are signed in to Bluesky."),
    (.deactivated, "The quoted post went with its author's account, which they deactivated."),
    (.detached, "The quoted post was taken out of this quote by its author."),
    (.quotePending, "The quoted post is not shown, because its author has not agreed to be quoted yet."),
    (.quoteRejected, "The quoted post is not shown, because its author did not agree to be quoted."),
    (.quoteRevoked, "The quoted post is not shown, because its author took back the agreement to be quoted."),
    (.notShown, "The quoted post is not shown by its server."),
    (.answeredGone, "The quoted post went with the post that it answers, which is gone."),
    (.deleted, "The quoted post was deleted by its author."),
    ("eaten_by_a_dog", "The quoted post is missing (eaten_by_a_dog)."),
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
        == "The quoted post is missing (the server does not show it).")
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
