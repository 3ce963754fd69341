/// The messages that the program itself puts together; all others are named by templates only. Its raw value is its place
/// among all of them.
package enum Phrase: Int, CaseIterable, Sendable {
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
