import Basics
import ThreadModel

/// Converts a text from X with its entities into the model's inline text: replaces short links by their targets, removes links to
/// attachments, decodes escapes, and marks names and tags.
struct XText {
  /// The text as X sent it.
  private let source: [Unicode.Scalar]
  private let entities: [XTextEntity]
  private let isEscaped: Bool
  /// Ids of all versions of the post. A link to the post in its own text stands for its attachments.
  private let ownIDs: Set<String>
  private let quotedID: String?
  /// Whether the post's media are known. If not, a link to the media is their only trace and is kept.
  private let hasMedia: Bool

  private var text: [Unicode.Scalar] = []
  private var marks: [TextEntity] = []

  /// Converts the text of a post, or of a long post's note.
  ///
  /// - Parameters:
  ///   - ownIDs: the post's id and those of its other versions.
  ///   - sample: the short text beside the note; it shows whether the note is escaped.
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

  /// Converts a user's description, which is not escaped.
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

  /// Builds the string from UTF-8 bytes: appending to a string's scalar view is slow, because it checks how each scalar combines with the
  /// preceding ones.
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
  /// A link with a media key, or to the post's own photo, stands for an attachment anywhere in the text. A link to the quoted post, to
  /// another post's photo, or to the post itself (which X appends to edited posts) stands for an attachment only at the end of the text, if
  /// only such links follow. Elsewhere the author wrote it.
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

  /// Removes the white space before an attachment or, at the beginning of the text, skips the white space after it. Returns the index at
  /// which the text continues.
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

  /// Returns the model's kind for an entity; `nil` if the entity cannot be linked and remains plain text.
  private func mark(_ entity: XTextEntity) -> TextEntity.Kind? {
    var name = ""
    name.unicodeScalars.append(contentsOf: source[entity.range].dropFirst())
    switch entity.kind {
    case .url(let link):
      guard let target = link.address else { return nil }
      return .link(
        url: target, short: link.short == target || !WebAddress.isSafe(link.short) ? nil : link.short)
    case .mention(let id):
      return XURL.isHandle(name) ? .mention(handle: name, url: XURL.profile(name), id: id) : nil
    case .hashtag: return .hashtag(tag: name, url: XURL.hashtag(name))
    case .cashtag: return .cashtag(symbol: name, url: XURL.cashtag(name))
    }
  }
}

/// An entity found in a text: its range and its kind.
struct XTextEntity: Hashable {
  enum Kind: Hashable {
    case url(XLink)
    /// With the id of the account, if X states it.
    case mention(id: String?)
    case hashtag, cashtag
  }

  /// In Unicode scalars of the text as X sent it.
  var range: Range<Int>
  var kind: Kind
}

/// Finds entities in their text without trusting their offsets.
struct XEntityFinder {
  /// The total number of scalars that may be compared in a search for entities with wrong offsets. It limits the cost of hostile input.
  private static let searchBudget = 1_000_000
  /// More entities than the longest post has.
  private static let maximumEntities = 2000

  private let text: [Unicode.Scalar]
  /// The number of scalars that were compared.
  private var compared = 0
  private var taken: [Range<Int>] = []
  private(set) var found: [XTextEntity] = []

  /// Returns the entities found at their offsets or elsewhere in the text, sorted and without overlaps. Entities with the same range (a
  /// post with four photos) are all returned.
  static func entities(_ fields: XFields?, in text: [Unicode.Scalar]) -> [XTextEntity] {
    guard let fields else { return [] }
    var finder = XEntityFinder(text: text)
    for url in fields.list("urls").prefix(maximumEntities) {
      let link = XLink(url)
      finder.add(url, .url(link), expecting: link.short, sigils: [])
    }
    for mention in fields.list("mentions").prefix(maximumEntities) {
      let id = mention.id("id")
      finder.add(
        mention, .mention(id: id), expecting: mention.string("username") ?? "", sigils: ["@", "＠"])
    }
    for tag in fields.list("hashtags").prefix(maximumEntities) {
      finder.add(tag, .hashtag, expecting: tag.string("tag") ?? "", sigils: ["#", "＃"])
    }
    for tag in fields.list("cashtags").prefix(maximumEntities) {
      finder.add(tag, .cashtag, expecting: tag.string("tag") ?? "", sigils: ["$", "＄"])
    }
    return finder.found.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

  private mutating func add(
    _ fields: XFields, _ kind: XTextEntity.Kind, expecting name: String, sigils: [Unicode.Scalar]
  ) {
    guard !name.isEmpty else { return }
    let expected = Self.forms(of: Array(name.unicodeScalars), isName: !sigils.isEmpty)
    let start = fields.int("start") ?? -1
    let end = fields.int("end") ?? -1
    var range: Range<Int>?
    if start >= 0, start < end, end <= text.count, matches(expected, sigils, at: start) == end {
      range = start..<end
    } else {
      range = search(expected, sigils, near: start)
    }
    guard let range else { return }
    // A repeated range is a further attachment behind the same short link.
    let isRepeated = sigils.isEmpty && taken.contains(range)
    guard isRepeated || !taken.contains(where: { $0.overlaps(range) }) else { return }
    if !isRepeated { taken.append(range) }
    found.append(XTextEntity(range: range, kind: kind))
  }

  /// Returns the forms in which an entity may be in the text: a URL's ampersand is escaped there like in any other text.
  private static func forms(of expected: [Unicode.Scalar], isName: Bool) -> [[Unicode.Scalar]] {
    guard !isName, expected.contains("&") else { return [expected] }
    return [expected, expected.flatMap { $0 == "&" ? Array("&amp;".unicodeScalars) : [$0] }]
  }

  /// Returns the index at which the entity ends if it begins at `start`; otherwise `nil`.
  private mutating func matches(
    _ forms: [[Unicode.Scalar]], _ sigils: [Unicode.Scalar], at start: Int
  ) -> Int? {
    let isName = !sigils.isEmpty
    if isName {
      guard start < text.count, sigils.contains(text[start]) else { return nil }
    }
    for form in forms {
      if let end = end(of: form, at: isName ? start + 1 : start, isName: isName) { return end }
    }
    return nil
  }

  /// Returns the index at which a text ends if it begins at `start`; otherwise `nil`. Case is ignored in names, but not in URLs.
  private mutating func end(of expected: [Unicode.Scalar], at start: Int, isName: Bool) -> Int? {
    guard start + expected.count <= text.count else { return nil }
    for (offset, scalar) in expected.enumerated() {
      // The search counts the first.
      if offset > 0 { compared += 1 }
      let found = text[start + offset]
      guard
        found == scalar
          || isName && found.properties.lowercaseMapping == scalar.properties.lowercaseMapping
      else { return nil }
    }
    return start + expected.count
  }

  /// Returns the occurrence nearest to the entity's offset that is not part of a longer word and not part of another entity; `nil` if the
  /// budget does not suffice for the search.
  private mutating func search(
    _ expected: [[Unicode.Scalar]], _ sigils: [Unicode.Scalar], near start: Int
  ) -> Range<Int>? {
    var best: Range<Int>?
    func distance(_ index: Int) -> Int { start >= 0 && start <= text.count ? abs(index - start) : index }
    for index in text.indices {
      guard compared <= Self.searchBudget else { return nil }
      compared += 1
      guard let end = matches(expected, sigils, at: index),
        standsFree(index..<end, isName: !sigils.isEmpty)
      else { continue }
      if let best, distance(best.lowerBound) <= distance(index) { continue }
      if taken.contains(where: { $0.overlaps(index..<end) }) { continue }
      best = index..<end
    }
    return best
  }

  /// Returns whether a name is not part of a longer word, or a URL not part of a longer URL.
  private func standsFree(_ range: Range<Int>, isName: Bool) -> Bool {
    func isWord(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
    }
    if range.upperBound < text.count, isWord(text[range.upperBound]) { return false }
    return !isName || range.lowerBound == 0 || !isWord(text[range.lowerBound - 1])
  }
}

/// X's escaping of the text of posts, which uses only `&amp;`, `&lt;` and `&gt;`.
enum XTextEscaping {
  typealias Scalars = ArraySlice<Unicode.Scalar>

  private static let names: [(escape: [Unicode.Scalar], plain: Unicode.Scalar)] = [
    (Array("&amp;".unicodeScalars), "&"), (Array("&lt;".unicodeScalars), "<"),
    (Array("&gt;".unicodeScalars), ">"),
  ]

  /// Returns the escape that begins at `index`.
  private static func escape(in text: Scalars, at index: Int) -> (length: Int, plain: Unicode.Scalar)? {
    guard text[index] == "&" else { return nil }
    for (escape, plain) in names where text[index...].starts(with: escape) { return (escape.count, plain) }
    return nil
  }

  /// Decodes the escapes of a text in one pass: `&amp;lt;` becomes `&lt;` and is not decoded again.
  static func unescape(_ piece: Scalars) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(piece.count)
    var index = piece.startIndex
    while index < piece.endIndex {
      if let (length, plain) = escape(in: piece, at: index) {
        result.append(plain)
        index += length
      } else {
        result.append(piece[index])
        index += 1
      }
    }
    return result
  }

  /// Returns whether a text is escaped. Escaped text contains no `<`, no `>`, and no ampersand that does not begin an escape.
  ///
  /// Whether a long post's text is escaped is undocumented. If the text alone is ambiguous, it is compared with `sample`, the beginning of
  /// the short text, which is known to be escaped.
  static func isEscaped(_ text: [Unicode.Scalar], sample: [Unicode.Scalar]? = nil) -> Bool {
    var first: Int?
    for (index, scalar) in text.enumerated() {
      if scalar == "<" || scalar == ">" { return false }
      guard scalar == "&" else { continue }
      guard escape(in: text[...], at: index) != nil else { return false }
      first = first ?? index
    }
    guard let first, let sample else { return true }
    // The text is escaped if both begin alike up to and including this escape. It is not escaped if they begin alike only after the sample
    // is decoded.
    let end = min(first + 5, text.count)
    if sample.starts(with: text[..<end]) { return true }
    return !unescape(sample[...]).starts(with: text[..<end])
  }
}
