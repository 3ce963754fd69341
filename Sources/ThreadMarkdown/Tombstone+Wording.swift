import ThreadModel
import Wording

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
