package import ThreadModel

/// The table of contents of a long thread.
///
/// Few authors of threads write headings. If at least three posts begin with a kind of heading (a headline, "3. Bread", "Part two:", a short separate
/// line), these are the entries. Otherwise a few posts are chosen at roughly even distances of text; among neighbours, posts after a pause of the
/// author and long posts are preferred. Their first words become the entries.
package enum ThreadOutline {
  /// The minimum number of posts: shorter threads need no table of contents.
  private static let fewestPosts = 12
  /// The maximum number of entries.
  private static let mostEntries = 24
  /// The maximum number of characters of an entry.
  private static let titleLimit = 64

  package struct Entry: Hashable, Sendable {
    package var title: String
    /// The id of the target element in the body.
    package var anchor: String
    /// The number of the post, from 1, if it belongs to the main line.
    package var number: Int?
    /// The label of the side branch ("1", "2"), if the entry is one.
    package var branch: String?
  }

  /// Returns the entries in reading order; empty for a short thread, or if the posts have no words.
  package static func make(from thread: UnrolledThread) -> [Entry] {
    let posts = thread.mainPosts
    guard posts.count >= fewestPosts else { return [] }
    let openings = self.openings(of: posts)
    var chosen = openings.filter { $0.heading != nil }
    if chosen.count < 3 {
      chosen = spread(openings, over: posts.count)
    } else if chosen.count > mostEntries {
      chosen = everyNth(chosen)
    }
    guard chosen.count >= 3 else { return [] }
    var entries: [Entry] = []
    var next = chosen[...]
    for (position, threadPost) in posts.enumerated() {
      if let opening = next.first, opening.position == position {
        next.removeFirst()
        if let entry = entry(of: threadPost.post, opening) { entries.append(entry) }
      }
      for branch in threadPost.branches {
        if let entry = entry(of: branch) { entries.append(entry) }
      }
    }
    return entries
  }

  private static func entry(of post: Post, _ opening: Opening) -> Entry? {
    let title = opening.heading ?? ThreadTitle.opening(of: post)
    guard !title.isEmpty else { return nil }
    return Entry(
      title: PlainText.shortened(title, to: titleLimit),
      anchor: "post-" + MarkdownPieces.anchor(post.id.value), number: opening.position + 1)
  }

  private static func entry(of branch: SideBranch) -> Entry? {
    for case .post(let threadPost) in branch.items {
      return Entry(
        title: PlainText.shortened(ThreadTitle.opening(of: threadPost.post), to: titleLimit),
        anchor: "branch-" + MarkdownPieces.anchor(branch.label), branch: branch.label)
    }
    return nil
  }

  /// The data of a post by which entries are chosen.
  private struct Opening {
    let position: Int
    let heading: String?
    /// Bytes of text before this post, with pictures counted as a few lines.
    let offset: Int
    let length: Int
    /// The time since the post before, in milliseconds.
    let pause: Int64
  }

  /// Returns the openings of all posts with a text, except the first post, with which the page begins.
  private static func openings(of posts: [ThreadPost]) -> [Opening] {
    var openings: [Opening] = []
    var offset = 0
    var previous: Timestamp?
    for (position, threadPost) in posts.enumerated() {
      let post = threadPost.post
      let length = post.text.text.utf8.count + (post.media.isEmpty ? 0 : 200)
      let pause = previous.flatMap { earlier in post.createdAt.map { $0.milliseconds - earlier.milliseconds }
      }
      if position > 0, !post.text.text.isEmpty {
        openings.append(
          Opening(
            position: position, heading: ThreadHeading.make(from: post), offset: offset, length: length,
            pause: pause ?? 0))
      }
      offset += length
      previous = post.createdAt ?? previous
    }
    return openings
  }

  private static func spread(_ openings: [Opening], over posts: Int) -> [Opening] {
    guard let last = openings.last else { return [] }
    let count = min(max(posts / 4, 4), 10)
    let whole = last.offset + last.length
    var chosen: [Opening] = []
    for part in 1..<count {
      let ideal = whole * part / count
      let reach = max(whole / (2 * count), 1)
      let from = chosen.last?.position ?? 0
      let near = openings.filter { $0.position > from + 1 && abs($0.offset - ideal) <= reach }
      let best = near.max {
        let (left, right) = (worth($0, ideal, reach), worth($1, ideal, reach))
        return left == right ? $0.position > $1.position : left < right
      }
      if let best { chosen.append(best) }
    }
    return chosen
  }

  /// Returns how suitable a post is for an entry: points for the features that distinguish it, minus up to two for its distance from the ideal place.
  private static func worth(_ opening: Opening, _ ideal: Int, _ reach: Int) -> Int {
    let hour: Int64 = 3_600_000
    var points = 0
    if opening.heading != nil { points += 40 }
    if opening.pause >= 6 * hour { points += 30 } else if opening.pause >= hour / 2 { points += 15 }
    if opening.length >= 240 { points += 8 }
    return points - 20 * abs(opening.offset - ideal) / reach
  }

  private static func everyNth(_ openings: [Opening]) -> [Opening] {
    let step = (openings.count + mostEntries - 1) / mostEntries
    return openings.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element)
  }
}

/// Recognises headings in posts, which have no markup for them.
enum ThreadHeading {
  /// The maximum number of characters of a heading.
  static let longest = 70

  /// Returns the headline of a post, or its first line if that reads like a heading; `nil` otherwise.
  static func make(from post: Post) -> String? {
    if let title = PlainText.nonEmptyLine(post.title) { return title }
    guard PlainText.nonEmptyLine(post.contentWarning) == nil, mayHaveOne(post.text) else { return nil }
    let text = post.words
    let end = text.utf8.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? text.endIndex
    // A character has a few bytes at most; counting bytes is faster.
    guard text.utf8.distance(from: text.startIndex, to: end) <= 4 * longest else { return nil }
    let line = PlainText.singleLine(text[..<end])
    guard !line.isEmpty, !PlainText.isLonger(line, than: longest) else { return nil }
    let rest = text[end...]
    if isNumbered(line) { return line }
    guard rest.contains(where: { !$0.isWhitespace }) else { return nil }
    if line.hasSuffix(":") { return String(line.dropLast()) }
    return isSetApart(rest) && !endsSentence(line) ? line : nil
  }

  /// Whether a line begins like `3. Bread`, `3) Bread`, `3: Bread`, `3️⃣ Bread`, `#3 Bread`, `Part 3`.
  private static func isNumbered(_ line: String) -> Bool {
    var start = line.utf8.prefix(24).map(lowercased)[...]
    if start.first == UInt8(ascii: "#") { start.removeFirst() }
    if let word = countingWords.first(where: { start.starts(with: $0) }) {
      return start.dropFirst(word.count).first.map(isDigit) ?? false
    }
    let digits = start.prefix(while: isDigit).count
    guard (1...3).contains(digits) else { return false }
    let rest = start.dropFirst(digits)
    // Accepts the keycap of an emoji digit (U+FE0F, U+20E3), or punctuation followed by a blank, so that 3.5 counts as a number.
    if rest.starts(with: [0xEF, 0xB8, 0x8F]) || rest.starts(with: [0xE2, 0x83, 0xA3]) { return true }
    return [". ", ") ", ": "].contains { rest.starts(with: $0.utf8) }
  }

  /// Words before a number, with the blank after them.
  private static let countingWords: [[UInt8]] = [
    "part", "step", "chapter", "lesson", "rule", "day", "no.", "teil", "parte", "partie",
  ].map { Array("\($0) ".utf8) }

  static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// Whether the text begins with an empty line.
  private static func isSetApart(_ rest: Substring) -> Bool {
    rest.prefix { $0.isWhitespace }.count { $0.isNewline } >= 2
  }

  private static func endsSentence(_ line: String) -> Bool {
    line.unicodeScalars.last.map { ".,;…。，、".unicodeScalars.contains($0) } ?? false
  }

  /// Whether a text may begin with a heading. Its bytes decide this for nearly all posts; the others are analysed completely.
  private static func mayHaveOne(_ text: InlineText) -> Bool {
    let startsWithEntity = text.entities.first?.range.lowerBound == 0
    return text.text.utf8.withContiguousStorageIfAvailable { mayHaveOne($0, startsWithEntity) } ?? true
  }

  private static func mayHaveOne(_ utf8: UnsafeBufferPointer<UInt8>, _ startsWithEntity: Bool) -> Bool {
    let opening = utf8.prefix(6 * longest)
    guard let lineEnd = opening.firstIndex(where: isLineEnd) else {
      // Without a second line, only a numbered heading is possible.
      return utf8.count < 6 * longest && opening.prefix(32).contains(where: isDigit)
    }
    // No prefix is removed from a text that begins with a letter, so its first line is the candidate.
    guard !startsWithEntity, isLetter(utf8[0]) else { return true }
    let line = utf8[..<lineEnd]
    if line.contains(where: isDigit) { return true }
    // As the line is not numbered, it has to be short, and be followed by an empty line or end with a colon.
    guard !isTooLong(line), let last = line.last(where: { !isBlank($0) }) else { return false }
    switch last {
    case UInt8(ascii: ":"): return true
    case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"): return false
    case 0x21..<0x7F: return mayStartWithEmptyLine(utf8[lineEnd...])
    default: return true
    }
  }

  /// Counts ASCII characters: each of two consecutive ones is a separate character.
  private static func isTooLong(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var characters = 0
    var previous: UInt8 = 0x20
    for byte in line {
      if 0x21..<0x7F ~= byte, previous < 0x80 { characters += 1 }
      previous = byte
    }
    return characters > longest
  }

  /// Whether there are two line ends with only blanks between them; also `true` if there is a non-ASCII byte before the second.
  private static func mayStartWithEmptyLine(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var lineEnds = 0
    var previous: UInt8 = 0
    for byte in text {
      let isCarriedOn = previous == UInt8(ascii: "\r") && byte == UInt8(ascii: "\n")
      if 0x0A...0x0D ~= byte, !isCarriedOn { lineEnds += 1 }
      if lineEnds == 2 || byte >= 0x80 { return true }
      if !isBlank(byte), !isLineEnd(byte) { return false }
      previous = byte
    }
    return false
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// Whether a byte is white space within a line, including the obsolete vertical tab and form feed.
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || 0x0B...0x0C ~= byte }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}
