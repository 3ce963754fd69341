package import Basics
package import ThreadModel

/// A file or folder that a network gave to its user: all of one account's posts.
///
/// It is read more than once instead of being kept in memory: first a few words of every post, which tell the threads
/// (`survey`), then, once it was chosen what is wanted of it, the files of their media and the posts themselves.
package protocol ThreadExport: Sendable {
  /// As the user gave it.
  var path: String { get }
  /// What was in it and would not be read: each a whole message.
  var passedOver: [String] { get }
  /// What in it is never opened, as a list in words; `nil` where all of it is read.
  var neverOpened: String? { get }
  /// What becomes of posts whose media it lacks, as a clause: "their posts keep …".
  var withoutMedia: String { get }

  /// Reads all but the media.
  ///
  /// - Parameter progress: called with how much was read, of how much, in MB.
  func survey(progress: (_ done: Int, _ total: Int) -> Void) throws(ExportError) -> any SurveyedExport
}

extension ThreadExport {
  package var neverOpened: String? { nil }
  package var withoutMedia: String {
    "their posts keep the addresses on the network, and `threadsite fetch` copies what is still there"
  }
}

/// An export of which is known what it holds.
package protocol SurveyedExport: Sendable {
  /// Whose it is.
  var author: Author { get }
  /// When it was made; where it does not say, when its latest post was written, which is before.
  var date: Timestamp? { get }
  /// Posts in it, earlier versions among them.
  var posts: Int { get }
  /// Posts as they were read, the same one counted as often as it is there.
  var readPosts: Int { get }
  /// Posts that it should have; `nil` where it does not say.
  var expectedPosts: Int? { get }
  /// What is missing for certain, each a whole message.
  var shortfalls: [String] { get }
  /// Why nobody can tell whether it holds every post, though nothing is known to be missing: each a clause.
  var doubts: [String] { get }
  /// What to do about one that is not whole, as a sentence without its full stop.
  var advice: String { get }

  /// The same export with its author by another id: the one that the network gives them, where the export does not say it.
  func by(_ author: AuthorID) -> any SurveyedExport
  /// Whether it holds a post, whatever its version.
  func holds(_ id: PostID) -> Bool
  /// The names that it may have a file of media under.
  func fileNames(of media: Media, in post: Post) -> [String]
  /// Chooses the threads that are wanted.
  ///
  /// - Parameter conversationOf: the conversation of a post, where another source said it.
  func plan(
    _ choice: ExportChoice, conversationOf: (PostID) -> PostID?
  ) throws(ExportError) -> any PlannedExport
}

extension SurveyedExport {
  package func by(_ author: AuthorID) -> any SurveyedExport { self }
}

/// Which threads of an export are wanted.
package struct ExportChoice: Sendable, Hashable {
  /// Posts of a chain; shorter ones are left out.
  package var minPosts = 2
  /// Threads that began at this moment or later.
  package var since: Timestamp?
  /// Threads that began before this moment.
  package var until: Timestamp?
  /// Whether the author's own chains in others' conversations are threads, too.
  package var includesReplies = false
  /// Whether files of media are wanted.
  package var wantsMedia = true

  package init() {}

  /// Whether a thread that began at a time is among them; a time that nobody knows is among none.
  package func covers(_ time: Timestamp?) -> Bool {
    guard since != nil || until != nil else { return true }
    guard let time else { return false }
    return since.map { time >= $0 } ?? true && until.map { time < $0 } ?? true
  }
}

/// An export of which is known what is wanted of it.
package protocol PlannedExport: Sendable {
  var threadCount: Int { get }
  /// Posts of these threads.
  var posts: Int { get }
  /// What is left out and why.
  var leftOut: [Omission] { get }
  /// What is said where the export should have media and has none at all, as a clause; `nil` where it has some, or need not have any.
  var mediaAbsence: String? { get }
  /// Names of the files of media that the threads show.
  var mediaWanted: Set<String> { get }
  /// Names of those that the export lacks.
  var mediaMissing: [String] { get }

  /// The conversation that a post of the export belongs to; `nil` where the export does not tell.
  func conversation(of id: PostID) -> PostID?
  /// Whether the export has the post in a later version.
  func hasLaterVersion(of id: PostID) -> Bool
  /// Reads files of media, each with `body`, in the order in which they lie; what `body` leaves unread is passed over.
  func readMedia(
    _ names: Set<String>, _ body: (String, any EntryBytes) throws(ExportError) -> Void
  ) throws(ExportError)
  /// Reads the threads.
  ///
  /// - Parameter files: what became of the media, by the names that `readMedia` gave.
  /// - Returns: how many posts took their whole text from elsewhere in the export.
  func conversations(
    files: [String: ArchivedMedia], emit: (Conversation) -> Void
  ) throws(ExportError) -> Int
}

/// The bytes of one entry, in pieces.
package protocol EntryBytes: AnyObject {
  /// The next piece, good until the next call; `nil` at the end.
  func next() throws(ExportError) -> UnsafeRawBufferPointer?
}

/// A file of media that was put into the store.
package struct ArchivedMedia: Sendable, Hashable {
  /// Its name in the store.
  package var file: String
  /// Pixels; `nil` where the file does not say.
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

/// Why an export of a network, or a file in it, is not imported.
package struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// There is no such export here: what there is instead, and what to do.
    case noArchive(String)
    /// What no export has, and an attacker's may.
    case refused(String)
    /// The zip file is broken, in libarchive's words or ours.
    case damaged(String)
    case notJSON(JSONError)
    case file(FileError)
  }

  /// The zip file or folder, as the user gave it.
  package var archive: String
  /// The file within, where one is to blame.
  package var entry: String?
  package var reason: Reason

  package init(_ archive: String, _ entry: String? = nil, _ reason: Reason) {
    self.archive = archive
    self.entry = entry
    self.reason = reason
  }

  private var place: String { entry.map { "\(archive)/\($0)" } ?? archive }

  package var description: String {
    switch reason {
    case .noArchive(let words), .refused(let words): "\(place): error: \(words)"
    case .damaged(let words):
      "\(place): error: the file is damaged or incomplete (\(words)): download the archive again"
    case .notJSON(let error): error.description(file: place)
    case .file(let error): error.description
    }
  }

  /// Whether the disk is to blame and not what is on it.
  package var isOfDisk: Bool { if case .file(let error) = reason { !error.isAboutTheFile } else { false } }
}
