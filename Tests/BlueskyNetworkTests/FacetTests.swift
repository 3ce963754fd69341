import Basics
import TestSupport
import Testing
import ThreadModel

@testable import BlueskyNetwork

@Suite struct FacetTests {
  private func facet(_ start: Int, _ end: Int, _ features: JSONValue...) -> JSONValue {
    [
      "index": ["byteStart": .integer(Int64(start)), "byteEnd": .integer(Int64(end))],
      "features": .array(features),
    ]
  }

  private func link(_ url: String) -> JSONValue {
    ["$type": "app.bsky.richtext.facet#link", "uri": .string(url)]
  }

  private func marked(_ text: String, _ facets: [JSONValue]) -> [String] {
    let inline = InlineText(bluesky: text, facets: .array(facets))
    #expect(inline.text == text)
    return inline.segments.compactMap { $0.entity == nil ? nil : String($0.text) }
  }

  @Test func rangesCountBytes() {
    // "é" has two bytes, the flag eight.
    let text = "é🇫🇷 there"
    #expect(marked(text, [facet(11, 16, link("https://a.example/"))]) == ["there"])
  }

  @Test func dropsInvalidFacets() {
    let text = "aé there"
    let good = facet(4, 9, link("https://a.example/"))
    // Within a character, reversed, empty, beyond the end, before the start.
    for (start, end) in [(2, 4), (1, 2), (5, 4), (4, 4), (4, 99), (-1, 3), (Int.max, Int.max), (0, Int.max)] {
      #expect(marked(text, [facet(start, end, link("https://b.example/")), good]) == ["there"])
    }
  }

  @Test func keepsTheFirstOfOverlappingFacets() {
    let text = "one two three"
    let facets = [facet(4, 13, link("https://b.example/")), facet(0, 7, link("https://a.example/"))]
    #expect(marked(text, facets) == ["one two"])
  }

  @Test func usesTheFirstKnownFeature() {
    let inline = InlineText(
      bluesky: "#boats",
      facets: [
        facet(0, 6, ["$type": "example.unknown"], ["$type": "app.bsky.richtext.facet#tag", "tag": "boats"])
      ])
    #expect(
      inline.entities.map(\.kind) == [.hashtag(tag: "boats", url: "https://bsky.app/hashtag/boats")])
  }

  @Test func mentionsUseTheDID() {
    let facets = facet(0, 4, ["$type": "app.bsky.richtext.facet#mention", "did": "did:plc:other"])
    let inline = InlineText(bluesky: "@ada", facets: [facets])
    #expect(
      inline.entities.map(\.kind) == [
        .mention(handle: "ada", url: "https://bsky.app/profile/did:plc:other")
      ])
    let none = facet(0, 4, ["$type": "app.bsky.richtext.facet#mention", "did": "javascript:alert(1)//"])
    #expect(InlineText(bluesky: "@ada", facets: [none]).entities.isEmpty)
  }

  /// Posts of 2022 have UTF-16 offsets.
  @Test func readsEntitiesOfOldPosts() {
    let inline = InlineText(
      bluesky: "🪵 wood", facets: nil,
      entities: [
        ["index": ["start": 3, "end": 7], "type": "link", "value": "https://wood.example/"],
        ["index": ["start": 1, "end": 3], "type": "link", "value": "https://half.example/"],
      ])
    #expect(inline.segments.compactMap { $0.entity == nil ? nil : String($0.text) } == ["wood"])
  }
}
