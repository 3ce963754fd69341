import Templates
import ThreadModel

extension ThreadComposer {
  /// Words about the thread that are not of it, a paragraph each; nothing for none.
  mutating func note(_ paragraphs: [String]) throws(ThreadMarkdownError) {
    guard !paragraphs.isEmpty else { return }
    try append(.note, ["paragraphs": .list(paragraphs.map { .text($0) })])
  }

  /// How much of the thread is here, unless it is all of it: "12 of about 15 posts: …", "12 posts are known; there may be
  /// more: …".
  mutating func completeness(_ completeness: Completeness) throws(ThreadMarkdownError) {
    guard !completeness.isWhole else { return }
    let reasons = completeness.reasons.compactMap(PlainText.nonEmptyLine).joined(separator: "; ")
    var sentence: String
    if let expected = completeness.expected, expected > completeness.known {
      sentence = "\(Wording.grouped(completeness.known)) of about \(Wording.count(expected, "post"))"
    } else {
      let posts = Wording.count(completeness.known, "post")
      sentence = "\(posts) \(completeness.known == 1 ? "is" : "are") known; there may be more"
    }
    if !reasons.isEmpty { sentence += ": " + reasons }
    try note([sentence + "."])
  }

  /// What its author, or its network, put before a post; and that it is no longer there.
  mutating func warnings(_ post: Post) throws(ThreadMarkdownError) {
    var paragraphs: [String] = []
    if let departure = post.departure {
      paragraphs.append(departure.sentence(on: post.id.platform, by: options.calendar))
    }
    if let warning = PlainText.nonEmptyLine(post.contentWarning) {
      paragraphs.append("Content warning: \(warning)")
    }
    if post.isSensitive, !post.media.isEmpty {
      paragraphs.append("The media of this post are marked as sensitive.")
    }
    let countries = post.withheldIn.compactMap(PlainText.nonEmptyLine)
    if !countries.isEmpty {
      paragraphs.append("Withheld by the network in \(countries.joined(separator: ", ")).")
    }
    try note(paragraphs)
  }
}
