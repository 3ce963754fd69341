import ThreadModel

/// The `1/12` by which an author numbers the posts of a thread, at the start or at the end of a post's text.
struct ThreadCounter: Equatable {
  enum Side: Equatable {
    case head
    case tail
  }

  var side: Side
  var number: Int
  /// The second number; `nil` for `1/`, `1/n`, `1/?`.
  var total: Int?
  /// Unicode scalars that the counter takes of the text, with the white space that sets it apart.
  var length: Int

  /// How far into a text a counter may reach, white space included: scalars.
  private static let window = 24

  /// The counter that `text` starts with, else the one that it ends with.
  init?(in text: Substring) {
    if let head = Self(atStartOf: text) {
      self = head
    } else if let tail = Self(atEndOf: text) {
      self = tail
    } else {
      return nil
    }
  }

  /// `1/12 text`, `(1/12) text`, `🧵 1/ text`: white space or the text's end must follow.
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

  /// `text 1/12`, `text (1/12)`: white space must stand before it.
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

  /// Whether there is a slash as far into the text as a counter may reach.
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

/// The few shapes that a counter is made of.
struct CounterReader {
  private let scalars: [Unicode.Scalar]
  private(set) var position = 0

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  var isAtEnd: Bool { position == scalars.count }
  private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[position] }

  /// White space and the emoji 🧵, which some put beside the counter.
  mutating func skipSpaceAndThread() {
    while let next, next.isWhiteSpace || next == "🧵" || next == "\u{FE0F}" { position += 1 }
  }

  /// `1/12`, `1/`, `1/n`, `1/?`, `1/∞`, `1/🧵`, each also in brackets; `nil`, and nothing read, for all else.
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

  /// One to three digits.
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

/// The counters of a thread's posts, where they are counters: a lone `1/2` is a fraction as often.
struct CounterSequence {
  private let counters: [PostID: ThreadCounter]

  /// Empty unless the numbers go up by one with the place in the main line, gaps counted, from a single start; at least two
  /// posts and half of them have one, and those that give a total give the same.
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

  /// Scalars that are taken off the start of the post's text.
  func headLength(of post: Post) -> Int {
    guard let counter = counters[post.id], counter.side == .head else { return 0 }
    return counter.length
  }

  /// The post's text without its counter.
  func stripped(_ post: Post) -> InlineText {
    guard let counter = counters[post.id] else { return post.text }
    switch counter.side {
    case .head: return post.text.dropping(head: counter.length, tail: 0)
    case .tail: return post.text.dropping(head: 0, tail: counter.length)
    }
  }
}
