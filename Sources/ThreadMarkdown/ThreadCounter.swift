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

  /// Reads the counter at the start of a text or, if that is missing, the one at its end.
  init?(in text: String) {
    // A scalar has at most four bytes. Few texts have a slash there.
    func holdsSlash(_ bytes: Substring.UTF8View) -> Bool { bytes.contains(UInt8(ascii: "/")) }
    let scalars = text.unicodeScalars
    if holdsSlash(text.utf8.prefix(4 * Self.window)),
      let head = Self(atStartOf: Array(scalars.prefix(Self.window))[...])
    {
      self = head
    } else if holdsSlash(text.utf8.suffix(4 * Self.window)),
      let tail = Self(atEndOf: Array(scalars.suffix(Self.window))[...])
    {
      self = tail
    } else {
      return nil
    }
  }

  /// Reads `1/12 text`, `(1/12) text`, `🧵 1/ text`: white space or the text's end must follow.
  init?(atStartOf text: ArraySlice<Unicode.Scalar>) {
    let text = text.prefix(Self.window)
    guard let (number, total, end) = Self.read(at: Self.afterSpace(text.startIndex, in: text), in: text)
    else {
      return nil
    }
    let rest = Self.afterSpace(end, in: text)
    guard rest > end || end == text.endIndex else { return nil }
    self.init(side: .head, number: number, total: total, length: rest - text.startIndex)
  }

  /// Reads `text 1/12`, `text (1/12)`: white space must precede it.
  init?(atEndOf text: ArraySlice<Unicode.Scalar>) {
    let text = text.suffix(Self.window)
    guard text.contains("/") else { return nil }
    for start in text.indices where !text[start].isWhiteSpace {
      let before = text[..<start]
      guard before.last?.isWhiteSpace ?? (text.count < Self.window),
        let (number, total, end) = Self.read(at: start, in: text),
        Self.afterSpace(end, in: text) == text.endIndex
      else { continue }
      let spaces = before.reversed().prefix(while: \.isWhiteSpace).count
      self.init(side: .tail, number: number, total: total, length: text.endIndex - start + spaces)
      return
    }
    return nil
  }

  private init(side: Side, number: Int, total: Int?, length: Int) {
    self.side = side
    self.number = number
    self.total = total
    self.length = length
  }

  /// Returns the place after white space and the emoji 🧵, which some authors put beside the counter.
  private static func afterSpace(_ start: Int, in text: ArraySlice<Unicode.Scalar>) -> Int {
    text[start...].prefix { $0.isWhiteSpace || $0 == "🧵" || $0 == "\u{FE0F}" }.endIndex
  }

  /// Reads `1/12`, `1/`, `1/n`, `1/?`, `1/∞`, `1/🧵`, each also in brackets; `nil` for any other text.
  private static func read(
    at start: Int, in text: ArraySlice<Unicode.Scalar>
  ) -> (number: Int, total: Int?, end: Int)? {
    var rest = text[start...]
    func take(_ scalars: String) -> Bool {
      guard let next = rest.first, scalars.unicodeScalars.contains(next) else { return false }
      rest.removeFirst()
      return true
    }
    /// Reads a number of at most three digits.
    func number() -> Int? {
      let digits = rest.prefix { "0"..."9" ~= $0 }
      guard 1...3 ~= digits.count else { return nil }
      rest = rest[digits.endIndex...]
      return digits.reduce(0) { 10 * $0 + Int($1.value - 0x30) }
    }
    let closing = take("(") ? ")" : take("[") ? "]" : nil
    guard let first = number(), first > 0, take("/") else { return nil }
    let total = number()
    if total == nil { _ = take("nNx?∞🧵") }
    guard closing.map(take) ?? true, total ?? first >= first else { return nil }
    return (first, total, rest.startIndex)
  }
}

/// The counters of a thread's posts, if they form a sequence: a single `1/2` may just as well be a fraction.
struct CounterSequence {
  private let counters: [PostID: ThreadCounter]

  /// Empty unless the counters form a sequence: the numbers increase by one with the position in the main line, including gaps, from a
  /// common start. At least two posts and half of all posts must have a counter, and all totals must be equal.
  init(of thread: UnrolledThread) {
    var found: [(place: Int, id: PostID, counter: ThreadCounter)] = []
    var posts = 0
    for (place, item) in thread.items.enumerated() {
      guard case .post(let threadPost) = item else { continue }
      posts += 1
      if let counter = ThreadCounter(in: threadPost.post.text.text) {
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

extension InlineText {
  /// The text without its first `head` and its last `tail` Unicode scalars; entities that reach into them are dropped.
  func dropping(head: Int, tail: Int) -> InlineText {
    guard head > 0 || tail > 0 else { return self }
    let kept = head..<max(head, text.unicodeScalars.count - tail)
    let moved = entities.filter {
      kept.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= kept.upperBound
    }.map {
      TextEntity($0.range.lowerBound - head..<$0.range.upperBound - head, $0.kind)
    }
    return InlineText(String(text.unicodeScalars.dropFirst(head).prefix(kept.count)), entities: moved)
  }
}
