/// Text with marked ranges: the inline model that all networks share.
///
/// `text` is the text that readers see: short links are replaced by their targets, HTML entities are decoded, and links to attachments are
/// removed.
package struct InlineText: Hashable, Sendable {
  package let text: String
  /// Sorted by range, not overlapping, each within the text.
  package let entities: [TextEntity]

  /// Keeps the valid entities, sorted by range: entities that are empty, overlap another or lie outside the text are dropped.
  package init(_ text: String, entities: [TextEntity] = []) {
    self.text = text
    guard !entities.isEmpty else {
      self.entities = []
      return
    }
    // Counting the first bytes of scalars is ten times as fast as iterating over the scalars.
    let length = text.utf8.withContiguousStorageIfAvailable(Self.scalarCount) ?? text.unicodeScalars.count
    // The usual case for networks and the store: no entity needs to be dropped.
    if Self.areSound(entities, length: length) {
      self.entities = entities
      return
    }
    var kept: [TextEntity] = []
    for entity in entities.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where entity.range.lowerBound >= (kept.last?.range.upperBound ?? 0)
      && entity.range.upperBound <= length && !entity.range.isEmpty
    {
      kept.append(entity)
    }
    self.entities = kept
  }

  private static func areSound(_ entities: [TextEntity], length: Int) -> Bool {
    var end = 0
    for entity in entities {
      guard entity.range.lowerBound >= end, !entity.range.isEmpty else { return false }
      end = entity.range.upperBound
    }
    return end <= length
  }

  private static func scalarCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count &+= 1 }
    return count
  }

  package var isEmpty: Bool { text.isEmpty }

  /// A part of the text that is either plain or covered by one entity.
  package struct Segment: Sendable {
    package let text: Substring
    package let entity: TextEntity.Kind?
  }

  /// The text in order, split at the edges of its entities, without losses or repetitions.
  package var segments: [Segment] {
    guard !entities.isEmpty else {
      return text.isEmpty ? [] : [Segment(text: text[...], entity: nil)]
    }
    var segments: [Segment] = []
    segments.reserveCapacity(entities.count * 2 + 1)
    let utf8 = text.utf8
    var index = utf8.startIndex
    var cursor = ScalarCursor()
    for entity in entities {
      let start = utf8.index(index, offsetBy: cursor.bytes(to: entity.range.lowerBound, in: text))
      let end = utf8.index(start, offsetBy: cursor.bytes(to: entity.range.upperBound, in: text))
      if index < start { segments.append(Segment(text: text[index..<start], entity: nil)) }
      segments.append(Segment(text: text[start..<end], entity: entity.kind))
      index = end
    }
    if index < utf8.endIndex { segments.append(Segment(text: text[index...], entity: nil)) }
    return segments
  }

  /// Returns the text in which a word replaces the names of left-out accounts (`LeftOutAccounts`). These are stored as mentions with an empty handle.
  package func calling(nobody word: String) -> InlineText {
    func isNobody(_ entity: TextEntity.Kind?) -> Bool {
      if case .mention(let handle, _, _)? = entity { handle.isEmpty } else { false }
    }
    guard entities.contains(where: { isNobody($0.kind) }) else { return self }
    var result = ""
    var kept: [TextEntity] = []
    var length = 0
    for segment in segments {
      let shown = isNobody(segment.entity) ? word : String(segment.text)
      let count = shown.unicodeScalars.count
      if let entity = segment.entity, !isNobody(entity) {
        kept.append(TextEntity(length..<length + count, entity))
      }
      result += shown
      length += count
    }
    return InlineText(result, entities: kept)
  }

  /// Returns the text without links to the post's attachments at its end and the white space before them.
  ///
  /// - Parameter isAttachment: whether a URL leads to an attachment.
  func withoutLastLinks(where isAttachment: (String) -> Bool) -> InlineText {
    guard case .link(let url, _)? = entities.last?.kind, isAttachment(url) else { return self }
    var scalars = Array(text.unicodeScalars)
    var kept = entities
    while let last = kept.last, case .link(let url, _) = last.kind, isAttachment(url),
      scalars[last.range.upperBound...].allSatisfy(\.properties.isWhitespace)
    {
      kept.removeLast()
      scalars.removeSubrange(last.range.lowerBound...)
      let floor = kept.last?.range.upperBound ?? 0
      while scalars.count > floor, scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    }
    var rest = String.UnicodeScalarView()
    rest.append(contentsOf: scalars)
    return InlineText(String(rest), entities: kept)
  }

  /// Returns the text without its first or last line, if that line consists of `RE:` or `QT:` and a link to the quoted post. Servers of the Fediverse add
  /// this line for clients without support for quotes.
  ///
  /// - Parameter isQuoted: whether a URL leads to the quoted post.
  package func withoutQuoteLine(where isQuoted: (String) -> Bool) -> InlineText {
    let scalars = Array(text.unicodeScalars)
    for entity in entities {
      guard case .link(let url, _) = entity.kind, isQuoted(url) else { continue }
      let start = scalars[..<entity.range.lowerBound].lastIndex(of: "\n").map { $0 + 1 } ?? 0
      let end = scalars[entity.range.upperBound...].firstIndex(of: "\n") ?? scalars.count
      let sign = scalars[start..<entity.range.lowerBound].filter { !$0.properties.isWhitespace }
      guard start == 0 || end == scalars.count, Self.quoteSigns.contains(sign),
        scalars[entity.range.upperBound..<end].allSatisfy(\.properties.isWhitespace)
      else { continue }
      // The line breaks around the line belong to it.
      var (from, to) = (start, end)
      while from > 0, scalars[from - 1].properties.isWhitespace { from -= 1 }
      if from == 0 { while to < scalars.count, scalars[to].properties.isWhitespace { to += 1 } }
      var rest = String.UnicodeScalarView()
      rest.append(contentsOf: scalars[..<from])
      rest.append(contentsOf: scalars[to...])
      let kept = entities.compactMap { entity -> TextEntity? in
        if entity.range.upperBound <= from { return entity }
        guard entity.range.lowerBound >= to else { return nil }
        let moved = entity.range.lowerBound - (to - from)..<entity.range.upperBound - (to - from)
        return TextEntity(moved, entity.kind)
      }
      return InlineText(String(rest), entities: kept)
    }
    return self
  }

  private static let quoteSigns: [[Unicode.Scalar]] = [["R", "E", ":"], ["Q", "T", ":"]]
}

/// A marked range of a text, such as a link.
package struct TextEntity: Hashable, Sendable {
  /// Unicode scalars from the start of the text, end-exclusive.
  package var range: Range<Int>
  package var kind: Kind

  package init(_ range: Range<Int>, _ kind: Kind) {
    self.range = range
    self.kind = kind
  }

  package enum Kind: Hashable, Sendable {
    /// A link; `short` is the network's short URL, if the original text contained one.
    case link(url: String, short: String?)
    /// The handle of an account, without the `@`, the URL of its page, and its id on the text's network if the URL does not contain it.
    case mention(handle: String, url: String?, id: String? = nil)
    /// A tag, without the `#`, and the URL of the network's page for it.
    case hashtag(tag: String, url: String?)
    /// A stock symbol, without the `$`, and the URL of the network's page for it.
    case cashtag(symbol: String, url: String?)
    /// A server's custom emoji: its short code, without colons, and the URL of its image.
    case emoji(shortcode: String, url: String)
  }
}

/// A position in a text that moves by scalars and reports bytes. It is ten times as fast as iterating over the scalars.
private struct ScalarCursor {
  private var scalar = 0
  private var byte = 0

  /// Moves forward to a scalar offset; returns the number of bytes that it moved over.
  mutating func bytes(to scalar: Int, in text: String) -> Int {
    let start = byte
    let count = scalar - self.scalar
    self.scalar = scalar
    byte =
      text.utf8.withContiguousStorageIfAvailable { [byte] in Self.index(after: count, from: byte, in: $0) }
      ?? Array(text.utf8).withUnsafeBufferPointer { [byte] in Self.index(after: count, from: byte, in: $0) }
    return byte - start
  }

  private static func index(after count: Int, from start: Int, in utf8: UnsafeBufferPointer<UInt8>) -> Int {
    var index = start
    for _ in 0..<count {
      index += 1
      while index < utf8.count, utf8[index] & 0xC0 == 0x80 { index += 1 }
    }
    return index
  }
}

extension Post.Facts {
  /// Returns the text without the URLs of the quoted post and of the post's media at its end.
  ///
  /// An observation without the quote or the media has their URLs in its text. If another observation has the quote or the media, they would be
  /// shown twice.
  func withoutAttachments(_ text: InlineText) -> InlineText {
    guard quotes != nil || !media.isEmpty, !text.entities.isEmpty else { return text }
    let own = media.isEmpty ? [] : [id.value] + earlierVersions.map(\.value)
    return text.withoutLastLinks { url in
      let parts = url.split(separator: "/").map { $0.prefix { $0 != "?" && $0 != "#" } }
      guard parts.count > 2, let last = parts.last else { return false }
      if let quotes, last == quotes.value { return true }
      // `…/status/<id>/photo/1`
      let kind = parts[parts.count - 2]
      return (kind == "photo" || kind == "video") && own.contains { parts[parts.count - 3] == $0 }
    }
  }
}
