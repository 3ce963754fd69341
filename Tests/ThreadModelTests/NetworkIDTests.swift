import Testing
import ThreadModel

@Suite("Ids")
struct NetworkIDTests {
  private func id(_ text: String, on platform: Platform = .x) -> PostID { PostID(text, on: platform) }

  @Test func numbersAreOrderedByValue() {
    let numbers = ["9", "10", "99", "100", "1346889436626259968", "13468894366262599680"]
    #expect(numbers.shuffled().map { id($0) }.sorted().map(\.value) == numbers)
  }

  @Test func recordKeysAreOrderedByText() {
    let keys = ["3k43tv4rft22g", "3k43tv4rft22h", "3k43tv4rft23a", "3l43tv4rft22g"]
    #expect(keys.shuffled().map { id($0, on: .bluesky) }.sorted().map(\.value) == keys)
  }

  @Test func theOrderIsTotalForAnyText() {
    let ids = [
      "", "0", "9", "10", "1a", "a", "01", "é", "日本", "at://did:plc:abc/x/3k", "1346889436626259968", "-1",
    ]
    .map { id($0) }
    let sorted = ids.sorted()
    for _ in 0..<50 { #expect(ids.shuffled().sorted() == sorted) }
    for (index, one) in sorted.enumerated() {
      #expect(!(one < one))
      for other in sorted[(index + 1)...] { #expect(one < other && !(other < one)) }
    }
  }

  @Test func oneTextOnTwoNetworksIsTwoIDs() {
    #expect(id("1", on: .x) != id("1", on: .mastodon))
    #expect(id("2", on: .mastodon) < id("1", on: .x))
    #expect(Set([id("1", on: .x), id("1", on: .mastodon)]).count == 2)
    #expect(id("1").description == "x/1")
  }
}
