import Templates
import ThreadModel
import Wording

extension ThreadComposer {
  /// Words about the thread that are not of it, a paragraph each; nothing for none.
  ///
  /// - Parameter emoji: those that may stand in them.
  mutating func note(_ paragraphs: [String], emoji: [CustomEmoji] = []) throws(ThreadMarkdownError) {
    guard !paragraphs.isEmpty else { return }
    try append(.note, ["paragraphs": .list(paragraphs.map { line($0, with: emoji) })])
  }

  /// How much of the thread is here, unless it is all of it: "12 of about 15 posts: …", "12 posts are known; there may be
  /// more: …".
  mutating func completeness(_ completeness: Completeness) throws(ThreadMarkdownError) {
    guard !completeness.isWhole else { return }
    let reasons = completeness.reasons
      .compactMap { PlainText.nonEmptyLine($0.clause(in: wording)) }
      .joined(separator: wording.text(.reasonsSeparator))
    var sentence: String
    if let expected = completeness.expected, expected > completeness.known {
      sentence = wording.count(expected, .knownOf, "known", wording.number(completeness.known))
    } else {
      sentence = wording.count(completeness.known, .knownOnly)
    }
    if !reasons.isEmpty {
      sentence = wording.text(.withReasons, ["sentence": sentence, "reasons": reasons])
    }
    try note([wording.text(.sentence, ["sentence": sentence])])
  }

  /// What its network put before a post; and that it is no longer there.
  mutating func notices(_ post: Post) throws(ThreadMarkdownError) {
    var paragraphs: [String] = []
    if let departure = post.departure {
      paragraphs.append(departure.sentence(on: post.id.platform, by: options.calendar, in: wording))
    }
    if let withheld = post.withheld { paragraphs += sentences(on: withheld) }
    try note(paragraphs, emoji: post.emoji)
  }

  /// Where the network does not show a post and why; in its own words where it says nothing else.
  private func sentences(on withheld: Withholding) -> [String] {
    var sentences: [String] = []
    let countries = withheld.countries.compactMap(PlainText.nonEmptyLine).map(wording.region)
    if withheld.isWorldwide {
      sentences.append(wording.text(.withheldEverywhere))
    } else if !countries.isEmpty {
      let list = countries.joined(separator: wording.text(.listSeparator))
      sentences.append(wording.text(.withheldIn, ["countries": list]))
    }
    if withheld.isForCopyright { sentences.append(wording.text(.withheldForCopyright)) }
    if sentences.isEmpty, let notice = PlainText.nonEmptyLine(withheld.notice) {
      sentences.append(wording.text(.withheldNotice, ["text": PlainText.shortened(notice, to: 300)]))
    }
    return sentences
  }
}
