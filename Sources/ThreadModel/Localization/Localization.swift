package import Basics

/// The interface's own words in one language: sentences that the stages put together, words for templates, numbers and dates.
///
/// Made from strings files (`templates/strings/<language>.yml`), so that another language needs no Swift.
package struct Localization: Sendable {
  /// BCP 47: what the words are written in, for `lang`.
  package let language: String
  package let dates: DateFormat
  package let numbers: NumberFormat
  package let plurals: PluralRules
  /// Everything that stands in templates by name: all messages but those that count.
  package let words: [String: BracedText]
  /// Names of countries and regions, by their codes.
  private let regions: [String: String]
  /// In the order of the keys.
  private let byKey: [Message]

  /// - Throws: ``MissingStrings`` where a key has no words.
  package init(
    language: String, dates: DateFormat, numbers: NumberFormat, plurals: PluralRules,
    messages: [String: Message], regions: [String: String] = [:]
  ) throws(MissingStrings) {
    self.language = language
    self.dates = dates
    self.numbers = numbers
    self.plurals = plurals
    self.regions = regions
    words = messages.filter { !$0.value.isPlural }.mapValues { $0.text() }
    let missing = StringKey.allCases.map(\.name).filter { messages[$0] == nil }
    guard missing.isEmpty else { throw MissingStrings(names: missing) }
    byKey = StringKey.allCases.compactMap { messages[$0.name] }
  }

  /// The words of a key, with values in their places.
  package func text(_ key: StringKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    byKey[key.rawValue].text().filled(values)
  }

  /// The words of a key that go with a number: `1 post`, `1,004 posts`.
  package func count(_ number: Int, _ key: StringKey) -> String {
    byKey[key.rawValue].text(plurals.form(of: number)).filled([Message.number: self.number(number)])
  }

  /// The same with another value.
  package func count(_ number: Int, _ key: StringKey, _ name: String, _ value: String) -> String {
    byKey[key.rawValue].text(plurals.form(of: number))
      .filled([Message.number: self.number(number), name: value])
  }

  /// The text of every form that a number can take, `{n}` in place: for what counts elsewhere, such as a script.
  package func forms(_ key: StringKey) -> [(form: PluralForm, text: String)] {
    let message = byKey[key.rawValue]
    return plurals.forms.map { ($0, message.text($0).source) }
  }

  /// The name of a country or region (ISO 3166-1 alpha-2); the code itself where no strings file names it.
  package func region(_ code: String) -> String { regions[code] ?? code }

  /// Whether a language is the words' own, whatever the region.
  package func isWritten(in other: String) -> Bool {
    func primary(_ tag: String) -> String { String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased() }
    return primary(other) == primary(language)
  }

  /// `1,004`
  package func number(_ number: Int) -> String { numbers.text(number) }
}

/// Phrases that no strings file has words for.
package struct MissingStrings: Error, Sendable {
  package let names: [String]
}

/// The messages that the program itself puts together; all others are named by templates only. Its raw value is its place
/// among all of them.
package enum StringKey: Int, CaseIterable, Sendable {
  // Pages and lists
  case threads, collections, authors, tags, archive, search, pageNumber, pageNotFound
  case countThreads, countPosts, countMinutes, minutesToRead
  case followers, following, posts, asOf
  case searchFound, searchPartly, searchCorrected
  case statistics

  // Books
  case contents, titlePage, threadsBy, dateSpan, accessible, picturesDescribed, picturesUndescribed

  // A thread's title
  case thread, threadBy, threadByOn, postByOn, unknownAuthor

  // A post
  case weeksLater, monthsLater, yearsLater
  case original, countReplies, countReposts, countLikes, contentWarning
  case warnedModeration, warnedPorn, warnedSexual, warnedNudity, warnedGraphic
  case withheldIn, withheldEverywhere, withheldForCopyright, withheldNotice, listSeparator

  // Media
  case watchVideo, watchGif, enlarge, close, show
  case photo, video, gif, audio, withLength, attachment, attachmentKind, described

  // Polls
  case countVotes, votesHidden, byPeople, severalChoices, pollFinal, pollOpen, pollEnded, pollEnds,
    pollEndsOrEnded, noLabel, pollMissing

  // Posts that are missing
  case subjectThis, subjectQuoted, subjectAnswered, subjectIt
  case goneDeleted, goneProtected, goneSuspended, goneWithheld, goneBlocked, goneNotFound, goneNotInArchive,
    goneSignedInOnly, goneDeactivated, goneDetached, goneQuotePending, goneQuoteRejected, goneQuoteRevoked,
    goneNotShown, goneWithAnswered, goneLeftOut, goneRemoved, gone, goneBecause
  case missingHere, missingHerePlain, missingHereBecause, found, sentence, seeItOn, whereItWas, quotedPostBy
  case authorSuspended, authorDeleted, somebody
  case departed, departedBecause, departedDeleted, departedProtected, departedSuspended, departedWithheld,
    departedBlocked

  // How much of a thread is here
  case knownOf, knownOnly, withReasons, reasonsSeparator
  case onlyEarlierPosts, placedById
  case absentDeleted, absentProtected, absentSuspended, absentWithheld, absentBlocked, absentNotFound,
    absentNotInArchive, absent
  case limitRecentSearch, limitRecentSearchRefused, limitRecentSearchCut, limitRecentSearchFailed,
    limitFullSearchRefused, limitFullSearchCut, limitFullSearchFailed, limitGrowthUnseen,
    limitGrowthUnseenSince,
    limitRepliesUnsearched, limitRepliesUnreachable, limitTimelineUnread, limitTimelineCut,
    limitTimelineFailed, limitTimelineReach, limitTimelineSince, limitTimelineUntil, limitClimbing,
    limitLookupFailed, limitFetchEnded

  /// Its name in strings files: `count_posts`.
  package var name: String {
    var name = ""
    for letter in "\(self)" { name += letter.isUppercase ? "_" + letter.lowercased() : String(letter) }
    return name
  }
}

/// A text of the interface, with places for values: `{sentence}, found {date}`. One that counts has a text for each form of
/// the number.
package struct Message: Sendable, Hashable {
  private let other: BracedText
  private let forms: [PluralForm: BracedText]

  /// The place of the number in a text that counts.
  package static let number = "n"

  package init(_ other: BracedText, forms: [PluralForm: BracedText] = [:]) {
    self.other = other
    self.forms = forms
  }

  /// Whether it has a text for each form of the number.
  package var isPlural: Bool { !forms.isEmpty }

  /// The text that goes with a number; of a message without forms the only one.
  package func text(_ form: PluralForm = .other) -> BracedText { forms[form] ?? other }

  /// The forms that it has texts for.
  package var writtenForms: [PluralForm] { PluralForm.allCases.filter { $0 == .other || forms[$0] != nil } }

  /// Names of the values that it has places for, in any form.
  package var names: Set<String> { forms.values.reduce(into: other.names) { $0.formUnion($1.names) } }
}

/// How whole numbers are written in one language: `1,004`, `1.004`, `١٬٠٠٤`.
package struct NumberFormat: Sendable, Hashable {
  /// What stands between groups of three digits.
  package let group: String
  /// The number from which on there are groups: Spanish writes 1004 and 10 004 (CLDR, minimum grouping digits).
  package let groupsFrom: Int
  package let digits: Digits

  package init(group: String = ",", groupsFrom: Int = 1000, digits: Digits = .latin) {
    self.group = group
    self.groupsFrom = groupsFrom
    self.digits = digits
  }

  package func text(_ number: Int) -> String {
    digits.converting(number.magnitude >= groupsFrom.magnitude ? grouped(number) : String(number))
  }

  private func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += group }
      text.append(digit)
    }
    return text
  }
}
