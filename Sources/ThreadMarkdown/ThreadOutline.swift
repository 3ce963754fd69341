package import ThreadModel

/// The table of contents of a long thread.
///
/// Few authors of threads write headings. If at least three posts begin with a kind of heading (a headline, "3. Bread", "Part two:", a
/// short separate line), these are the entries. Otherwise a few posts are chosen at roughly even distances of text. Among neighbors, long
/// posts and posts after a pause of the author are preferred. Their first words become the entries.
package enum ThreadOutline {
  /// The minimum number of posts. Shorter threads need no table of contents.
  static let fewestPosts = 12
  /// The minimum number of headings from which on they are the entries.
  static let fewestHeadings = 3
  /// The minimum number of posts without headings. The first words of a few sentences help only in a thread that is long.
  private static let fewestPostsWithoutHeadings = 24
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
    if chosen.count < fewestHeadings {
      guard posts.count >= fewestPostsWithoutHeadings else { return [] }
      chosen = spread(openings, over: posts.count)
    }
    guard chosen.count >= fewestHeadings else { return [] }
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
        let heading = ThreadHeading.title(of: post)
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
