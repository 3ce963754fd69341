import Basics
import NostrNetwork
import Testing

/// Ids and keys in bech32 (NIP-19).
@Suite struct ReferenceTests {
  /// References that nostr-sdk wrote, with their meaning.
  @Test func readsAndWritesReferencesOfAnotherImplementation() throws {
    for object in try Fixture.objects("references.jsonl") {
      let text = try #require(object["text"]?.string)
      let author = object["author"]?.string
      let relays = object["relays"]?.array?.compactMap(\.string) ?? []
      let expected: NostrReference
      if let identifier = object["identifier"]?.string {
        expected = .replaceable(
          NostrCoordinate(
            kind: try #require(object["kind"]?.int), author: try #require(author), identifier: identifier),
          relays: relays)
      } else if let id = object["id"]?.string {
        expected = .event(id: id, relays: relays, author: author, kind: object["kind"]?.int)
      } else {
        expected = .profile(key: try #require(author), relays: relays)
      }
      #expect(try NostrReference(text) == expected)
      #expect(try NostrReference(text.uppercased()) == expected)
      if !text.hasPrefix("note") { #expect(expected.description == text) }
    }
  }

  /// The examples of NIP-19 and NIP-21, and of granary's tests.
  @Test func readsExamplesOfTheSpecification() throws {
    let fiatjaf = "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"
    #expect(
      try NostrReference("npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg")
        == .profile(key: "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"))
    #expect(
      try NostrReference(
        "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p"
      ) == .profile(key: fiatjaf, relays: ["wss://r.x.com", "wss://djbas.sadkb.com"]))
    #expect(
      try NostrReference("note180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkws4c58hj")
        == .event(id: fiatjaf))
    // The same fields in another order.
    let first = try NostrReference(
      "nevent1qqsq4xe9gpmh9xrxkzh84dcvx5uq038cqt5lpkud7l2lylkhe3c9t0gzyzjzxljzpndskv3369clapumet3h5tdh40e0z23n0wt4xdmp3savyqcyqqqqqqgzg95fu"
    )
    let second = try NostrReference(
      "nevent1qgs2ggm7ggxdkzejx8ghrl58n09wx73dk74l9uf2xdaew5ehvxxr4ssrqsqqqqqpqqsq4xe9gpmh9xrxkzh84dcvx5uq038cqt5lpkud7l2lylkhe3c9t0g06gpj8"
    )
    #expect(first == second)
    guard case .event(let id, _, _, let kind) = first else {
      Issue.record("not an event")
      return
    }
    #expect(id == "0a9b254077729866b0ae7ab70c353807c4f802e9f0db8df7d5f27ed7cc7055bd" && kind == 1)
  }

  @Test func secretKeysAreNeverRead() {
    for text in [
      "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", "nsec1damaged", "NSEC1X",
    ] {
      #expect(throws: NostrReference.Problem.secret) { try NostrReference(text) }
    }
  }

  @Test func everyChangedCharacterIsFound() throws {
    let text = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
    for index in text.indices.dropFirst(5) {
      var changed = text
      changed.replaceSubrange(index...index, with: text[index] == "q" ? "p" : "q")
      #expect(throws: NostrReference.Problem.checksum) { try NostrReference(changed) }
    }
    #expect(throws: NostrReference.Problem.checksum) { try NostrReference(text.dropLast()) }
  }

  @Test(arguments: [
    "", "npub", "npub1", "note1b", "npub1é", "npub1q q", "x1qqqqqq", "nrelay1qqqqqqqqqq",
    "nPUB10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg", "npub1\u{0}", "npub1𝟎𝟎𝟎𝟎𝟎𝟎𝟎𝟎",
  ])
  func rejectsOtherTexts(text: String) {
    #expect(throws: NostrReference.Problem.form) { try NostrReference(text) }
  }

  @Test func longTextsAreRejected() {
    #expect(throws: NostrReference.Problem.form) {
      try NostrReference("nevent1" + String(repeating: "q", count: 5000))
    }
  }
}
