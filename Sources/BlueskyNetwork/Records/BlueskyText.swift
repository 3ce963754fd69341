import Basics
import ThreadModel

extension InlineText {
  /// Creates a text from a record's text and its facets (links, mentions, hashtags).
  ///
  /// Clients write facets without checks: a range may begin or end within a character, overlap another, be reversed, or exceed the text.
  /// Such facets are dropped.
  ///
  /// - Parameters:
  ///   - facets: ranges in UTF-8 bytes, end-exclusive.
  ///   - entities: the older form of facets, in posts of 2022 and 2023, with ranges in UTF-16 code units; read only if there are no facets.
  init(bluesky text: String, facets: JSONValue?, entities: JSONValue? = nil) {
    var marked: [(range: Range<Int>, kind: (Substring) -> TextEntity.Kind?)] = []
    if let facets = facets?.array, !facets.isEmpty {
      let places = TextPlaces(text, unit: .byte)
      for facet in facets.prefix(Self.mostFacets) {
        guard
          let range = places.range(facet["index"]?["byteStart"]?.int, facet["index"]?["byteEnd"]?.int),
          let feature = facet["features"]?.array?.first(where: Self.isKnown)
        else { continue }
        marked.append((range, { Self.kind(of: feature, shown: $0) }))
      }
    } else if let entities = entities?.array, !entities.isEmpty {
      let places = TextPlaces(text, unit: .codeUnit)
      for entity in entities.prefix(Self.mostFacets) {
        guard let range = places.range(entity["index"]?["start"]?.int, entity["index"]?["end"]?.int) else {
          continue
        }
        marked.append((range, { Self.kind(ofEntity: entity, shown: $0) }))
      }
    }
    guard !marked.isEmpty else {
      self.init(text)
      return
    }
    let scalars = text.unicodeScalars
    var found: [TextEntity] = []
    // Sorted, so that one pass over the text is enough.
    var (place, index) = (0, scalars.startIndex)
    for (range, kind) in marked.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard range.lowerBound >= place else { continue }
      let start = scalars.index(index, offsetBy: range.lowerBound - place)
      let end = scalars.index(start, offsetBy: range.count)
      guard let kind = kind(text[start..<end]) else { continue }
      found.append(TextEntity(range, kind))
      (place, index) = (range.upperBound, end)
    }
    self.init(text, entities: found)
  }

  /// The maximum number of facets that are read. A post has at most 300 characters.
  private static let mostFacets = 3000

  private static func isKnown(_ feature: JSONValue) -> Bool {
    ["#link", "#mention", "#tag"].contains { feature.type == "app.bsky.richtext.facet" + $0 }
  }

  private static func kind(of feature: JSONValue, shown: Substring) -> TextEntity.Kind? {
    switch feature.type {
    case "app.bsky.richtext.facet#link":
      return feature["uri"]?.string.map { .link(url: $0, short: nil) }
    case "app.bsky.richtext.facet#mention":
      return feature["did"]?.string.flatMap { mention(did: $0, shown: shown) }
    case "app.bsky.richtext.facet#tag":
      return feature["tag"]?.string.flatMap(hashtag)
    default: return nil
    }
  }

  private static func kind(ofEntity entity: JSONValue, shown: Substring) -> TextEntity.Kind? {
    guard let value = entity["value"]?.string else { return nil }
    switch entity["type"]?.string {
    case "link": return .link(url: value, short: nil)
    case "mention": return mention(did: value, shown: shown)
    case "hashtag": return hashtag(value)
    default: return nil
    }
  }

  /// Returns a mention that links to the account with the DID, whatever handle the text shows; `nil` if the DID is invalid.
  private static func mention(did: String, shown: Substring) -> TextEntity.Kind? {
    guard RecordAddress.isDID(did) else { return nil }
    let handle = shown.hasBytePrefix("@") ? shown.dropFirst() : shown
    return .mention(handle: String(handle), url: "https://bsky.app/profile/\(did)")
  }

  private static func hashtag(_ tag: String) -> TextEntity.Kind? {
    guard !tag.isEmpty else { return nil }
    return .hashtag(tag: tag, url: "https://bsky.app/hashtag/" + PercentEncoding.encode(tag))
  }
}

/// A table that converts offsets in UTF-8 bytes or UTF-16 code units to offsets in Unicode scalars.
private struct TextPlaces {
  enum Unit { case byte, codeUnit }

  /// The index of the scalar that begins at each offset; -1 for an offset within a scalar. The last element is the number of scalars.
  private var scalars: [Int] = []

  init(_ text: String, unit: Unit) {
    scalars.reserveCapacity(text.utf8.count + 1)
    var count = 0
    for scalar in text.unicodeScalars {
      let width = unit == .byte ? UTF8.width(scalar) : UTF16.width(scalar)
      scalars.append(count)
      for _ in 1..<width { scalars.append(-1) }
      count += 1
    }
    scalars.append(count)
  }

  /// Returns the range in scalars; `nil` if the range is empty, exceeds the text, or begins or ends within a scalar.
  func range(_ start: Int?, _ end: Int?) -> Range<Int>? {
    guard let start, let end, scalars.indices.contains(start), scalars.indices.contains(end), start < end,
      scalars[start] >= 0, scalars[end] >= 0
    else { return nil }
    return scalars[start]..<scalars[end]
  }
}

extension JSONValue {
  /// The type of a record, view or facet feature, from its `$type`.
  var type: String? { self["$type"]?.string }
}
