import Basics
package import InterfaceText
import MarkdownHTML
import Templates
package import ThreadModel

/// Notes about the thread, each as a paragraph. Nothing is written if there are no paragraphs.
struct NoteComponent: Component {
  static let kind = ComponentKind.note

  private let paragraphs: [String]
  /// The emoji that may occur in the paragraphs.
  private let emoji: [CustomEmoji]

  init(_ paragraphs: [String]) {
    self.paragraphs = paragraphs
    emoji = []
  }

  /// Notes of a post: the network's notices, and its removal from the network.
  init(noticesOf post: Post, by calendar: SiteCalendar, in localization: Localization) {
    var paragraphs: [String] = []
    if let removal = post.removal {
      paragraphs.append(removal.sentence(on: post.id.platform, by: calendar, in: localization))
    }
    if let withheld = post.withheld { paragraphs += withheld.sentences(in: localization) }
    self.paragraphs = paragraphs
    emoji = paragraphs.isEmpty ? [] : post.emoji
  }

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    guard !paragraphs.isEmpty else { return nil }
    return ["paragraphs": .list(paragraphs.map { document.line($0, with: emoji) })]
  }
}

/// The time between two posts of a line, if it was weeks or longer: "3 weeks later".
struct PauseComponent: Component {
  static let kind = ComponentKind.pause

  private let days: Int

  init(from earlier: Timestamp?, to later: Timestamp?) {
    guard let earlier, let later else {
      days = 0
      return
    }
    days = Int((later.milliseconds - earlier.milliseconds) / 86_400_000)
  }

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    guard days >= Self.shortest else { return nil }
    // The largest unit with a count above one, in whole numbers. A year is the exception.
    let text =
      switch days {
      case ..<56: document.localization.count(days / 7, .weeksLater)
      case ..<365: document.localization.count(days * 12 / 365, .monthsLater)
      default: document.localization.count(days / 365, .yearsLater)
      }
    return ["text": .text(text), "weeks": .integer(min(days / 7, Self.mostWeeks))]
  }

  /// The most weeks that a marker may name: two digits.
  private static var mostWeeks: Int { 99 }

  /// In days.
  private static var shortest: Int { 14 }
}

/// The place of a missing post in a line, and the reason.
struct GapComponent: Component {
  static let kind = ComponentKind.gap

  let gap: Gap
  /// The author of the missing post, who is the author of the line.
  let author: Author

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    let (tombstone, localization) = (gap.tombstone, document.localization)
    var values = TemplateObject()
    values["text"] = .text(tombstone.sentenceInItsPlace(by: document.options.calendar, in: localization))
    if let address = document.address(of: tombstone, by: nil) {
      values["post_link"] = MarkdownPieces.link(tombstone.linkLabel(in: localization), safe: address)
    }
    values["archived_link"] = document.archivedLink(of: tombstone, by: author, isOwn: true)
    return values
  }
}

// MARK: - The words for missing posts

extension Completeness {
  /// Returns a sentence about the thread's completeness, unless it is complete: "12 of about 15 posts: …", "12 posts are known; there may
  /// be more: …".
  func sentence(in localization: Localization) -> String? {
    guard !isWhole else { return nil }
    let reasons =
      reasons
      .compactMap { PlainText.nonEmptyLine($0.clause(in: localization)) }
      .joined(separator: localization.text(.reasonsSeparator))
    var sentence: String
    if let expected, expected > known {
      sentence = localization.count(expected, .knownOf, "known", localization.number(known))
    } else {
      sentence = localization.count(known, .knownOnly)
    }
    if !reasons.isEmpty {
      sentence = localization.text(.withReasons, ["sentence": sentence, "reasons": reasons])
    }
    return localization.text(.sentence, ["sentence": sentence])
  }
}

extension Completeness.Reason {
  /// Returns the reason why posts are missing or may be missing, as a clause without a full stop: "3 posts were deleted".
  package func clause(in localization: Localization) -> String {
    switch self {
    case .limit(let limit): limit.clause(in: localization)
    case .onlyEarlierPosts: localization.text(.onlyEarlierPosts)
    case .missing(let count, let reason): localization.count(count, reason.absence)
    case .placedByID(let count): localization.count(count, .placedById)
    }
  }
}

extension TombstoneReason {
  /// The wording for a number of posts that are missing for this reason.
  fileprivate var absence: StringKey {
    switch self {
    case .deleted: .absentDeleted
    case .protected: .absentProtected
    case .suspended: .absentSuspended
    case .withheld: .absentWithheld
    case .blocked: .absentBlocked
    case .notFound: .absentNotFound
    case .notInArchive: .absentNotInArchive
    default: .absent
    }
  }
}

extension CoverageLimit {
  /// Returns the limit as a clause without a full stop. A limit without a wording is shown unchanged.
  func clause(in localization: Localization) -> String {
    guard let day else { return kind.stringKey.map { localization.text($0) } ?? kind.rawValue }
    guard let key = kind.keyWithDay ?? kind.stringKey else { return "\(kind) (\(day))" }
    return localization.text(key, ["date": Self.text(of: day, in: localization)])
  }

  /// Returns a day in UTC in the format of the language.
  private static func text(of day: String, in localization: Localization) -> String {
    guard let moment = Timestamp(iso8601: day + "T00:00:00Z") else { return day }
    return SiteCalendar.utc.written(in: localization.dates).day(moment)
  }
}

extension CoverageLimit.Kind {
  /// The wording for a limit with a day.
  fileprivate var keyWithDay: StringKey? {
    switch self {
    case .growthUnseen: .limitGrowthUnseenSince
    case .timelineSince: .limitTimelineSince
    case .timelineUntil: .limitTimelineUntil
    default: nil
    }
  }

  /// The wording for a limit without a day.
  fileprivate var stringKey: StringKey? {
    switch self {
    case .recentSearch: .limitRecentSearch
    case .recentSearchRefused: .limitRecentSearchRefused
    case .recentSearchCut: .limitRecentSearchCut
    case .recentSearchFailed: .limitRecentSearchFailed
    case .fullSearchRefused: .limitFullSearchRefused
    case .fullSearchCut: .limitFullSearchCut
    case .fullSearchFailed: .limitFullSearchFailed
    case .growthUnseen: .limitGrowthUnseen
    case .repliesUnsearched: .limitRepliesUnsearched
    case .repliesUnreachable: .limitRepliesUnreachable
    case .repliesCut: .limitRepliesCut
    case .beginningGone: .limitBeginningGone
    case .timelineUnread: .limitTimelineUnread
    case .timelineCut: .limitTimelineCut
    case .timelineFailed: .limitTimelineFailed
    case .timelineReach: .limitTimelineReach
    case .climbing: .limitClimbing
    case .lookupFailed: .limitLookupFailed
    case .fetchEnded: .limitFetchEnded
    default: nil
    }
  }
}

extension Tombstone {
  /// Returns a sentence about a missing post, such as "The quoted post was deleted by its author."
  func sentence(on subject: StringKey, in localization: Localization) -> String {
    localization.text(.sentence, ["sentence": clause(on: subject, in: localization)])
  }

  /// Returns a sentence for the place of a missing or removed post.
  func sentenceInItsPlace(by calendar: SiteCalendar, in localization: Localization) -> String {
    localization.text(.sentence, ["sentence": clauseInItsPlace(by: calendar, in: localization)])
  }

  private func clauseInItsPlace(by calendar: SiteCalendar, in localization: Localization) -> String {
    if let removedAt {
      let clause = clause(on: .subjectThis, in: localization)
      return localization.text(.found, ["sentence": clause, "date": calendar.day(removedAt)])
    }
    if let known = reason.stringKey {
      let clause = localization.text(
        known, ["subject": localization.text(.subjectIt), "network": id.platform.displayName])
      return localization.text(.missingHere, ["sentence": clause])
    }
    return reasonInWords.map { localization.text(.missingHereBecause, ["reason": $0]) }
      ?? localization.text(.missingHerePlain)
  }

  /// Returns the sentence without its full stop.
  func clause(on subject: StringKey, in localization: Localization) -> String {
    let subject = localization.text(subject)
    // The post existed, so somebody deleted it.
    if removedAt != nil, reason == .deleted || reason == .notFound {
      return localization.text(.goneRemoved, ["subject": subject, "network": id.platform.displayName])
    }
    if let key = reason.stringKey {
      return localization.text(key, ["subject": subject, "network": id.platform.displayName])
    }
    return reasonInWords.map { localization.text(.goneBecause, ["subject": subject, "reason": $0]) }
      ?? localization.text(.gone, ["subject": subject])
  }

  /// Returns the label of a link to the post's URL, depending on whether the post may still exist.
  func linkLabel(in localization: Localization) -> String {
    reason == .notInArchive || reason == .hidden || reason == .unknown && detail == nil && removedAt == nil
      ? localization.text(.seeItOn, ["network": id.platform.displayName]) : localization.text(.whereItWas)
  }

  /// The network's explanation, if the reason is unknown or this program has no sentence for it.
  private var reasonInWords: String? {
    let name = reason == .unknown || reason == .hidden ? nil : PlainText.nonEmptyLine(reason.rawValue)
    guard let words = PlainText.nonEmptyLine(detail) ?? name else { return nil }
    let shortened = PlainText.shortened(words, to: 120)
    return shortened.hasSuffix(".") ? String(shortened.dropLast()) : shortened
  }
}

extension TombstoneReason {
  fileprivate var stringKey: StringKey? {
    switch self {
    case .deleted: .goneDeleted
    case .protected: .goneProtected
    case .suspended: .goneSuspended
    case .withheld: .goneWithheld
    case .blocked: .goneBlocked
    case .notFound: .goneNotFound
    case .notInArchive: .goneNotInArchive
    case .signedInOnly: .goneSignedInOnly
    case .deactivated: .goneDeactivated
    case .detached: .goneDetached
    case .quotePending: .goneQuotePending
    case .quoteRejected: .goneQuoteRejected
    case .quoteRevoked: .goneQuoteRevoked
    case .notShown: .goneNotShown
    case .answeredGone: .goneWithAnswered
    case .leftOut: .goneLeftOut
    default: nil
    }
  }

  /// The wording for the reason why a post that is still shown here is no longer on its network.
  fileprivate var removal: StringKey? {
    switch self {
    case .deleted, .notFound: .removedDeleted
    case .protected: .removedProtected
    case .suspended: .removedSuspended
    case .withheld: .removedWithheld
    case .blocked: .removedBlocked
    default: nil
    }
  }
}

extension Removal {
  /// "No longer on X: deleted, found 3 March 2026."
  func sentence(on platform: Platform, by calendar: SiteCalendar, in localization: Localization) -> String {
    var clause =
      if let reason = reason.removal {
        localization.text(
          .removedBecause, ["network": platform.displayName, "reason": localization.text(reason)])
      } else {
        localization.text(.removed, ["network": platform.displayName])
      }
    if let observedAt {
      clause = localization.text(.found, ["sentence": clause, "date": calendar.day(observedAt)])
    }
    return localization.text(.sentence, ["sentence": clause])
  }
}

extension Withholding {
  /// Returns where the network does not show a post, and the reason. Returns the network's notice if neither is known.
  fileprivate func sentences(in localization: Localization) -> [String] {
    var sentences: [String] = []
    let countries = self.countries.compactMap(PlainText.nonEmptyLine).map(localization.region)
    if isWorldwide {
      sentences.append(localization.text(.withheldEverywhere))
    } else if !countries.isEmpty {
      let list = countries.joined(separator: localization.text(.listSeparator))
      sentences.append(localization.text(.withheldIn, ["countries": list]))
    }
    if isForCopyright { sentences.append(localization.text(.withheldForCopyright)) }
    if sentences.isEmpty, let notice = PlainText.nonEmptyLine(notice) {
      sentences.append(localization.text(.withheldNotice, ["text": PlainText.shortened(notice, to: 300)]))
    }
    return sentences
  }
}

extension PostWarning {
  /// The key of the warning's wording; `nil` for a label that the interface does not know.
  var stringKey: StringKey? {
    switch self {
    case .moderation: .warnedModeration
    case .porn: .warnedPorn
    case .sexual: .warnedSexual
    case .nudity: .warnedNudity
    case .graphicMedia, "gore", "nsfl": .warnedGraphic
    default: nil
    }
  }
}
