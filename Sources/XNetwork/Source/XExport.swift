import Basics
import NetworkSources
import ThreadModel

/// An archive of X for the import.
struct XExport: ThreadExport {
  private let archive: XArchive

  /// Opens a zip file with any name, or the folder of an unpacked archive; `nil` for other files.
  static func open(_ path: String) throws(ExportError) -> XExport? {
    guard isArchive(path) else { return nil }
    return XExport(archive: try XArchive.open(path))
  }

  private static func isArchive(_ path: String) -> Bool {
    if FileSystem.isFolder(path) { return XArchive.isUnpacked(at: path) }
    if path.lowercased().hasByteSuffix(".zip") { return true }
    do throws(FileError) {
      return try OpenFile(path).bytes(4, at: 0) == [0x50, 0x4B, 3, 4]
    } catch {
      // The error is reported when the file has to be read.
      return false
    }
  }

  var path: String { archive.path }
  var passedOver: [String] { archive.passedOver }
  var neverOpened: String? {
    "direct messages, contacts, deleted posts, advertising and all other private files"
  }
  var withoutMedia: String {
    "their posts keep the addresses on X, and `threadsite fetch` copies what is still there"
  }

  func survey(progress: (_ done: Int, _ total: Int) -> Void) throws(ExportError) -> any SurveyedExport {
    let total = max(1, archive.postsSize >> 20)
    var last = 0
    let survey = try archive.survey { bytes in
      guard bytes >> 20 > last else { return }
      last = bytes >> 20
      progress(min(last, total), total)
    }
    return Surveyed(archive: archive, survey: survey)
  }

  private struct Surveyed: SurveyedExport {
    let archive: XArchive
    let survey: ArchiveSurvey

    /// X writes few parts, but a manifest may list any number.
    private static let mostShortfalls = 20

    var author: Author { survey.author }
    var date: Timestamp? { survey.date }
    var posts: Int { survey.posts }
    var readPosts: Int { survey.readPosts }
    var expectedPosts: Int? { survey.completeness.expectedPosts }
    var doubts: [String] { survey.completeness.doubts }

    var shortfalls: [String] {
      let all = survey.completeness.shortfalls
      let shown = all.prefix(Self.mostShortfalls).map { $0.message(in: archive.path) }
      guard all.count > shown.count else { return shown }
      return shown + ["\(archive.path): error: \(all.count - shown.count) more files of it are not whole"]
    }

    var advice: String {
      "Download the archive again; where X gave several zip files, unpack all of them into one folder and "
        + "import that; where posts were taken out by hand, correct the counts in data/manifest.js"
    }

    func holds(_ id: PostID) -> Bool { survey.holds(id) }

    func fileNames(of media: Media, in post: Post) -> [String] { ArchivePlan.fileNames(of: media, in: post) }

    func plan(
      _ choice: ExportChoice, conversationOf: (PostID) -> PostID?
    ) throws(ExportError) -> any PlannedExport {
      var plan = ArchivePlan(survey, choice, conversationOf: conversationOf)
      if choice.wantsMedia { try plan.chooseMedia(survey, in: archive) }
      return Planned(archive: archive, survey: survey, plan: plan)
    }
  }

  private struct Planned: PlannedExport {
    let archive: XArchive
    let survey: ArchiveSurvey
    let plan: ArchivePlan

    var threadCount: Int { plan.threadCount }
    var posts: Int { plan.posts }
    var mediaAbsence: String? { archive.hasMedia ? nil : "there is no tweets_media folder in it" }
    var mediaWanted: Set<String> { Set(plan.mediaWanted.values) }
    var mediaMissing: [String] { plan.mediaMissing }

    var leftOut: [Omission] {
      let counts = plan.counts
      return [
        .short(counts.short), .replies(counts.replies), .reposts(counts.reposts),
        Omission(
          counts.earlierVersions, "earlier version of an edited post", "earlier versions of edited posts"),
        Omission(counts.circle, "post to a circle, which is private", "posts to a circle, which are private"),
        .outOfRange(counts.outOfRange),
        Omission(survey.unreadable, "entry that is no post", "entries that are no posts"),
      ]
    }

    func conversation(of id: PostID) -> PostID? { plan.conversation(of: id, in: survey) }
    func hasLaterVersion(of id: PostID) -> Bool { plan.hasLaterVersion(of: id) }

    func readMedia(
      _ names: Set<String>, _ body: (String, any EntryBytes) throws(ExportError) -> Void
    ) throws(ExportError) {
      var wanted = plan
      wanted.mediaWanted = plan.mediaWanted.filter { names.contains($0.value) }
      try archive.readMedia(wanted, body)
    }

    func conversations(
      files: [String: ArchivedMedia], emit: (Conversation) -> Void
    ) throws(ExportError) -> Int {
      try archive.conversations(plan, of: survey, files: files, emit: emit)
    }
  }
}
