import ThreadModel
import UTF8Text

/// Turns a text of X's with its entities into the model's inline text: short links replaced by what they stand for,
/// links to attachments gone, escapes undone, names and tags marked.
struct XText {
  /// The text as it came.
  private let source: [Unicode.Scalar]
  private let entities: [XTextEntity]
  private let isEscaped: Bool
  /// Ids of the post itself, in all its versions: links to it in its own text stand for its attachments.
  private let ownIDs: Set<String>
  private let quotedID: String?
  /// Whether the post's media are known; where they are not, a link to them is all that there is of them, and stays.
  private let hasMedia: Bool

  private var text: [Unicode.Scalar] = []
  private var marks: [TextEntity] = []

  /// The text of a post, or of a long post's note.
  ///
  /// - Parameters:
  ///   - ownIDs: the post's id and those of its other versions.
  ///   - sample: the short text beside a note's, which tells whether the note is escaped.
  static func inline(
    post text: String, _ entities: XFields?, ownIDs: Set<String>, quotedID: String?, hasMedia: Bool,
    sample: String? = nil
  ) -> InlineText {
    let source = Array(text.unicodeScalars)
    let escaped = XTextEscaping.isEscaped(source, sample: sample.map { Array($0.unicodeScalars) })
    var builder = XText(
      source, entities, isEscaped: escaped, ownIDs: ownIDs, quotedID: quotedID, hasMedia: hasMedia)
    return builder.build()
  }

  /// The text that users write of themselves, which is not escaped.
  static func inline(bio text: String, _ entities: XFields?) -> InlineText {
    var builder = XText(
      Array(text.unicodeScalars), entities, isEscaped: false, ownIDs: [], quotedID: nil, hasMedia: false)
    return builder.build()
  }

  private init(
    _ source: [Unicode.Scalar], _ entities: XFields?, isEscaped: Bool, ownIDs: Set<String>, quotedID: String?,
    hasMedia: Bool
  ) {
    self.source = source
    self.entities = XEntityFinder.entities(entities, in: source)
    self.isEscaped = isEscaped
    self.ownIDs = ownIDs
    self.quotedID = quotedID
    self.hasMedia = hasMedia
  }

  private mutating func build() -> InlineText {
    let attachments = attachments()
    var position = 0
    for entity in entities where entity.range.lowerBound >= position {
      append(plain: position..<entity.range.lowerBound)
      position = entity.range.upperBound
      if attachments.contains(entity.range) {
        position = dropAttachment(endingAt: position)
      } else {
        append(entity)
      }
    }
    append(plain: position..<source.count)
    return InlineText(Self.string(of: text), entities: marks)
  }

  /// By bytes: a string's own view of its scalars looks at each of them for what it does to those before.
  private static func string(of scalars: [Unicode.Scalar]) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scalars.count)
    for scalar in scalars {
      if scalar.isASCII {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Attachments

  /// The ranges of the links that stand for attachments.
  ///
  /// A link with a media key, or to the post's own photo, is one wherever it stands. A link to the quoted post, to another post's
  /// photo or to the post itself (which X puts behind edited posts) is one only at the end, where nothing follows but others of
  /// them; elsewhere the author put it there.
  private func attachments() -> Set<Range<Int>> {
    var ranges: Set<Range<Int>> = []
    var end = source.count
    for entity in entities.reversed() {
      guard case .url(let link) = entity.kind else { continue }
      let isLast = source[min(entity.range.upperBound, end)..<end].allSatisfy(\.properties.isWhitespace)
      let post = [link.expanded, link.unwound].lazy.compactMap { $0.flatMap(XURL.post) }.first
      let isOwnMedia =
        link.mediaKey != nil || post.map { hasMedia && $0.isMedia && ownIDs.contains($0.id) } == true
      let canEnd = post.map { $0.isMedia ? hasMedia : $0.id == quotedID || ownIDs.contains($0.id) } == true
      guard isOwnMedia || (isLast && canEnd) || ranges.contains(entity.range) else { continue }
      ranges.insert(entity.range)
      if isLast { end = min(end, entity.range.lowerBound) }
    }
    return ranges
  }

  /// Takes back the white space before an attachment, or, at the text's beginning, passes over that behind it; gives where the
  /// text goes on.
  private mutating func dropAttachment(endingAt end: Int) -> Int {
    let floor = marks.last?.range.upperBound ?? 0
    while text.count > floor, text.last?.properties.isWhitespace == true { text.removeLast() }
    guard text.isEmpty else { return end }
    var end = end
    while end < source.count, source[end].properties.isWhitespace { end += 1 }
    return end
  }

  // MARK: Pieces

  private mutating func append(plain range: Range<Int>) {
    text += isEscaped ? XTextEscaping.unescape(source[range]) : Array(source[range])
  }

  private mutating func append(_ entity: XTextEntity) {
    let start = text.count
    guard let kind = mark(entity) else { return append(plain: entity.range) }
    if case .link(let url, _) = kind {
      text += Array(XURL.displayed(url).unicodeScalars)
    } else {
      append(plain: entity.range)
    }
    if text.count > start { marks.append(TextEntity(start..<text.count, kind)) }
  }

  /// What the model calls it; `nil` for what cannot be linked, which stays as it stands.
  private func mark(_ entity: XTextEntity) -> TextEntity.Kind? {
    var name = ""
    name.unicodeScalars.append(contentsOf: source[entity.range].dropFirst())
    switch entity.kind {
    case .url(let link):
      guard let target = link.address else { return nil }
      return .link(
        url: target, short: link.short == target || !WebAddress.isSafe(link.short) ? nil : link.short)
    case .mention: return XURL.isHandle(name) ? .mention(handle: name, url: XURL.profile(name)) : nil
    case .hashtag: return .hashtag(tag: name, url: XURL.hashtag(name))
    case .cashtag: return .cashtag(symbol: name, url: XURL.cashtag(name))
    }
  }
}
