package import ThreadModel

/// The table of contents of a long thread.
///
/// Few authors of threads write headings. If at least three posts begin with a kind of heading (a headline, "3. Bread", "Part two:", a
/// short separate line), these are the entries. Otherwise a few posts are chosen at roughly even distances of text. Among neighbors, long
/// posts and posts after a pause of the author are preferred. Their first words become the entries.
package enum ThreadOutline {
  /// The minimum number of posts. Shorter threads need no table of contents.
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
    if chosen.count < 3 { chosen = spread(openings, over: posts.count) }
    guard chosen.count >= 3 else { return [] }
    let step = (chosen.count + mostEntries - 1) / mostEntries
    let titles = Dictionary(
      uniqueKeysWithValues: stride(from: 0, to: chosen.count, by: step).map { index in
        (
          chosen[index].position,
          chosen[index].heading ?? ThreadTitle.opening(of: posts[chosen[index].position].post)
        )
      })
    var entries: [Entry] = []
    for (position, threadPost) in posts.enumerated() {
      if let title = titles[position], !title.isEmpty {
        let anchor = "post-" + MarkdownPieces.anchor(threadPost.post.id.value)
        entries.append(
          Entry(title: PlainText.shortened(title, to: titleLimit), anchor: anchor, number: position + 1))
      }
      for branch in threadPost.branches {
        let first = branch.items.lazy.compactMap { if case .post(let first) = $0 { first } else { nil } }
          .first
        guard let first else { continue }
        let anchor = "branch-" + MarkdownPieces.anchor(branch.label)
        let title = PlainText.shortened(ThreadTitle.opening(of: first.post), to: titleLimit)
        entries.append(Entry(title: title, anchor: anchor, branch: branch.label))
      }
    }
    return entries
  }

  /// The data of a post that determine whether it becomes an entry.
  private struct Opening {
    let position: Int
    let heading: String?
    /// The number of bytes of text before this post, with pictures counted as a few lines.
    let offset: Int
    let length: Int
    /// The time since the previous post, in milliseconds.
    let pause: Int64
  }

  /// Returns the openings of all posts with a text, except the first post, with which the page begins.
  private static func openings(of posts: [ThreadPost]) -> [Opening] {
    var openings: [Opening] = []
    var offset = 0
    var previous: Timestamp?
    for (position, post) in posts.lazy.map(\.post).enumerated() {
      let length = post.text.text.utf8.count + (post.media.isEmpty ? 0 : 200)
      let time = post.createdAt ?? previous
      if position > 0, !post.text.text.isEmpty {
        let pause = (time?.milliseconds ?? 0) - (previous?.milliseconds ?? time?.milliseconds ?? 0)
        let heading = ThreadHeading.make(from: post)
        openings.append(
          Opening(position: position, heading: heading, offset: offset, length: length, pause: pause))
      }
      offset += length
      previous = time
    }
    return openings
  }

  /// Returns posts at even distances of text: near each ideal place, the most suitable post.
  private static func spread(_ openings: [Opening], over posts: Int) -> [Opening] {
    guard let last = openings.last else { return [] }
    let count = min(max(posts / 4, 4), 10)
    let whole = last.offset + last.length
    let reach = max(whole / (2 * count), 1)
    var chosen: [Opening] = []
    for part in 1..<count {
      let ideal = whole * part / count
      let from = chosen.last?.position ?? 0
      let near = openings.filter { $0.position > from + 1 && abs($0.offset - ideal) <= reach }
      let best = near.max { (worth($0, ideal, reach), $1.position) < (worth($1, ideal, reach), $0.position) }
      if let best { chosen.append(best) }
    }
    return chosen
  }

  /// Returns how suitable a post is as an entry: points for the features that distinguish it, minus up to two points for its distance from
  /// the ideal place.
  private static func worth(_ opening: Opening, _ ideal: Int, _ reach: Int) -> Int {
    let hour: Int64 = 3_600_000
    var points = 0
    if opening.heading != nil { points += 40 }
    if opening.pause >= 6 * hour { points += 30 } else if opening.pause >= hour / 2 { points += 15 }
    if opening.length >= 240 { points += 8 }
    return points - 20 * abs(opening.offset - ideal) / reach
  }
}

/// Recognizes headings in posts, which have no markup for them.
enum ThreadHeading {
  /// The maximum number of characters of a heading.
  static let longest = 70

  /// Returns the headline of a post, or its first line if that reads like a heading; otherwise `nil`.
  static func make(from post: Post) -> String? {
    if let title = PlainText.nonEmptyLine(post.title) { return title }
    guard post.warningLine == nil, mayBegin(post.text.text) else {
      return nil
    }
    let text = PostScalars(post)
    let scalars = text.scalars[text.words]
    let end = scalars.firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.endIndex
    let line = PlainText.singleLine(text.string(scalars.startIndex..<end))
    guard !line.isEmpty, !PlainText.isLonger(line, than: longest) else { return nil }
    if isNumbered(line) { return line }
    let gap = scalars[end...].prefix(while: \.isWhiteSpace)
    guard gap.endIndex < scalars.endIndex else { return nil }
    if line.hasSuffix(":") { return String(line.dropLast()) }
    // The line is followed by an empty line, and does not end like a sentence.
    let lineEnds = gap.count { 0x0A...0x0D ~= $0.value } - (gap.starts(with: ["\r", "\n"]) ? 1 : 0)
    return lineEnds >= 2 && !line.unicodeScalars.suffix(1).contains(where: ".,;…。，、".unicodeScalars.contains)
      ? line : nil
  }

  /// Whether a text may begin with a heading. Most posts have only one paragraph and no number at their start.
  private static func mayBegin(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.prefix(6 * longest).contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        || bytes.prefix(32).contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
  }

  /// Whether a line begins like `3. Bread`, `3) Bread`, `3: Bread`, `3️⃣ Bread`, `#3 Bread`, `Part 3`.
  private static func isNumbered(_ line: String) -> Bool {
    var start = line.prefix(24).lowercased()[...]
    if start.first == "#" { start.removeFirst() }
    if let word = countingWords.first(where: { start.hasPrefix($0 + " ") }) {
      return start.dropFirst(word.count + 1).first?.isWholeNumber ?? false
    }
    let digits = start.unicodeScalars.prefix { "0"..."9" ~= $0 }.count
    guard (1...3).contains(digits) else { return false }
    // The keycap of an emoji digit, or punctuation followed by a blank, so that 3.5 counts as a number.
    let rest = start.unicodeScalars.dropFirst(digits)
    return ["\u{FE0F}", "\u{20E3}", ". ", ") ", ": "].contains { rest.starts(with: $0.unicodeScalars) }
  }

  /// Words before the number of a part.
  private static let countingWords = [
    "part", "step", "chapter", "lesson", "rule", "day", "no.", "teil", "parte", "partie",
  ]
}
