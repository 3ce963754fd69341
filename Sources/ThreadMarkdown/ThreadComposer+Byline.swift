import Templates
import ThreadModel
import Wording

extension ThreadComposer {
  /// Whose post it is, for themes that show posts one by one.
  mutating func byline(_ author: Author) -> TemplateValue {
    var values: TemplateObject = ["name": shownName(author)]
    if let handle = PlainText.nonEmptyLine(author.handle) {
      // Between letters that run from right to left the @ would stand behind the handle.
      values["handle"] = .text(runsRightToLeft ? "\u{2068}@\(handle)\u{2069}" : "@" + handle)
    }
    if let avatar = avatar(of: author) { values["avatar"] = MarkdownPieces.destination(avatar.url) }
    return .object(values)
  }

  /// How often a post was liked, reposted and answered, as seen last: what is known of it, and not none.
  func metrics(of post: Post) -> [TemplateValue] {
    let counts: [(name: String, number: Int?, phrase: Phrase)] = [
      ("replies", post.metrics.replies, .countReplies),
      ("reposts", post.metrics.reposts, .countReposts),
      ("likes", post.metrics.likes, .countLikes),
    ]
    let known = counts.filter { ($0.number ?? 0) > 0 }
    return known.enumerated().map { index, count in
      let number = count.number ?? 0
      return [
        "name": .text(count.name), "number": .text(wording.number(number)),
        "text": .text(wording.count(number, count.phrase)), "first": .bool(index == 0),
      ]
    }
  }

  /// The author's picture, noted as one that the page shows.
  mutating func avatar(of author: Author) -> MediaAddress? {
    guard let avatar = MediaAddress(file: author.avatarFile, url: author.avatarURL, options) else {
      return nil
    }
    show(avatar, MediaFacts(kind: .image, width: Self.avatarSize, height: Self.avatarSize))
    return avatar
  }

  /// Pixels that a page keeps free for an avatar: they are square, and kept far larger than they are shown.
  private static var avatarSize: Int { 48 }
}
