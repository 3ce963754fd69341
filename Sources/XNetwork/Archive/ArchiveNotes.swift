import Basics
import ThreadModel

/// The whole texts of long posts (`note-tweet.js`), which carry no post's id: a post is known by its time and by how the text
/// begins.
struct ArchiveNotes: Sendable {
  private struct Note: Sendable {
    /// UTF-8, no more of it than a post shows.
    var beginning: [UInt8]
    /// The same without its short links.
    var words: [UInt8]
    var core: JSONObject
  }

  /// By the second in which they were written.
  private var notes: [Int64: [Note]] = [:]
  private(set) var count = 0

  /// Takes an element of the file; gives whether it is a note.
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

  /// Bytes of a note that are compared: more than a cut post has.
  private static let reach = 4096
  /// Bytes that post and note must have in common; fewer could be any note's.
  private static let certain = 10
  /// Notes of one second that are looked through: more than anybody writes.
  private static let candidates = 64
  /// Handles that an answer may begin with: as many as X lets it name.
  private static let mostHandles = 50

  /// The note of a post whose text was cut, which it says by ending in `…`.
  ///
  /// A note may lack the handles that its answer begins with, because X puts them there itself: `handles` are those, with the
  /// white space behind them. Where several notes fit and are not the same, none is given.
  func note(at time: Timestamp?, text: String) -> (core: JSONObject, handles: String)? {
    guard count > 0, let time, let beginning = Self.beginning(of: text) else { return nil }
    for second in [time.seconds, time.seconds - 1, time.seconds + 1] {
      guard let notes = notes[second]?.prefix(Self.candidates) else { continue }
      for start in Self.starts(beginning) {
        let rest = beginning[start...]
        // The words alone, as far as the cut; where the note's links are not short ones, as far as the first link.
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

  /// Where the text begins, and where it does without its first handle, its first two, and so on.
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

  /// The post's text as far as the cut, the escapes undone; `nil` where nothing was cut.
  private static func beginning(of text: String) -> String? {
    var words = text[...]
    // Behind the cut stands a link to the whole, or to media.
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
