/// Text with marked ranges: the one inline model of every network.
///
/// `text` is what a reader sees: short links are already replaced by what they stand for, entities of HTML are
/// already decoded, links that only point at attachments are already gone.
package struct InlineText: Hashable, Sendable {
  package let text: String
  /// Sorted by range, none overlapping another, each within the text.
  package let entities: [TextEntity]

  /// Keeps the entities that hold together: sorted by range, empty, overlapping and outlying ones dropped.
  package init(_ text: String, entities: [TextEntity] = []) {
    self.text = text
    guard !entities.isEmpty else {
      self.entities = []
      return
    }
    // Scalars, counted by their first bytes: a tenth of what walking them costs.
    let length = text.utf8.withContiguousStorageIfAvailable(Self.scalarCount) ?? text.unicodeScalars.count
    var kept: [TextEntity] = []
    for entity in entities.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where entity.range.lowerBound >= (kept.last?.range.upperBound ?? 0)
      && entity.range.upperBound <= length && !entity.range.isEmpty
    {
      kept.append(entity)
    }
    self.entities = kept
  }

  private static func scalarCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count &+= 1 }
    return count
  }

  package var isEmpty: Bool { text.isEmpty }
}

/// A range of a text which stands for something.
package struct TextEntity: Hashable, Sendable {
  /// Unicode scalars from the start of the text, end-exclusive.
  package var range: Range<Int>
  package var kind: Kind

  package init(_ range: Range<Int>, _ kind: Kind) {
    self.range = range
    self.kind = kind
  }

  package enum Kind: Hashable, Sendable {
    /// A link; `short` is the network's own short form of it, where the text once held that.
    case link(url: String, short: String?)
    /// Somebody's handle, without the `@`, and their page.
    case mention(handle: String, url: String?)
    /// A tag, without the `#`, and the network's page of it.
    case hashtag(tag: String, url: String?)
    /// A stock symbol, without the `$`, and the network's page of it.
    case cashtag(symbol: String, url: String?)
    /// A server's own emoji: its short code, without colons, and its image.
    case emoji(shortcode: String, url: String)
  }
}

extension InlineText {
  /// A run of the text: plain, or all of one entity.
  package struct Segment: Sendable {
    package let text: Substring
    package let entity: TextEntity.Kind?
  }

  /// The text in order, cut at the edges of its entities; nothing is lost or repeated.
  package var segments: [Segment] {
    guard !entities.isEmpty else {
      return text.isEmpty ? [] : [Segment(text: text[...], entity: nil)]
    }
    let scalars = text.unicodeScalars
    var segments: [Segment] = []
    segments.reserveCapacity(entities.count * 2 + 1)
    var index = scalars.startIndex
    var offset = 0
    for entity in entities {
      let start = scalars.index(index, offsetBy: entity.range.lowerBound - offset)
      let end = scalars.index(start, offsetBy: entity.range.count)
      if index < start { segments.append(Segment(text: text[index..<start], entity: nil)) }
      segments.append(Segment(text: text[start..<end], entity: entity.kind))
      index = end
      offset = entity.range.upperBound
    }
    if index < scalars.endIndex { segments.append(Segment(text: text[index...], entity: nil)) }
    return segments
  }
}
