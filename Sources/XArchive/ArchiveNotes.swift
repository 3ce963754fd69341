import JSONText
import ThreadModel
import XAPI

/// The whole texts of long posts (`note-tweet.js`), which carry no post's id: a post is known by its time and by how the text
/// begins.
struct ArchiveNotes: Sendable {
  private struct Note: Sendable {
    var text: String
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
    notes[time.seconds, default: []].append(Note(text: text, core: core))
    count += 1
    return true
  }

  /// The note of a post whose text was cut, which it says by ending in `…`.
  func note(at time: Timestamp?, text: String) -> JSONObject? {
    guard count > 0, let time, let beginning = Self.beginning(of: text) else { return nil }
    for second in [time.seconds, time.seconds - 1, time.seconds + 1] {
      let found = notes[second]?.first { $0.text.hasPrefix(beginning) }
      if let found { return found.core }
    }
    return nil
  }

  /// What post and note have in common for certain: as far as the first link, the escapes undone; `nil` where nothing was cut.
  private static func beginning(of text: String) -> String? {
    var words = text[...]
    // Behind the cut stands a link to the whole, or to media.
    while let last = words.split(whereSeparator: \.isWhitespace).last, last.hasPrefix("https://t.co/") {
      words = words[..<last.startIndex]
      while words.last?.isWhitespace == true { words.removeLast() }
    }
    guard words.last == "…" else { return nil }
    var common = String(words.dropLast())
    if let link = common.firstRange(of: "https://t.co/") { common = String(common[..<link.lowerBound]) }
    for (escape, plain) in [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
      common = common.replacing(escape, with: plain)
    }
    return common
  }
}
