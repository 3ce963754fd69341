/// Splits documents into terms: the words of titles, texts and labels with their positions.
///
/// Each worker has one analyzer, whose memory is reused for the next document. The result depends only on the document.
package struct SearchAnalyzer: Sendable {
  /// The part of a document that contains a word. The raw value is stored in the low bits of a sorting key.
  private enum Place: UInt64 {
    case title, label, half, full
  }

  private var tokenizer = SearchTokenizer()
  /// The terms of the current document.
  private var terms = TermTable()
  private var occurrences: [UInt64] = []
  private var sorting = RadixSorting()

  package init() {}

  package mutating func terms(of document: SearchDocument) -> SearchTerms {
    occurrences.removeAll(keepingCapacity: true)
    terms.removeAll()
    let titleLength = read(document.title, from: 0, as: .title)
    var position = Self.start(behind: titleLength)
    var length = 0
    for passage in document.passages {
      let end = read(passage.text, from: position, as: passage.weight == .full ? .full : .half)
      length += (end - position) * passage.weight.rawValue
      position = Self.start(behind: end)
    }
    readLabels(of: document)
    return SearchTerms(
      url: document.url, record: SearchRecord.json(of: document), length: length, titleLength: titleLength,
      log: log())
  }

  /// The minimum number of positions between two passages, so that no phrase or proximity match crosses passages.
  private static let gap = 8
  /// Passages begin at multiples of this number, so that an additional word in one passage moves the words of the others only if the
  /// passage exceeds its room.
  private static let room = 32

  /// Returns the position at which the next passage begins.
  private static func start(behind end: Int) -> Int { (end + gap + room - 1) / room * room }

  /// - Returns: the position after the text.
  private mutating func read(_ text: String, from position: Int, as place: Place) -> Int {
    Self.read(text, position, place, &tokenizer, &terms, &occurrences)
  }

  private static func read(
    _ text: String, _ position: Int, _ place: Place, _ tokenizer: inout SearchTokenizer,
    _ terms: inout TermTable, _ occurrences: inout [UInt64]
  ) -> Int {
    tokenizer.forEachTerm(in: text, from: position) { term, position in
      occurrences.append(key(of: terms.number(of: term), position, place))
    }
  }

  /// Returns a sorting key with the term, the position and the place, from the high bits to the low.
  private static func key(of term: Int, _ position: Int, _ place: Place) -> UInt64 {
    UInt64(term) << 32 | UInt64(position) << 2 | place.rawValue
  }

  /// Reads tags and authors as words, and each of them also as a whole for `tag:` and `from:`.
  private mutating func readLabels(of document: SearchDocument) {
    for tag in document.tags {
      _ = read(tag, from: 0, as: .label)
      noteWhole(tag, after: UInt8(ascii: "#"))
    }
    for name in document.authorNames {
      _ = read(name, from: 0, as: .label)
      noteWhole(name, after: UInt8(ascii: "@"))
    }
  }

  /// Records all letters and digits of a name as one term, after a sign that no word contains.
  private mutating func noteWhole(_ name: String, after sign: UInt8) {
    let whole = [sign] + tokenizer.whole(name)
    guard whole.count > 1 else { return }
    let number = whole.withUnsafeBufferPointer { terms.number(of: $0) }
    occurrences.append(Self.key(of: number, 0, .label))
  }

  /// Returns the document's words sorted by term; the words of a term keep their order.
  private mutating func log() -> [UInt8] {
    sorting.sort(&occurrences, by: 32)
    var log: [UInt8] = []
    log.reserveCapacity(occurrences.count * 6)
    occurrences.withUnsafeBufferPointer { all in
      var index = 0
      while index < all.count {
        let number = Int(all[index] >> 32)
        var end = index
        while end < all.count, Int(all[end] >> 32) == number { end += 1 }
        let term = terms[number]
        log.append(varint: term.count)
        log += term
        Self.append(UnsafeBufferPointer(rebasing: all[index..<end]), to: &log)
        index = end
      }
    }
    return log
  }

  /// Appends the use of a term in the document.
  private static func append(_ occurrences: UnsafeBufferPointer<UInt64>, to log: inout [UInt8]) {
    var (isTitle, isLabel, weight, positions) = (0, 0, 0, 0)
    for occurrence in occurrences {
      switch Place(rawValue: occurrence & 3) {
      case .title: isTitle = 1
      case .label: isLabel = 1
      case .half: weight += 1
      case .full, nil: weight += 2
      }
      if occurrence & 3 != Place.label.rawValue { positions += 1 }
    }
    log.append(varint: isTitle << 1 | isLabel)
    log.append(varint: weight)
    log.append(varint: positions)
    var last = 0
    for occurrence in occurrences where occurrence & 3 != Place.label.rawValue {
      let position = Int(occurrence & 0xFFFF_FFFF) >> 2
      log.append(varint: position - last)
      last = position
    }
  }
}
