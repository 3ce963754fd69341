import Templates
package import ThreadModel
import UTF8Text
package import Wording

/// Words about the thread that are not of it, a paragraph each; nothing for none.
struct NoteComponent: Component {
  static let name = ComponentName.note

  private let paragraphs: [String]
  /// Those that may stand in the paragraphs.
  private let emoji: [CustomEmoji]

  init(_ paragraphs: [String]) {
    self.paragraphs = paragraphs
    emoji = []
  }

  /// What its network put before a post; and that it is no longer there.
  init(noticesOf post: Post, by calendar: SiteCalendar, in wording: Wording) {
    var paragraphs: [String] = []
    if let departure = post.departure {
      paragraphs.append(departure.sentence(on: post.id.platform, by: calendar, in: wording))
    }
    if let withheld = post.withheld { paragraphs += withheld.sentences(in: wording) }
    self.paragraphs = paragraphs
    emoji = paragraphs.isEmpty ? [] : post.emoji
  }

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    guard !paragraphs.isEmpty else { return nil }
    return ["paragraphs": .list(paragraphs.map { document.line($0, with: emoji) })]
  }
}

/// How long the author was silent between two posts of a line, where that was weeks: "3 weeks later".
struct PauseComponent: Component {
  static let name = ComponentName.pause

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
    // Whole ones, and of the largest unit that there are several of, but for a year.
    let text =
      switch days {
      case ..<56: document.wording.count(days / 7, .weeksLater)
      case ..<365: document.wording.count(days * 12 / 365, .monthsLater)
      default: document.wording.count(days / 365, .yearsLater)
      }
    return ["text": .text(text)]
  }

  /// Days.
  private static var shortest: Int { 14 }
}

/// The place of a post that is missing from a line, and why.
struct GapComponent: Component {
  static let name = ComponentName.gap

  let gap: Gap

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    let (tombstone, wording) = (gap.tombstone, document.wording)
    var values = TemplateObject()
    values["text"] = .text(tombstone.sentenceInItsPlace(by: document.options.calendar, in: wording))
    if let address = document.address(of: tombstone, by: nil) {
      values["post_link"] = MarkdownPieces.link(tombstone.linkLabel(in: wording), safe: address)
    }
    return values
  }
}

// MARK: - The words for what is missing

extension Completeness {
  /// How much of the thread is here, unless it is all of it: "12 of about 15 posts: …", "12 posts are known; there may be
  /// more: …".
  func sentence(in wording: Wording) -> String? {
    guard !isWhole else { return nil }
    let reasons =
      reasons
      .compactMap { PlainText.nonEmptyLine($0.clause(in: wording)) }
      .joined(separator: wording.text(.reasonsSeparator))
    var sentence: String
    if let expected, expected > known {
      sentence = wording.count(expected, .knownOf, "known", wording.number(known))
    } else {
      sentence = wording.count(known, .knownOnly)
    }
    if !reasons.isEmpty {
      sentence = wording.text(.withReasons, ["sentence": sentence, "reasons": reasons])
    }
    return wording.text(.sentence, ["sentence": sentence])
  }
}

extension Completeness.Reason {
  /// Why posts are missing or may be, as a clause without a full stop: "3 posts were deleted".
  package func clause(in wording: Wording) -> String {
    switch self {
    case .limit(let limit): limit.clause(in: wording)
    case .onlyEarlierPosts: wording.text(.onlyEarlierPosts)
    case .missing(let count, let reason): wording.count(count, reason.absence)
    case .placedByID(let count): wording.count(count, .placedById)
    }
  }
}

extension TombstoneReason {
  /// What to say of so many posts that are missing for it.
  fileprivate var absence: Phrase {
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
  /// What the source could not see, as a clause without a full stop. A limit that there are no words for is shown as it stands.
  func clause(in wording: Wording) -> String {
    guard let day else { return kind.phrase.map { wording.text($0) } ?? kind.rawValue }
    guard let phrase = kind.phraseWithDay ?? kind.phrase else { return "\(kind) (\(day))" }
    return wording.text(phrase, ["date": Self.text(of: day, in: wording)])
  }

  /// A day in UTC, as the language writes it.
  private static func text(of day: String, in wording: Wording) -> String {
    guard let moment = Timestamp(iso8601: day + "T00:00:00Z") else { return day }
    return SiteCalendar.utc.written(in: wording.dates).day(moment)
  }
}

extension CoverageLimit.Kind {
  /// The words for a limit that has a day.
  fileprivate var phraseWithDay: Phrase? {
    switch self {
    case .growthUnseen: .limitGrowthUnseenSince
    case .timelineSince: .limitTimelineSince
    case .timelineUntil: .limitTimelineUntil
    default: nil
    }
  }

  /// The words for one that has none.
  fileprivate var phrase: Phrase? {
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
  /// A sentence on a post that is missing, such as "The quoted post was deleted by its author."
  func sentence(on subject: Phrase, in wording: Wording) -> String {
    wording.text(.sentence, ["sentence": clause(on: subject, in: wording)])
  }

  /// A sentence for the place where the post should be, or where it stood until it was removed.
  func sentenceInItsPlace(by calendar: SiteCalendar, in wording: Wording) -> String {
    wording.text(.sentence, ["sentence": clauseInItsPlace(by: calendar, in: wording)])
  }

  private func clauseInItsPlace(by calendar: SiteCalendar, in wording: Wording) -> String {
    if let removedAt {
      let clause = clause(on: .subjectThis, in: wording)
      return wording.text(.found, ["sentence": clause, "date": calendar.day(removedAt)])
    }
    if let known = reason.phrase {
      let clause = wording.text(
        known, ["subject": wording.text(.subjectIt), "network": id.platform.displayName])
      return wording.text(.missingHere, ["sentence": clause])
    }
    return reasonInWords.map { wording.text(.missingHereBecause, ["reason": $0]) }
      ?? wording.text(.missingHerePlain)
  }

  /// The same as a sentence without its full stop.
  func clause(on subject: Phrase, in wording: Wording) -> String {
    let subject = wording.text(subject)
    // It was there, so it was deleted, whoever did that.
    if removedAt != nil, reason == .deleted || reason == .notFound {
      return wording.text(.goneRemoved, ["subject": subject, "network": id.platform.displayName])
    }
    if let phrase = reason.phrase {
      return wording.text(phrase, ["subject": subject, "network": id.platform.displayName])
    }
    return reasonInWords.map { wording.text(.goneBecause, ["subject": subject, "reason": $0]) }
      ?? wording.text(.gone, ["subject": subject])
  }

  /// What a link to the post's address says: whether it is there still, as far as anybody has looked.
  func linkLabel(in wording: Wording) -> String {
    reason == .notInArchive || reason == .unknown && detail == nil && removedAt == nil
      ? wording.text(.seeItOn, ["network": id.platform.displayName]) : wording.text(.whereItWas)
  }

  /// The network's own words, for a reason that nobody gave or that this program has no sentence for.
  private var reasonInWords: String? {
    let name = reason == .unknown ? nil : PlainText.nonEmptyLine(reason.rawValue)
    guard let words = PlainText.nonEmptyLine(detail) ?? name else { return nil }
    let shortened = PlainText.shortened(words, to: 120)
    return shortened.hasSuffix(".") ? String(shortened.dropLast()) : shortened
  }
}

extension TombstoneReason {
  fileprivate var phrase: Phrase? {
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

  /// Why a post that is still shown here is no longer on its network, in a few words.
  fileprivate var departure: Phrase? {
    switch self {
    case .deleted, .notFound: .departedDeleted
    case .protected: .departedProtected
    case .suspended: .departedSuspended
    case .withheld: .departedWithheld
    case .blocked: .departedBlocked
    default: nil
    }
  }
}

extension Departure {
  /// "No longer on X: deleted, found 3 March 2026."
  func sentence(on platform: Platform, by calendar: SiteCalendar, in wording: Wording) -> String {
    var clause =
      if let reason = reason.departure {
        wording.text(.departedBecause, ["network": platform.displayName, "reason": wording.text(reason)])
      } else {
        wording.text(.departed, ["network": platform.displayName])
      }
    if let observedAt {
      clause = wording.text(.found, ["sentence": clause, "date": calendar.day(observedAt)])
    }
    return wording.text(.sentence, ["sentence": clause])
  }
}

extension Withholding {
  /// Where the network does not show a post and why; in its own words where it says nothing else.
  fileprivate func sentences(in wording: Wording) -> [String] {
    var sentences: [String] = []
    let countries = self.countries.compactMap(PlainText.nonEmptyLine).map(wording.region)
    if isWorldwide {
      sentences.append(wording.text(.withheldEverywhere))
    } else if !countries.isEmpty {
      let list = countries.joined(separator: wording.text(.listSeparator))
      sentences.append(wording.text(.withheldIn, ["countries": list]))
    }
    if isForCopyright { sentences.append(wording.text(.withheldForCopyright)) }
    if sentences.isEmpty, let notice = PlainText.nonEmptyLine(notice) {
      sentences.append(wording.text(.withheldNotice, ["text": PlainText.shortened(notice, to: 300)]))
    }
    return sentences
  }
}

extension Post {
  /// What the network warns of before the post, in words; `nil` where it warns of nothing.
  ///
  /// A label that nobody has words for is shown as the network calls it.
  package func warningInWords(in wording: Wording) -> String? {
    guard !warnings.isEmpty else { return nil }
    return warnings.map { warning in
      guard let phrase = warning.phrase else { return warning.rawValue }
      return wording.text(phrase, ["network": id.platform.displayName])
    }.joined(separator: wording.text(.listSeparator))
  }
}

extension PostWarning {
  fileprivate var phrase: Phrase? {
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
