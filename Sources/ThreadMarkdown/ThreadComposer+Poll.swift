import Templates
import ThreadModel

extension ThreadComposer {
  /// The options with their shares, and below what they are shares of and whether that is the last word.
  mutating func poll(_ poll: Poll, seen: Timestamp?) throws(ThreadMarkdownError) {
    let result = PollResult(poll, seen: seen)
    var values = TemplateObject()
    values["options"] = .list(result.options.map(option))
    values["summary"] = .text(summary(of: poll, result, seen: seen))
    try append(.poll, values)
  }

  private func option(_ option: PollResult.Option) -> TemplateValue {
    var values = TemplateObject()
    values["label"] = .text(PlainText.nonEmptyLine(option.label).map(PlainText.isolated) ?? "(no label)")
    values["winner"] = .bool(option.isWinner)
    if let votes = option.votes, let percent = option.percent, let tenths = option.percentWithTenths {
      values["share"] = [
        "percent": .text("\(percent)"), "meter": .text(tenths), "votes": .text(Wording.count(votes, "vote")),
      ]
    }
    return .object(values)
  }

  /// `1,004 votes · final result · ended 7 January 2021`
  private func summary(of poll: Poll, _ result: PollResult, seen: Timestamp?) -> String {
    let calendar = options.calendar
    var parts: [String?] = [result.totalVotes.map { Wording.count($0, "vote") } ?? "votes not shown"]
    if let voters = poll.voters, voters >= 0, poll.allowsMultiple {
      parts.append("by \(voters == 1 ? "1 person" : Wording.grouped(voters) + " people")")
    }
    if poll.allowsMultiple { parts.append("several choices allowed") }
    switch result.state {
    case .closed:
      parts.append("final result")
      parts.append(poll.endsAt.map { "ended \(calendar.day($0))" })
    case .open:
      parts.append("open")
      parts.append(poll.endsAt.map { "ends \(calendar.minute($0))" })
      parts.append(seen.map { "as of \(calendar.minute($0))" })
    case .unknown:
      parts.append(poll.endsAt.map { "ends or ended \(calendar.day($0))" })
      parts.append(seen.map { "as of \(calendar.minute($0))" })
    }
    return Wording.dotted(parts)
  }
}
