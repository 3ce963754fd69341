package import Basics

/// The words of the interface in one language: sentences that the program composes, words for templates, numbers and dates.
///
/// The words come from strings files (`templates/strings/<language>.yml`), so that a new language needs no Swift code.
package struct Localization: Sendable {
  /// The language of the words as a BCP 47 tag, for `lang` attributes.
  package let language: String
  package let dates: DateFormat
  package let numbers: NumberFormat
  package let plurals: PluralRules
  /// The messages that templates can use by their names: all messages without plural forms.
  package let words: [String: BracedText]
  /// The names of countries and regions, by their codes (ISO 3166-1 alpha-2).
  private let regions: [String: String]
  /// The messages at the indices of the raw values of ``StringKey``.
  private let byKey: [Message]

  /// - Throws: ``MissingStrings`` if a key has no message.
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

  /// Returns the message of a key, with values instead of its placeholders.
  package func text(_ key: StringKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    byKey[key.rawValue].text().filled(values)
  }

  /// Returns the message of a key in the form for a number: `1 post`, `1,004 posts`.
  package func count(_ number: Int, _ key: StringKey) -> String {
    byKey[key.rawValue].text(plurals.form(of: number)).filled([Message.number: self.number(number)])
  }

  /// Returns the message of a key in the form for a number, with a second value.
  package func count(_ number: Int, _ key: StringKey, _ name: String, _ value: String) -> String {
    byKey[key.rawValue].text(plurals.form(of: number))
      .filled([Message.number: self.number(number), name: value])
  }

  /// Returns the text of every plural form with its placeholder `{n}`, for counting outside Swift, as in a script.
  package func forms(_ key: StringKey) -> [(form: PluralForm, text: String)] {
    let message = byKey[key.rawValue]
    return plurals.forms.map { ($0, message.text($0).source) }
  }

  /// Returns the name of a country or region (ISO 3166-1 alpha-2); the code if no strings file contains the name.
  package func region(_ code: String) -> String { regions[code] ?? code }

  /// Returns whether a language is that of the words, ignoring the region.
  package func isWritten(in other: String) -> Bool {
    func primary(_ tag: String) -> String { String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased() }
    return primary(other) == primary(language)
  }

  /// Returns a number in the form of the language, such as `1,004`.
  package func number(_ number: Int) -> String { numbers.text(number) }
}

/// The error that messages are missing in the strings files.
package struct MissingStrings: Error, Sendable {
  package let names: [String]
}

/// The messages that the program uses; only templates use other messages. The raw value is the index among all
/// cases, from 0.
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
  case original, countReplies, countReposts, countLikes, countBookmarks, countOlderReplies, contentWarning
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
  case missingHere, missingHerePlain, missingHereBecause, found, sentence, seeItOn, whereItWas, archivedCopy,
    archived, archivedPage, quotedPostBy
  case authorSuspended, authorDeleted, somebody
  case removed, removedBecause, removedDeleted, removedProtected, removedSuspended, removedWithheld,
    removedBlocked

  // How much of a thread is here
  case knownOf, knownOnly, withReasons, reasonsSeparator
  case onlyEarlierPosts, placedById
  case absentDeleted, absentProtected, absentSuspended, absentWithheld, absentBlocked, absentNotFound,
    absentNotInArchive, absent
  case limitRecentSearch, limitRecentSearchRefused, limitRecentSearchCut, limitRecentSearchFailed,
    limitFullSearchRefused, limitFullSearchCut, limitFullSearchFailed, limitGrowthUnseen,
    limitGrowthUnseenSince,
    limitRepliesUnsearched, limitRepliesUnreachable, limitRepliesCut, limitBeginningGone, limitTimelineUnread,
    limitTimelineCut,
    limitTimelineFailed, limitTimelineReach, limitTimelineSince, limitTimelineUntil, limitClimbing,
    limitLookupFailed, limitFetchEnded

  /// The name in strings files, such as `count_posts`.
  package var name: String {
    var name = ""
    for letter in "\(self)" { name += letter.isUppercase ? "_" + letter.lowercased() : String(letter) }
    return name
  }
}

/// A text of the interface with placeholders: `{sentence}, found {date}`. A message with a number has a text for each plural
/// form.
package struct Message: Sendable, Hashable {
  private let other: BracedText
  private let forms: [PluralForm: BracedText]

  /// The name of the placeholder for the number.
  package static let number = "n"

  package init(_ other: BracedText, forms: [PluralForm: BracedText] = [:]) {
    self.other = other
    self.forms = forms
  }

  /// Whether the message has texts for plural forms.
  package var isPlural: Bool { !forms.isEmpty }

  /// Returns the text for a plural form; the only text if the message has no forms.
  package func text(_ form: PluralForm = .other) -> BracedText { forms[form] ?? other }

  /// The plural forms that have texts.
  package var writtenForms: [PluralForm] { PluralForm.allCases.filter { $0 == .other || forms[$0] != nil } }

  /// The names of the placeholders in all forms.
  package var names: Set<String> { forms.values.reduce(into: other.names) { $0.formUnion($1.names) } }
}

/// The format of whole numbers in one language: `1,004`, `1.004`, `١٬٠٠٤`.
package struct NumberFormat: Sendable, Hashable {
  /// The separator of groups of three digits.
  package let group: String
  /// The smallest number whose digits are grouped: Spanish writes 1004 and 10 004 (CLDR, minimum grouping digits).
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
