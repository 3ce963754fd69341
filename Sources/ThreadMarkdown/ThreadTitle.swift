package import ThreadModel
package import Wording

/// What a thread is called where the user gives it no name.
package enum ThreadTitle {
  /// Characters of the longest title.
  static let limit = 80
  /// Scalars looked at: enough for any title, however long an article is.
  private static let window = 1000
  /// A sentence of fewer characters ("So.", "No.") takes the next one with it.
  private static let shortest = 12

  /// The headline of the first post, else its first sentence, shortened at a word; "Thread by @handle" where the first
  /// post has no words.
  package static func make(from thread: UnrolledThread, in wording: Wording) -> String {
    if let post = thread.firstPost {
      if let title = PlainText.nonEmptyLine(post.title) { return PlainText.shortened(title, to: limit) }
      let sentence = firstSentence(of: post.text)
      if !sentence.isEmpty { return PlainText.shortened(sentence, to: limit) }
    }
    let name =
      PlainText.nonEmptyLine(thread.author.handle).map { "@" + $0 }
      ?? PlainText.nonEmptyLine(thread.author.name)
    return name.map { wording.text(.threadBy, ["name": $0]) } ?? wording.text(.thread)
  }

  /// The first sentence of a post on one line; its content warning where it has one, empty where it has no words.
  static func opening(of post: Post) -> String {
    PlainText.nonEmptyLine(post.contentWarning) ?? firstSentence(of: post.text)
  }

  private static func firstSentence(of text: InlineText) -> String {
    let words = text.withoutFurniture.unicodeScalars
    // A scalar has at least a byte; counting bytes is cheaper.
    let opening = text.text.utf8.count <= window ? words : words.prefix(window)
    let end = sentenceEnd(in: opening)
    var sentence = PlainText.singleLine(Substring(opening[..<end]))
    while let last = sentence.last, last == "." || last == ":" || last == "：" || last == "。",
      !sentence.hasSuffix("..")
    { sentence.removeLast() }
    return PlainText.singleLine(sentence)
  }

  /// Behind the first full stop, question or exclamation mark that ends a sentence, or at the end of a line.
  private static func sentenceEnd(in text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView.Index {
    let utf8 = Substring(text).utf8
    var index = text.startIndex
    // How far `index` is: in scalars, which are what a sentence's length is counted in, and in bytes.
    var length = 0
    var bytes = 0
    while true {
      // What ends no sentence is passed over by bytes: of ASCII, so that each is a scalar.
      let ordinary = ordinaryBytes(of: utf8, from: bytes)
      index = utf8.index(index, offsetBy: ordinary)
      length += ordinary
      bytes += ordinary
      guard index < text.endIndex else { return index }
      let scalar = text[index]
      let next = text.index(after: index)
      if scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}" {
        if length >= shortest { return index }
      } else if isFullWidthStop(scalar) {
        if length >= shortest / 2 { return endOfClosing(in: text, from: next) }
      } else if scalar == "." || scalar == "?" || scalar == "!" || scalar == "…" || scalar == "؟"
        || scalar == "۔" || scalar == "।"
      {
        let end = endOfClosing(in: text, from: next)
        let isApart = end == text.endIndex || text[end].isWhiteSpace
        if isApart, length >= shortest, scalar != "." || !isAbbreviation(text[..<index], before: text[end...])
        {
          return end
        }
      }
      length += 1
      bytes += UTF8.width(scalar)
      index = next
    }
  }

  /// How many bytes from `start` on are ASCII and end neither a sentence nor a line.
  private static func ordinaryBytes(of text: Substring.UTF8View, from start: Int) -> Int {
    let count = text.withContiguousStorageIfAvailable { utf8 in
      let rest = utf8[start...]
      return (rest.firstIndex { !isOrdinary($0) } ?? rest.endIndex) - start
    }
    return count ?? text.dropFirst(start).prefix(while: isOrdinary).count
  }

  private static func isOrdinary(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "!"):
      false
    default: byte < 0x80
    }
  }

  /// Marks that end a sentence in scripts that put no space behind it.
  private static func isFullWidthStop(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "。" || scalar == "！" || scalar == "？"
  }

  /// Behind the quotes, brackets and further marks that belong to the sentence.
  private static func endOfClosing(
    in text: Substring.UnicodeScalarView, from start: Substring.UnicodeScalarView.Index
  ) -> Substring.UnicodeScalarView.Index {
    text[start...].firstIndex { !belongsToEnd($0) } ?? text.endIndex
  }

  private static func belongsToEnd(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "?", "!", "\"", "'", ")", "]", "…", "”", "’", "»", "」", "』", "）": true
    default: false
    }
  }

  /// Whether a full stop behind `text` rather belongs to a short word ("e.g.", "Dr.", "A."), or what comes goes on in small
  /// letters.
  private static func isAbbreviation(
    _ text: Substring.UnicodeScalarView, before rest: Substring.UnicodeScalarView
  ) -> Bool {
    let word = text.reversed().prefix { $0.isAlphabetic || $0 == "." }
    if (1...2).contains(word.count) || word.contains(".") { return true }
    return rest.first { !$0.isWhiteSpace }?.isLowercase ?? false
  }
}

extension UnrolledThread {
  /// The first post of the main line that is here.
  var firstPost: Post? {
    for case .post(let threadPost) in items { return threadPost.post }
    return nil
  }
}
