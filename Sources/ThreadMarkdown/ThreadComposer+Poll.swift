import Templates
import ThreadModel
import Wording

extension ThreadComposer {
  /// The options with their shares, and below what they are shares of and whether that is the last word.
  mutating func poll(_ poll: Poll, of post: Post) throws(ThreadMarkdownError) {
    let seen = post.observedAt
    let result = PollResult(poll, seen: seen)
    var values = TemplateObject()
    values["options"] = .list(result.options.map { option($0, post.emoji) })
    values["summary"] = .text(summary(of: poll, result, seen: seen))
    values["lang"] = otherLanguage(of: post).map { .text($0) } ?? .missing
    try append(.poll, values)
  }

  private mutating func option(_ option: PollResult.Option, _ emoji: [CustomEmoji]) -> TemplateValue {
    var values = TemplateObject()
    values["label"] =
      PlainText.nonEmptyLine(option.label).map { line(PlainText.isolated($0), with: emoji) }
      ?? .text(wording.text(.noLabel))
    values["winner"] = .bool(option.isWinner)
    if let votes = option.votes, let percent = option.percent, let tenths = option.percentWithTenths {
      values["share"] = [
        "percent": .text(wording.number(percent)), "meter": .text(tenths),
        "votes": .text(wording.count(votes, .countVotes)),
      ]
    }
    return .object(values)
  }

  /// `1,004 votes · final result · ended 7 January 2021`
  private func summary(of poll: Poll, _ result: PollResult, seen: Timestamp?) -> String {
    let calendar = options.calendar
    let wording = wording
    var parts: [String?] = [
      result.totalVotes.map { wording.count($0, .countVotes) } ?? wording.text(.votesHidden)
    ]
    if let voters = poll.voters, voters >= 0, poll.allowsMultiple {
      parts.append(wording.count(voters, .byPeople))
    }
    if poll.allowsMultiple { parts.append(wording.text(.severalChoices)) }
    switch result.state {
    case .closed:
      parts.append(wording.text(.pollFinal))
      parts.append(poll.endsAt.map { wording.text(.pollEnded, ["date": calendar.day($0)]) })
    case .open:
      parts.append(wording.text(.pollOpen))
      parts.append(poll.endsAt.map { wording.text(.pollEnds, ["date": calendar.minute($0)]) })
      parts.append(seen.map { wording.text(.asOf, ["text": calendar.minute($0)]) })
    case .unknown:
      parts.append(poll.endsAt.map { wording.text(.pollEndsOrEnded, ["date": calendar.day($0)]) })
      parts.append(seen.map { wording.text(.asOf, ["text": calendar.minute($0)]) })
    }
    return parts.compactMap(\.self).joined(separator: " · ")
  }
}
