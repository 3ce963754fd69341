package import ThreadModel

/// The places in a long thread that a reader may want to go to.
///
/// Few authors of threads write headings. Where at least three posts open with something like one (a headline, "3. Bread",
/// "Part two:", a short line set apart), these are the entries. Elsewhere a few posts are chosen, about evenly by length,
/// and among neighbours those before which the author paused, or which are long: their opening words say where one is.
package enum ThreadOutline {
  /// A thread of fewer posts is read, not searched.
  static let fewestPosts = 12
  /// More would be a thread of its own.
  static let mostEntries = 24
  /// Characters of an entry.
  static let titleLimit = 64

  package struct Entry: Hashable, Sendable {
    package var title: String
    /// The id of an element of the body.
    package var anchor: String
    /// The number of the post, from 1, where it is one of the main line.
    package var number: Int?
    /// The label of a side branch ("1", "2"), where it is one.
    package var branch: String?
  }

  /// In reading order; empty for a thread that needs none, or whose posts have no words.
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

  /// What the choice of entries looks at.
  private struct Opening {
    let position: Int
    let heading: String?
    /// Bytes of text before this post, pictures counted as a few lines.
    let offset: Int
    let length: Int
    /// Since the post before: milliseconds.
    let pause: Int64
  }

  /// Of all posts that have a text but the first, which is what the page begins with.
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

  /// How good a place for an entry is: points for what sets it apart, less up to two for its distance.
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
