import InterfaceText
import Templates
import ThreadModel

/// Adds to each thread of a list, newest first, how its date differs from that of the thread before it: a new year, and the weeks between
/// them.
struct ListDates {
  private let calendar: SiteCalendar
  private var year: Int?
  private var later: Timestamp?

  init(_ calendar: SiteCalendar) { self.calendar = calendar }

  /// Adds the values of the next thread of the list.
  mutating func add(_ published: Timestamp?, to values: inout TemplateObject) {
    values["new_year"] = .missing
    values["pause"] = .missing
    guard let published else { return }
    let year = calendar.civil(published).year
    if year != self.year { values["new_year"] = .text(calendar.format.year(year)) }
    self.year = year
    if let later {
      let weeks = min(max(0, (later.milliseconds - published.milliseconds) / (7 * 86_400_000)), 99)
      // As the classes of two digits, from which a style sheet computes a length.
      values["pause"] = .text("t\(weeks / 10) u\(weeks % 10)")
    }
    later = published
  }
}
