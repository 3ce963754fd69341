import Templates
import ThreadModel
import Wording

extension ThreadComposer {
  /// How long the author was silent between two posts of a line, where that was weeks: "3 weeks later".
  mutating func pause(from earlier: Timestamp?, to later: Timestamp?) throws(ThreadMarkdownError) {
    guard let earlier, let later else { return }
    let days = Int((later.milliseconds - earlier.milliseconds) / 86_400_000)
    guard days >= Self.shortestPause else { return }
    // Whole ones, and of the largest unit that there are several of, but for a year.
    let text =
      switch days {
      case ..<56: wording.count(days / 7, .weeksLater)
      case ..<365: wording.count(days * 12 / 365, .monthsLater)
      default: wording.count(days / 365, .yearsLater)
      }
    try append(.pause, ["text": .text(text)])
  }

  /// Days.
  private static var shortestPause: Int { 14 }
}
