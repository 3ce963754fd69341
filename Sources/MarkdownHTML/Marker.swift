/// A comment with a meaning: `<!-- name -->`, `<!-- name id key=value -->`, `<!-- /name -->`.
enum Marker {
  case open(ComponentKind, MarkerArguments)
  case close(ComponentKind)
  /// The share of a poll's choice, unchanged from the document: a number from 0 to 100.
  case meter(Slice<UnsafeBufferPointer<UInt8>>)
  case winner
  /// The separator between a poll's choice and its share, for readers without the style sheet, which puts the share at the line's end.
  case dash
  /// The words for a poll's share, which end at its meter.
  case votes
  /// The number of a heading, which the second of these ends.
  case number
  case endOfNumber

  typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// `nil` for any other HTML, which is dropped.
  ///
  /// - Parameters:
  ///   - html: A block or an inline piece of raw HTML from cmark.
  ///   - line: Its line, for the error.
  /// - Throws: If the name is known but its arguments are not. Such a marker is a template's mistake, and dropping it would lose its
  ///   contents.
  init?(_ html: UnsafeBufferPointer<UInt8>, line: Int) throws(MarkdownHTMLError) {
    guard var words = CommentWords(html), let first = words.next() else { return nil }
    let isClosing = first.first == UInt8(ascii: "/")
    let kind = ComponentKind(isClosing ? first.dropFirst() : first)
    let isMeter = kind == nil && first.elementsEqual("meter".utf8)
    let sole: Marker? =
      switch true {
      case kind != nil || isMeter: nil
      case first.elementsEqual("winner".utf8): .winner
      case first.elementsEqual("dash".utf8): .dash
      case first.elementsEqual("votes".utf8): .votes
      case first.elementsEqual("number".utf8): .number
      case first.elementsEqual("/number".utf8): .endOfNumber
      default: nil
      }
    guard kind != nil || isMeter || sole != nil else { return nil }
    // A comment in prose that happens to begin with a name: "<!-- text is set in two columns -->".
    guard words.areArguments else { return nil }
    guard !words.isFollowedByText else {
      throw MarkdownHTMLError(
        line: line,
        message:
          "The marker <!-- \(string(first)) --> must stand alone on its line or, for winner, meter and number, "
          + "after other text: the text after it would be lost.")
    }
    if let kind, !isClosing {
      self = .open(kind, try MarkerArguments(&words, of: kind, line: line))
    } else if isMeter {
      guard let share = words.next(), words.next() == nil, isShare(share) else {
        throw MarkdownHTMLError(
          line: line, message: "A meter needs one number from 0 to 100, as in <!-- meter 45.2 -->.")
      }
      self = .meter(share)
    } else {
      guard words.next() == nil else {
        throw MarkdownHTMLError(
          line: line, message: "The marker <!-- \(string(first)) --> takes nothing after its name.")
      }
      guard let marker = kind.map({ .close($0) }) ?? sole else { return nil }
      self = marker
    }
  }
}

/// The arguments after the name of an opening marker.
struct MarkerArguments {
  var id: Marker.Bytes?
  /// The length of a pause in weeks, from 0 to 99; `nil` if the marker does not name it.
  var weeks: Int?
  var language: Marker.Bytes?
  var direction: Marker.Bytes?

  init() {}

  /// The id and the keys come from the template, so mistakes in them are errors. The values of the keys come from a network, so invalid
  /// values are left out.
  init(_ words: inout CommentWords, of kind: ComponentKind, line: Int) throws(MarkdownHTMLError) {
    var rest = words
    if kind == .header, let word = rest.next(), isID(word) {
      id = word
      words = rest
    } else if kind == .pause, let word = rest.next(), !word.contains(UInt8(ascii: "=")) {
      guard word.count <= 2, word.allSatisfy(isDigit), let number = Int(string(word)) else {
        throw MarkdownHTMLError(
          line: line,
          message: "The marker pause allows a number of weeks from 0 to 99, as in <!-- pause 3 -->.")
      }
      weeks = number
      words = rest
    } else if kind.needsID {
      guard let word = words.next(), isID(word) else {
        throw MarkdownHTMLError(
          line: line,
          message: "The marker \(kind) needs an id of letters, digits and . _ : - after its name, "
            + "as in <!-- \(kind) 20 -->.")
      }
      id = word
    }
    while let word = words.next() {
      guard let equals = word.firstIndex(of: UInt8(ascii: "=")) else {
        throw MarkdownHTMLError(line: line, message: "The marker \(kind) does not allow “\(string(word))”.")
      }
      let value = word[word.index(after: equals)...]
      let key = word[..<equals]
      if key.elementsEqual("lang".utf8) {
        if isLanguage(value) { language = value }
      } else if key.elementsEqual("dir".utf8) {
        if isDirection(value) { direction = value }
      } else {
        throw MarkdownHTMLError(
          line: line, message: "The marker \(kind) does not allow “\(string(key))”; there are lang and dir.")
      }
    }
  }
}

// MARK: - Checks of words

private func string(_ bytes: Marker.Bytes) -> String {
  String(decoding: bytes, as: UTF8.self)
}

private func isID(_ word: Marker.Bytes) -> Bool {
  word.allSatisfy { isASCIILetterOrDigit($0) || ".:_-".utf8.contains($0) }
}

/// Whether a word has the characters and the approximate length of a BCP 47 tag.
private func isLanguage(_ word: Marker.Bytes) -> Bool {
  (1...35).contains(word.count) && word.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "-") }
}

private func isDirection(_ word: Marker.Bytes) -> Bool {
  word.elementsEqual("ltr".utf8) || word.elementsEqual("rtl".utf8) || word.elementsEqual("auto".utf8)
}

/// Whether a word consists of digits and at most one point, so that the number can be copied unchanged.
private func isShare(_ word: Marker.Bytes) -> Bool {
  guard let last = word.last, isDigit(last), isDigit(word[word.startIndex]), word.count <= 20,
    word.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }), let number = Double(string(word))
  else { return false }
  return number <= 100
}

func isDigit(_ byte: UInt8) -> Bool {
  byte &- 0x30 < 10
}

func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
  isDigit(byte) || (byte | 0x20) &- 0x61 < 26
}

/// The words of raw HTML that begins with a comment on one line.
struct CommentWords {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>
  /// Whether anything but white space follows the comment.
  let isFollowedByText: Bool

  /// `nil` if `html` does not begin with a comment that ends on the same line.
  init?(_ html: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while start < html.count, Self.isSpace(html[start]) { start += 1 }
    guard start + 4 <= html.count, html[start] == UInt8(ascii: "<"), html[start + 1] == UInt8(ascii: "!"),
      html[start + 2] == UInt8(ascii: "-"), html[start + 3] == UInt8(ascii: "-")
    else { return nil }
    // Ends at the first "-->"; without one the initializer fails.
    var end = start + 4
    while true {
      guard end + 2 < html.count, html[end] != UInt8(ascii: "\n") else { return nil }
      if html[end] == UInt8(ascii: "-"), html[end + 1] == UInt8(ascii: "-"),
        html[end + 2] == UInt8(ascii: ">")
      {
        break
      }
      end += 1
    }
    rest = html[(start + 4)..<end]
    isFollowedByText = html[(end + 3)...].contains { !Self.isSpace($0) }
  }

  mutating func next() -> Slice<UnsafeBufferPointer<UInt8>>? {
    rest = rest.drop(while: Self.isSpace)
    guard !rest.isEmpty else { return nil }
    let word = rest.prefix { !Self.isSpace($0) }
    rest = rest.dropFirst(word.count)
    return word
  }

  /// Whether the remaining words are at most one word of any kind followed by `key=value` words.
  var areArguments: Bool {
    var words = self
    _ = words.next()
    while let word = words.next() {
      guard word.contains(UInt8(ascii: "=")) else { return false }
    }
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
