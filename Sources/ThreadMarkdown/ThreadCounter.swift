import ThreadModel

/// A counter such as `1/12` by which an author numbers the posts of a thread, at the start or at the end of a post's text.
struct ThreadCounter: Equatable {
  enum Side: Equatable {
    case head
    case tail
  }

  var side: Side
  var number: Int
  /// The second number; `nil` for `1/`, `1/n`, `1/?`.
  var total: Int?
  /// The length of the counter in Unicode scalars, including the white space that separates it from the text.
  var length: Int

  /// The length in scalars of the part of a text in which a counter may be, white space included.
  private static let window = 24

  /// Reads the counter at the start of `text`, or else the one at the end.
  init?(in text: Substring) {
    if let head = Self(atStartOf: text) {
      self = head
    } else if let tail = Self(atEndOf: text) {
      self = tail
    } else {
      return nil
    }
  }

  /// Reads `1/12 text`, `(1/12) text`, `🧵 1/ text`: white space or the text's end must follow.
  init?(atStartOf text: Substring) {
    guard text.utf8.first.map(Self.mayOpen) ?? false, Self.holdsSlash(text, at: .head) else { return nil }
    var reader = CounterReader(Array(text.unicodeScalars.prefix(Self.window)))
    reader.skipSpaceAndThread()
    guard let (number, total) = reader.counter() else { return nil }
    let ends = reader.isAtEnd
    let end = reader.position
    reader.skipSpaceAndThread()
    guard ends || reader.position > end else { return nil }
    self.init(side: .head, number: number, total: total, length: reader.position)
  }

  /// Reads `text 1/12`, `text (1/12)`: white space must precede it.
  init?(atEndOf text: Substring) {
    guard Self.holdsSlash(text, at: .tail) else { return nil }
    let scalars = Array(text.unicodeScalars.suffix(Self.window))
    let isWhole = scalars.count < Self.window
    for start in scalars.indices {
      let isApart = start == 0 ? isWhole : scalars[start - 1].isWhiteSpace
      guard isApart, !scalars[start].isWhiteSpace else { continue }
      var reader = CounterReader(Array(scalars[start...]))
      guard let (number, total) = reader.counter() else { continue }
      reader.skipSpaceAndThread()
      guard reader.isAtEnd else { continue }
      let spaces = scalars[..<start].reversed().prefix { $0.isWhiteSpace }.count
      self.init(side: .tail, number: number, total: total, length: scalars.count - start + spaces)
      return
    }
    return nil
  }

  /// Whether a counter can begin with the byte: a digit, a bracket, white space, or the first of 🧵.
  private static func mayOpen(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "("), UInt8(ascii: "["): true
    default: byte <= 0x20 || byte >= 0x80
    }
  }

  /// Whether the part of the text in which a counter may be contains a slash.
  private static func holdsSlash(_ text: Substring, at side: Side) -> Bool {
    // A scalar has at most four bytes.
    let reach = window * 4
    let found = text.utf8.withContiguousStorageIfAvailable { utf8 in
      (side == .head ? utf8.prefix(reach) : utf8.suffix(reach)).contains(UInt8(ascii: "/"))
    }
    return found ?? text.utf8.contains(UInt8(ascii: "/"))
  }

  private init(side: Side, number: Int, total: Int?, length: Int) {
    self.side = side
    self.number = number
    self.total = total
    self.length = length
  }
}

/// Parses the parts of a counter.
struct CounterReader {
  private let scalars: [Unicode.Scalar]
  private(set) var position = 0

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  var isAtEnd: Bool { position == scalars.count }
  private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[position] }

  /// Skips white space and the emoji 🧵, which some authors put beside the counter.
  mutating func skipSpaceAndThread() {
    while let next, next.isWhiteSpace || next == "🧵" || next == "\u{FE0F}" { position += 1 }
  }

  /// Reads `1/12`, `1/`, `1/n`, `1/?`, `1/∞`, `1/🧵`, each also in brackets; `nil` for any other text, of which nothing is consumed.
  mutating func counter() -> (number: Int, total: Int?)? {
    let start = position
    let closing: Unicode.Scalar? = take("(") ? ")" : take("[") ? "]" : nil
    if let number = digits(), take("/") {
      let total = digits()
      if total == nil { _ = take("n") || take("N") || take("x") || take("?") || take("∞") || take("🧵") }
      let isClosed = closing.map { take($0) } ?? true
      if isClosed, (1...999).contains(number), total.map({ $0 >= number }) ?? true {
        return (number, total)
      }
    }
    position = start
    return nil
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  /// Reads one to three digits.
  private mutating func digits() -> Int? {
    var value: Int?
    while let next, next.value >= 0x30, next.value <= 0x39 {
      guard (value ?? 0) < 100 else { return nil }
      value = (value ?? 0) * 10 + Int(next.value - 0x30)
      position += 1
    }
    return value
  }
}

/// The counters of a thread's posts, if they form a sequence: a single `1/2` may just as well be a fraction.
struct CounterSequence {
  private let counters: [PostID: ThreadCounter]

  /// Empty unless the numbers increase by one with the position in the main line, gaps counted, from a common start; at least two posts and half of
  /// all posts must have a counter, and all totals must be equal.
  init(of thread: UnrolledThread) {
    var found: [(place: Int, id: PostID, counter: ThreadCounter)] = []
    var posts = 0
    for (place, item) in thread.items.enumerated() {
      guard case .post(let threadPost) = item else { continue }
      posts += 1
      if let counter = ThreadCounter(in: threadPost.post.text.text[...]) {
        found.append((place, threadPost.post.id, counter))
      }
    }
    let offsets = Set(found.map { $0.counter.number - $0.place })
    let totals = Set(found.compactMap(\.counter.total))
    let isSequence = found.count >= 2 && found.count * 2 >= posts && offsets.count == 1 && totals.count <= 1
    counters =
      isSequence
      ? Dictionary(found.map { ($0.id, $0.counter) }, uniquingKeysWith: { first, _ in first }) : [:]
  }

  /// Returns the number of scalars that are removed from the start of the post's text.
  func headLength(of post: Post) -> Int {
    guard let counter = counters[post.id], counter.side == .head else { return 0 }
    return counter.length
  }

  /// Returns the post's text without its counter.
  func stripped(_ post: Post) -> InlineText {
    guard let counter = counters[post.id] else { return post.text }
    switch counter.side {
    case .head: return post.text.dropping(head: counter.length, tail: 0)
    case .tail: return post.text.dropping(head: 0, tail: counter.length)
    }
  }
}
