import Basics
import ThreadModel

/// The complete texts of long posts (`note-tweet.js`). They have no post ids: a post is matched by its time and the beginning of its text.
struct ArchiveNotes: Sendable {
  private struct Note: Sendable {
    /// The beginning of the text in UTF-8, as far as a post shows it.
    var beginning: [UInt8]
    /// The same text without short links.
    var words: [UInt8]
    var core: JSONObject
  }

  /// The notes by the second in which they were written.
  private var notes: [Int64: [Note]] = [:]
  private(set) var count = 0

  /// Reads an element of the file; returns whether it is a note.
  mutating func take(_ element: JSONValue) -> Bool {
    let note = element["noteTweet"] ?? element
    guard let core = note["core"]?.object, let text = core["text"]?.string,
      let time = note["createdAt"]?.string.flatMap(XVersion1Date.parse)
    else { return false }
    notes[time.seconds, default: []].append(
      Note(
        beginning: Array(text.utf8.prefix(Self.reach)),
        words: Array(Self.withoutLinks(text).utf8.prefix(Self.reach)),
        core: core))
    count += 1
    return true
  }

  /// The number of bytes of a note that are compared: more than a truncated post has.
  private static let reach = 4096
  /// The minimum number of bytes that a post and its note must have in common. With fewer, other notes could match.
  private static let certain = 10
  /// The maximum number of notes of one second that are compared: more than an account writes.
  private static let candidates = 64
  /// The maximum number of handles at the beginning of a reply, which is X's limit.
  private static let mostHandles = 50

  /// Returns the note of a post whose text was truncated and therefore ends with `…`.
  ///
  /// A note may lack the handles at the beginning of a reply, because X adds them. `handles` are these handles, with the white space after
  /// each. If several different notes match, the result is `nil`.
  func note(at time: Timestamp?, text: String) -> (core: JSONObject, handles: String)? {
    guard count > 0, let time, let beginning = Self.beginning(of: text) else { return nil }
    for second in [time.seconds, time.seconds - 1, time.seconds + 1] {
      guard let notes = notes[second]?.prefix(Self.candidates) else { continue }
      for start in Self.starts(beginning) {
        let rest = beginning[start...]
        // Only the words are compared: up to the cut, or up to the first link if the note's links are not short links.
        let words = Array(Self.withoutLinks(rest).utf8)
        let common = Array(rest[..<(rest.firstRange(of: Self.link)?.lowerBound ?? rest.endIndex)].utf8)
        for (expected, found) in [
          (words, notes.filter { $0.words.starts(with: words) }),
          (common, notes.filter { $0.beginning.starts(with: common) }),
        ] where expected.count >= Self.certain {
          guard let first = found.first else { continue }
          guard found.allSatisfy({ $0.core == first.core }) else { return nil }
          return (first.core, String(beginning[..<start]))
        }
      }
    }
    return nil
  }

  private static let link = "https://t.co/"

  /// Returns the offsets at which the text begins with all its handles, without the first, without the first two, and so on.
  private static func starts(_ text: String) -> [String.Index] {
    var starts = [text.startIndex]
    var rest = text[...]
    while rest.first == "@", starts.count <= Self.mostHandles {
      let handle = rest.dropFirst().prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
      let space = rest[handle.endIndex...].prefix(while: \.isWhitespace)
      guard (1...15).contains(handle.utf8.count), !space.isEmpty else { break }
      rest = rest[space.endIndex...]
      starts.append(rest.startIndex)
    }
    return starts
  }

  private static func withoutLinks(_ text: some StringProtocol) -> String {
    var result = ""
    var rest = Substring(text)
    while let found = rest.firstRange(of: link) {
      result += rest[..<found.lowerBound]
      rest = rest[found.upperBound...].drop { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    return result + rest
  }

  /// Returns the post's text up to the cut, unescaped; `nil` if the text was not cut.
  private static func beginning(of text: String) -> String? {
    var words = text[...]
    // The cut is followed by a link to the complete post or to media.
    while true {
      let rest = words[..<(words.lastIndex { !$0.isWhitespace }.map(words.index(after:)) ?? words.startIndex)]
      let last = rest[(rest.lastIndex(where: \.isWhitespace).map(rest.index(after:)) ?? rest.startIndex)...]
      guard last.hasPrefix(link) else { break }
      words = rest[..<last.startIndex]
      while words.last?.isWhitespace == true { words.removeLast() }
    }
    guard words.last == "…" else { return nil }
    var common = String(words.dropLast())
    for (escape, plain) in [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
      common = common.replacing(escape, with: plain)
    }
    return common
  }
}
