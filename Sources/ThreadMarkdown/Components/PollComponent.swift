import InterfaceText
import MarkdownHTML
import Templates
import ThreadModel

/// A poll: the options with their shares, and below them the total and whether the result is final.
struct PollComponent: Component {
  static let kind = ComponentKind.poll

  let poll: Poll
  /// The post that contains the poll.
  let post: Post

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    let result = PollResult(poll, seen: post.observedAt)
    var values = TemplateObject()
    values["options"] = .list(result.options.map { option($0, in: &document) })
    values["summary"] = .text(summary(of: result, by: document.options.calendar, in: document.localization))
    values["lang"] = document.otherLanguage(of: post)
    return values
  }

  private func option(
    _ option: PollResult.Option, in document: inout DocumentWriter
  ) -> TemplateValue {
    let emoji = post.emoji
    var values = TemplateObject()
    values["label"] =
      PlainText.nonEmptyLine(option.label).map { document.line(PlainText.isolated($0), with: emoji) }
      ?? .text(document.localization.text(.noLabel))
    values["winner"] = .bool(option.isWinner)
    if let votes = option.votes, let percent = option.percent, let tenths = option.percentWithTenths {
      values["share"] = [
        "percent": .text(document.localization.number(percent)), "meter": .text(tenths),
        "votes": .text(document.localization.count(votes, .countVotes)),
      ]
    }
    return .object(values)
  }

  /// `1,004 votes · final result · ended 7 January 2021`
  private func summary(of result: PollResult, by calendar: SiteCalendar, in localization: Localization)
    -> String
  {
    let seen = post.observedAt
    var parts: [String?] = [
      result.totalVotes.map { localization.count($0, .countVotes) } ?? localization.text(.votesHidden)
    ]
    if let voters = poll.voters, voters >= 0, poll.allowsMultiple {
      parts.append(localization.count(voters, .byPeople))
    }
    if poll.allowsMultiple { parts.append(localization.text(.severalChoices)) }
    switch result.state {
    case .closed:
      parts.append(localization.text(.pollFinal))
      parts.append(poll.endsAt.map { localization.text(.pollEnded, ["date": calendar.day($0)]) })
    case .open:
      parts.append(localization.text(.pollOpen))
      parts.append(poll.endsAt.map { localization.text(.pollEnds, ["date": calendar.minute($0)]) })
      parts.append(seen.map { localization.text(.asOf, ["text": calendar.minute($0)]) })
    case .unknown:
      parts.append(poll.endsAt.map { localization.text(.pollEndsOrEnded, ["date": calendar.day($0)]) })
      parts.append(seen.map { localization.text(.asOf, ["text": calendar.minute($0)]) })
    }
    return parts.compactMap(\.self).joined(separator: " · ")
  }
}

/// The result of a poll: the winners, each option's share, and the total on which shares are based.
struct PollResult: Equatable {
  struct Option: Equatable {
    var label: String
    /// `nil` if votes are hidden.
    var votes: Int?
    /// The share in tenths of a percent, 0 to 1000; of votes, or of voters.
    var permille: Int?
    /// The share in whole percent, rounded from the exact share and not from the tenths.
    var percent: Int?
    /// Whether the option has the most votes of a closed poll. Several options may be winners.
    var isWinner: Bool

    /// `45.2`
    var percentWithTenths: String? { permille.map { "\($0 / 10).\($0 % 10)" } }
  }

  enum State: Equatable {
    case open
    case closed
    /// It is unknown, from the network and from the time, whether the poll is closed.
    case unknown
  }

  var options: [Option]
  var state: State
  var totalVotes: Int?

  /// - Parameter seen: When the poll was seen. A poll that ended before this time is closed, whatever its status.
  init(_ poll: Poll, seen: Timestamp?) {
    let state = Self.state(of: poll, seen: seen)
    let votes = poll.options.map { $0.votes.map { max($0, 0) } }
    let total = poll.totalVotes
    let base = poll.allowsMultiple ? poll.voters.map { max($0, 0) } ?? total : total
    let most = votes.compactMap(\.self).max() ?? 0
    options = zip(poll.options, votes).map { option, votes in
      Option(
        label: option.label, votes: votes, permille: Self.share(votes, of: base, parts: 1000),
        percent: Self.share(votes, of: base, parts: 100),
        isWinner: state == .closed && total != nil && most > 0 && votes == most)
    }
    self.state = state
    totalVotes = total
  }

  private static func state(of poll: Poll, seen: Timestamp?) -> State {
    if poll.status == .closed { return .closed }
    if let end = poll.endsAt, let seen { return end <= seen ? .closed : .open }
    return poll.status == .open ? .open : .unknown
  }

  /// Returns an option's share of `total`: of the votes, or of the voters if one could choose several options.
  private static func share(_ votes: Int?, of total: Int?, parts: Int) -> Int? {
    guard let votes, let total else { return nil }
    guard total > 0 else { return 0 }
    // Limited before the conversion, because a forged poll may have a share that no Int can represent.
    return Int(min(Double(parts), (Double(votes) / Double(total) * Double(parts)).rounded()))
  }
}
