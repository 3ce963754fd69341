import TestSupport
import Testing
import ThreadModel

@Suite("IDs")
struct NetworkIDTests {
  private func id(_ text: String, on platform: Platform = .x) -> PostID { PostID(text, on: platform) }

  @Test func ordersNumbersByValue() {
    let numbers = ["9", "10", "99", "100", "1346889436626259968", "13468894366262599680"]
    var random = SeededRandom()
    #expect(numbers.shuffled(using: &random).map { id($0) }.sorted().map(\.value) == numbers)
  }

  @Test func ordersRecordKeysByText() {
    let keys = ["3k43tv4rft22g", "3k43tv4rft22h", "3k43tv4rft23a", "3l43tv4rft22g"]
    var random = SeededRandom()
    #expect(keys.shuffled(using: &random).map { id($0, on: .bluesky) }.sorted().map(\.value) == keys)
  }

  @Test func orderIsTotalForAnyText() {
    let ids = [
      "", "0", "9", "10", "1a", "a", "01", "é", "日本", "at://did:plc:abc/x/3k", "1346889436626259968", "-1",
    ]
    .map { id($0) }
    let sorted = ids.sorted()
    var random = SeededRandom()
    for _ in 0..<50 { #expect(ids.shuffled(using: &random).sorted() == sorted) }
    for (index, one) in sorted.enumerated() {
      #expect(!(one < one))
      for other in sorted[(index + 1)...] { #expect(one < other && !(other < one)) }
    }
  }

  @Test func authoritiesDistinguishIDs() {
    let ids = ["a.example", "b.example", "b.example:3000", nil].map { PostID("1", by: $0, on: .mastodon) }
    #expect(Set(ids).count == 4)
    var random = SeededRandom()
    #expect(ids.shuffled(using: &random).sorted() == [ids[3], ids[0], ids[1], ids[2]])
    #expect(ids[0] == PostID("1", by: "a.example", on: .mastodon))
    #expect(PostID("9", by: "a", on: .mastodon) < PostID("1", by: "b", on: .mastodon))
  }

  @Test(arguments: [
    ("x/1346889436626259968", PostID("1346889436626259968", on: .x)),
    (
      "bluesky/did:plc:ewvi7nxzyoun6zhxrhs64oiz/3k43tv4rft22g",
      PostID("3k43tv4rft22g", by: "did:plc:ewvi7nxzyoun6zhxrhs64oiz", on: .bluesky)
    ),
    ("mastodon/social.example:3000/1", PostID("1", by: "social.example:3000", on: .mastodon)),
  ]) func textReadsBack(text: String, id: PostID) {
    #expect(id.description == text)
    #expect(PostID(description: text) == id)
    #expect(PostID(text: id.text, on: id.platform) == id)
    #expect(id.isWellFormed)
  }

  @Test(arguments: [
    "", "1", "/1", "x/", "x//1", "x/a/b/1", "mastodon/a/", "mastodon/a//1", "mastodon/a/b/1", "mastodon//1",
    "x/1\n",
    "mastodon/a\u{0}/1", "mastodon/a/\u{7f}", "bluesky/did:plc:a\u{9b}/1",
  ]) func rejectsInvalidIDs(text: String) {
    #expect(PostID(description: text) == nil)
  }

  @Test func ambiguousPartsAreNotWellFormed() {
    #expect(!PostID("a/1", on: .mastodon).isWellFormed)
    #expect(!PostID("1", by: "", on: .mastodon).isWellFormed)
  }

  @Test func sameTextOnTwoNetworksIsTwoIDs() {
    #expect(id("1", on: .x) != id("1", on: .mastodon))
    #expect(id("2", on: .mastodon) < id("1", on: .x))
    #expect(Set([id("1", on: .x), id("1", on: .mastodon)]).count == 2)
    #expect(id("1").description == "x/1")
  }
}
