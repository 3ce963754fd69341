/// An entity of X's, found in a text: where it stands and what it is.
struct XTextEntity: Hashable {
  enum Kind: Hashable {
    case url(XLink)
    case mention, hashtag, cashtag
  }

  /// Unicode scalars of the text as it came.
  var range: Range<Int>
  var kind: Kind
}

/// Finds entities in their text, trusting no offset.
struct XEntityFinder {
  /// Entities whose offsets are wrong are searched for; through this many scalars in all, so that hostile input costs
  /// little.
  private static let searchBudget = 1_000_000
  /// More than the longest post has.
  private static let maximumEntities = 2000

  private let text: [Unicode.Scalar]
  private var searched = 0
  private var taken: [Range<Int>] = []
  private(set) var found: [XTextEntity] = []

  /// The entities that are where they say, or elsewhere in the text; sorted, none overlapping another. Several that
  /// share one range (a post with four photos) are all given.
  static func entities(_ fields: XFields?, in text: [Unicode.Scalar]) -> [XTextEntity] {
    guard let fields else { return [] }
    var finder = XEntityFinder(text: text)
    for url in fields.list("urls").prefix(maximumEntities) {
      let link = XLink(url)
      finder.add(url, .url(link), expecting: link.short, sigils: [])
    }
    for mention in fields.list("mentions").prefix(maximumEntities) {
      finder.add(mention, .mention, expecting: mention.string("username") ?? "", sigils: ["@", "＠"])
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
    let expected = Array(name.unicodeScalars)
    let start = fields.int("start") ?? -1
    let end = fields.int("end") ?? -1
    var range: Range<Int>?
    if start >= 0, start < end, end <= text.count, matches(expected, sigils, at: start) == end {
      range = start..<end
    } else {
      range = search(expected, sigils, near: start)
    }
    guard let range else { return }
    // The same range again is another attachment behind the same short link.
    let isRepeated = sigils.isEmpty && taken.contains(range)
    guard isRepeated || !taken.contains(where: { $0.overlaps(range) }) else { return }
    if !isRepeated { taken.append(range) }
    found.append(XTextEntity(range: range, kind: kind))
  }

  /// Where the entity ends if it begins here; `nil` if it does not.
  private func matches(_ expected: [Unicode.Scalar], _ sigils: [Unicode.Scalar], at start: Int) -> Int? {
    var index = start
    if !sigils.isEmpty {
      guard index < text.count, sigils.contains(text[index]) else { return nil }
      index += 1
    }
    guard index + expected.count <= text.count else { return nil }
    for scalar in expected {
      if text[index] != scalar {
        // Names are the same whatever their case; addresses are not.
        guard !sigils.isEmpty, text[index].properties.lowercaseMapping == scalar.properties.lowercaseMapping
        else {
          return matchesEscaped(expected, sigils, at: start)
        }
      }
      index += 1
    }
    return index
  }

  /// An address that holds an ampersand is escaped in the text like everything else.
  private func matchesEscaped(_ expected: [Unicode.Scalar], _ sigils: [Unicode.Scalar], at start: Int) -> Int?
  {
    guard sigils.isEmpty, expected.contains("&") else { return nil }
    let escaped = expected.flatMap { $0 == "&" ? Array("&amp;".unicodeScalars) : [$0] }
    return text[start...].starts(with: escaped) ? start + escaped.count : nil
  }

  /// The occurrence nearest to where the entity said it was, that stands free and is not taken.
  private mutating func search(
    _ expected: [Unicode.Scalar], _ sigils: [Unicode.Scalar], near start: Int
  ) -> Range<Int>? {
    guard searched <= Self.searchBudget else { return nil }
    searched += text.count
    var best: Range<Int>?
    func distance(_ index: Int) -> Int { start >= 0 && start <= text.count ? abs(index - start) : index }
    for index in text.indices {
      guard sigils.isEmpty ? text[index] == expected[0] : sigils.contains(text[index]),
        let end = matches(expected, sigils, at: index), standsFree(index..<end, isName: !sigils.isEmpty)
      else { continue }
      if let best, distance(best.lowerBound) <= distance(index) { continue }
      if taken.contains(where: { $0.overlaps(index..<end) }) { continue }
      best = index..<end
    }
    return best
  }

  /// Whether a name is not just a part of a longer word, an address not a part of a longer one.
  private func standsFree(_ range: Range<Int>, isName: Bool) -> Bool {
    func isWord(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
    }
    if range.upperBound < text.count, isWord(text[range.upperBound]) { return false }
    return !isName || range.lowerBound == 0 || !isWord(text[range.lowerBound - 1])
  }
}
