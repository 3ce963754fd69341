package import SiteConfig
package import ThreadModel

/// A file or folder that a user received from a network, with all posts of one account.
///
/// A large export is read more than once instead of being kept in memory: first the facts about every post that determine the threads
/// (``survey(progress:)``), then, after the choice of threads, their media files and posts.
package protocol ThreadExport: Sendable {
  /// The path as the user gave it.
  var path: String { get }
  /// Whole messages about entries that are skipped although they look like parts of an export.
  var passedOver: [String] { get }
  /// The parts that are never opened, as a list in words; `nil` if all parts are read.
  var neverOpened: String? { get }
  /// The consequence for posts whose media are missing from the export, as a clause: "their posts keep …".
  var withoutMedia: String { get }

  /// Returns the export as one of an account, for exports that do not name their account.
  ///
  /// - Throws: if the export names its account, or if the account is not on its network.
  func of(_ account: AccountReference) throws(SourceError) -> any ThreadExport

  /// Reads everything except the media.
  ///
  /// - Parameter progress: called with the amount that was read and the total, in MB.
  func survey(progress: (_ done: Int, _ total: Int) -> Void) throws(SourceError) -> any SurveyedExport

  /// Reads the posts that the account liked or bookmarked. Only this method opens their files.
  ///
  /// - Throws: if the export has no such list.
  func readingList(_ kind: ReadingList.Kind) throws(SourceError) -> ReadingList
}

extension ThreadExport {
  package var neverOpened: String? { nil }

  package func of(_ account: AccountReference) throws(SourceError) -> any ThreadExport {
    throw SourceError(namesItsAccount: path)
  }
  package var withoutMedia: String {
    "their posts link to the network's copies; `threadsite fetch` copies the files that still exist"
  }
}

/// An export whose posts have been surveyed.
package protocol SurveyedExport: Sendable {
  /// The account of the export.
  var author: Author { get }
  /// The time of the export. If it has none, the time of its latest post, which is earlier.
  var date: Timestamp? { get }
  /// The number of posts, including earlier versions.
  var posts: Int { get }
  /// The number of posts as read. A repeated post counts each time.
  var readPosts: Int { get }
  /// The number of posts that the export should have; `nil` if the export does not state it.
  var expectedPosts: Int? { get }
  /// The parts that are certainly missing, each a whole message.
  var shortfalls: [String] { get }
  /// The reasons why posts may be missing although no post is known to be missing, each a clause.
  var doubts: [String] { get }
  /// The error if the network shows the account to a limited audience, so that only the account's owner may import the export; `nil` otherwise.
  var ownersOnly: SourceError? { get }
  /// The advice for an incomplete export, as a sentence without its full stop.
  var advice: String { get }

  /// Returns the export with a different id of its author: the network's id, for exports that do not have it.
  func by(_ author: AuthorID) -> any SurveyedExport
  /// Returns whether the export has the post in any version.
  func holds(_ id: PostID) -> Bool
  /// Returns the names under which the export may have a media file.
  func fileNames(of media: Media, in post: Post) -> [String]
  /// Chooses the threads that are wanted.
  ///
  /// - Parameter conversationOf: returns the conversation of a post if it is known from a different source.
  func plan(
    _ choice: ExportChoice, conversationOf: (PostID) -> PostID?
  ) throws(SourceError) -> any PlannedExport
}

extension SurveyedExport {
  package var ownersOnly: SourceError? { nil }
  package func by(_ author: AuthorID) -> any SurveyedExport { self }
}

/// The choice of threads of an export.
package struct ExportChoice: Sendable, Hashable {
  /// The minimum number of posts in a chain; shorter chains are left out.
  package var minPosts = 2
  /// Only threads that began at or after this time.
  package var since: Timestamp?
  /// Only threads that began before this time.
  package var until: Timestamp?
  /// Whether the author's own chains in other accounts' conversations also count as threads.
  package var includesReplies = false
  /// Whether threads with an unlisted first post are wanted: everybody may see them, but they are in no public list.
  package var includesUnlisted = false
  /// Whether media files are wanted.
  package var wantsMedia = true

  package init() {}

  /// Returns whether a thread that began at a time is wanted. An unknown time is wanted only if there is neither `since` nor `until`.
  package func covers(_ time: Timestamp?) -> Bool {
    guard since != nil || until != nil else { return true }
    guard let time else { return false }
    return since.map { time >= $0 } ?? true && until.map { time < $0 } ?? true
  }
}

/// An export with the threads that were chosen from it.
package protocol PlannedExport: Sendable {
  var threadCount: Int { get }
  /// The number of posts in these threads.
  var posts: Int { get }
  /// The posts and threads that are left out, with the reasons.
  var leftOut: [Omission] { get }
  /// A clause for the message if the export should have media files but has none; otherwise `nil`.
  var mediaAbsence: String? { get }
  /// The names of the media files in the threads.
  var mediaWanted: Set<String> { get }
  /// The names of those media files that are missing from the export.
  var mediaMissing: [String] { get }

  /// Returns the conversation of a post; `nil` if the export does not state it.
  func conversation(of id: PostID) -> PostID?
  /// Returns whether the export has a later version of the post.
  func hasLaterVersion(of id: PostID) -> Bool
  /// Reads media files in the order of the export and calls `body` with each; `body` need not read a file to its end.
  func readMedia(
    _ names: Set<String>, _ body: (String, any EntryBytes) throws(SourceError) -> Void
  ) throws(SourceError)
  /// Reads the threads.
  ///
  /// - Parameters:
  ///   - files: the stored media files, by the names that ``readMedia(_:_:)`` passed to its `body`.
  ///   - emit: called with each thread.
  /// - Returns: the number of posts whose complete text came from another part of the export.
  func conversations(
    files: [String: ArchivedMedia], emit: (Conversation) -> Void
  ) throws(SourceError) -> Int
}

/// The bytes of an entry, read in pieces.
package protocol EntryBytes: AnyObject {
  /// Returns the next piece, which is valid until the next call; `nil` at the end.
  func next() throws(SourceError) -> UnsafeRawBufferPointer?
}

/// A media file of an export that was copied to the store.
package struct ArchivedMedia: Sendable, Hashable {
  /// The file's name in the store.
  package var file: String
  /// The width in pixels; `nil` if it cannot be read from the file.
  package var width: Int?
  package var height: Int?
  package var durationMilliseconds: Int?

  package init(file: String, width: Int? = nil, height: Int? = nil, durationMilliseconds: Int? = nil) {
    self.file = file
    self.width = width
    self.height = height
    self.durationMilliseconds = durationMilliseconds
  }
}
