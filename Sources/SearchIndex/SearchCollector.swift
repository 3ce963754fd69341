/// What one worker gathers from the threads that it renders: a few bytes for each word, no text.
///
/// About 1.5 KB stays of a thread of twelve posts. Workers share nothing; `SearchIndex` puts their collections together.
package struct SearchCollector: Sendable {
  /// A document, and where its words are in `log`.
  struct Entry: Sendable {
    let url: String
    /// Title, author and dates, as JSON for the results.
    let record: [UInt8]
    let start: Int
    let end: Int
    /// Words of the text, those of half weight counted by half: in halves.
    let length: Int
    /// Words of the title.
    let titleLength: Int
  }

  /// Where a word was met; the raw value goes into the low bits of a sorting key.
  enum Place: UInt64 {
    case title, label, half, full
  }

  private(set) var terms = TermTable()
  /// For each document its terms by number: the distance from the term before, in the title (1 bit), a label (1 bit); its weight
  /// in the text, in halves; how many positions there are, and their distances.
  private(set) var log: [UInt8] = []
  private(set) var entries: [Entry] = []

  private var tokenizer = SearchTokenizer()
  private var occurrences: [UInt64] = []
  private var sorting = RadixSorting()

  package init() {}

  /// Adds a document.
  package mutating func add(_ document: SearchDocument) {
    occurrences.removeAll(keepingCapacity: true)
    let titleLength = read(document.title, from: 0, as: .title)
    var position = titleLength + Self.gap
    var length = 0
    for passage in document.passages {
      let end = read(passage.text, from: position, as: passage.weight == .full ? .full : .half)
      length += (end - position) * passage.weight.rawValue
      position = end + Self.gap
    }
    readLabels(of: document)
    let start = log.count
    writeOccurrences()
    entries.append(
      Entry(
        url: document.url, record: SearchRecord.json(of: document), start: start, end: log.count,
        length: length, titleLength: titleLength))
  }

  /// Positions between two passages, so that no phrase and no nearness reaches across.
  private static let gap = 8

  /// - Returns: the position behind the text.
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

  /// Term, position, place, from the high bits to the low.
  private static func key(of term: Int, _ position: Int, _ place: Place) -> UInt64 {
    UInt64(term) << 32 | UInt64(position) << 2 | place.rawValue
  }

  /// Tags and authors as words, and each as a whole for `tag:` and `from:`.
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

  /// All letters and digits of a name as one term behind a sign that no word can hold.
  private mutating func noteWhole(_ name: String, after sign: UInt8) {
    let whole = [sign] + tokenizer.whole(name)
    guard whole.count > 1 else { return }
    let number = whole.withUnsafeBufferPointer { terms.number(of: $0) }
    occurrences.append(Self.key(of: number, 0, .label))
  }

  /// Moves the document's words to the log, sorted by term; those of a term are in their order already.
  private mutating func writeOccurrences() {
    sorting.sort(&occurrences, by: 32)
    occurrences.withUnsafeBufferPointer { all in
      var index = 0
      var previous = 0
      while index < all.count {
        let number = Int(all[index] >> 32)
        var end = index
        while end < all.count, Int(all[end] >> 32) == number { end += 1 }
        log.append(term: number - previous, UnsafeBufferPointer(rebasing: all[index..<end]))
        previous = number
        index = end
      }
    }
  }
}

extension [UInt8] {
  /// A term and how a document uses it, for the log.
  fileprivate mutating func append(term distance: Int, _ occurrences: UnsafeBufferPointer<UInt64>) {
    var (isTitle, isLabel, weight, positions) = (0, 0, 0, 0)
    for occurrence in occurrences {
      switch SearchCollector.Place(rawValue: occurrence & 3) {
      case .title: isTitle = 1
      case .label: isLabel = 1
      case .half: weight += 1
      case .full, nil: weight += 2
      }
      if occurrence & 3 != SearchCollector.Place.label.rawValue { positions += 1 }
    }
    append(varint: distance << 2 | isTitle << 1 | isLabel)
    append(varint: weight)
    append(varint: positions)
    var last = 0
    for occurrence in occurrences where occurrence & 3 != SearchCollector.Place.label.rawValue {
      let position = Int(occurrence & 0xFFFF_FFFF) >> 2
      append(varint: position - last)
      last = position
    }
  }
}
