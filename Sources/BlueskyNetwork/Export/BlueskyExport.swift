import Basics
import NetworkSources
package import ThreadModel

/// An account's repository as a CAR file, from Bluesky's settings ("Export my data") or from the account's server.
struct BlueskyExport: ThreadExport {
  let path: String
  let passedOver: [String] = []
  let neverOpened: String? = "likes, reposts, follows, blocks and all other records"

  /// The maximum size of a file in bytes. A repository of a million records has a few hundred megabytes.
  private static let largestFile = 1 << 30

  /// Opens a CAR file with any name; `nil` if the path is not a CAR file.
  static func open(_ path: String) throws(SourceError) -> BlueskyExport? {
    guard !FileSystem.isFolder(path) else { return nil }
    if path.lowercased().hasByteSuffix(".car") { return BlueskyExport(path: path) }
    do throws(FileError) {
      let head = try OpenFile(path).bytes(64, at: 0)
      // A CAR file begins with a length in one or two bytes and a map of two members, the first of which is "roots".
      let mark: [UInt8] = [0xA2, 0x65] + Array("roots".utf8)
      let isCAR = [1, 2].contains {
        head.count > $0 + mark.count && Array(head[$0..<$0 + mark.count]) == mark
      }
      return isCAR ? BlueskyExport(path: path) : nil
    } catch {
      // The error is reported when the file's content is needed.
      return nil
    }
  }

  func survey(progress: (_ done: Int, _ total: Int) -> Void) throws(SourceError) -> any SurveyedExport {
    let bytes = try bytes()
    let repository = try parse { () throws(DAGCBORError) in try BlueskyRepository(CARFile(bytes)) }
    let size = max(1, bytes.count >> 20)
    progress(size, size)
    return SurveyedBlueskyExport(path: path, repository: repository)
  }

  /// Reads the likes, latest first. Bookmarks are not part of the repository.
  func readingList(_ kind: ReadingList.Kind) throws(SourceError) -> ReadingList {
    guard kind == .likes else { throw SourceError(export: path, contains: kind, never: "Bluesky") }
    let bytes = try bytes()
    return try parse { () throws(DAGCBORError) in try BlueskyLikes(CARFile(bytes)).list(path: path) }
  }

  private func bytes() throws(SourceError) -> [UInt8] {
    do throws(FileError) {
      return try FileBytes.read(path, atMost: Self.largestFile)
    } catch {
      throw SourceError(error)
    }
  }

  private func parse<Value>(_ body: () throws(DAGCBORError) -> Value) throws(SourceError) -> Value {
    do throws(DAGCBORError) {
      return try body()
    } catch {
      throw SourceError(export: path, damaged: error.message)
    }
  }
}

extension SourceError {
  fileprivate static func signedInOnly(_ path: String) -> SourceError {
    SourceError(
      export: path,
      "its account shows posts only to people who are signed in to Bluesky. If the account is yours, import the file with --own (in "
        + "site.yml: `own: true`)")
  }
}

/// A repository whose posts have been read.
struct SurveyedBlueskyExport: SurveyedExport {
  let path: String
  let did: String
  let author: Author
  let date: Timestamp?
  let observations: BlueskyObservations
  let unreadable: [String: Int]
  let missing: Int
  let ownersOnly: SourceError?

  init(path: String, repository: BlueskyRepository) {
    self.path = path
    did = repository.did
    let latest = repository.posts.compactMap {
      $0.record["createdAt"]?.string.flatMap { Timestamp(iso8601: $0) }
    }.max()
    date = repository.date ?? latest
    let isForSignedIn = repository.profile.map { BlueskyLabels(own: $0).isForSignedIn } ?? false
    ownersOnly = isForSignedIn ? .signedInOnly(path) : nil
    // Without a date of the repository, any time of a post is accepted.
    var observations = BlueskyObservations(now: date ?? Timestamp(milliseconds: .max))
    for (address, record) in repository.posts { observations.add(record: record, at: address) }
    self.observations = observations
    unreadable = repository.unreadable
    missing = repository.missing
    var author = Author(id: AuthorID(did, on: .bluesky))
    author.name = repository.profile?["displayName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    author.bio = repository.profile?["description"]?.string.flatMap { $0.isEmpty ? nil : InlineText($0) }
    author.website = repository.profile?["website"]?.string
    author.url = "https://bsky.app/profile/\(did)"
    author.archive = ArchiveObservation(date: date)
    self.author = author
  }

  var posts: Int { observations.posts.count }
  var readPosts: Int { observations.posts.count }
  var expectedPosts: Int? { missing > 0 ? observations.posts.count + missing : nil }
  var doubts: [String] { [] }
  var advice: String { "Export it again in Bluesky's settings" }

  var shortfalls: [String] {
    missing > 0
      ? ["\(path): error: \(missing == 1 ? "1 record" : "\(missing) records") that it names are not in it"]
      : []
  }

  func holds(_ id: PostID) -> Bool { address(id) != nil }
  func fileNames(of media: Media, in post: Post) -> [String] { [] }

  private func address(_ id: PostID) -> RecordAddress? {
    guard id.platform == .bluesky else { return nil }
    let address = RecordAddress(did: did, key: id.value)
    return observations.posts[address]?.id == id ? address : nil
  }

  func conversation(of id: PostID) -> PostID? { address(id).map { observations.root(of: $0).postID } }

  func plan(
    _ choice: ExportChoice, conversationOf: (PostID) -> PostID?
  ) throws(SourceError) -> any PlannedExport {
    var plan = PlannedBlueskyExport(survey: self)
    let roots = observations.conversations(of: did)
    let lengths = observations.chainLengths(of: did)
    for (root, members) in roots.sorted(by: { $0.key.text < $1.key.text }) {
      let time =
        observations.posts[root]?.createdAt ?? members.compactMap { observations.posts[$0]?.createdAt }.min()
      if root.did != did, !choice.includesReplies {
        plan.replies += members.count
      } else if members.compactMap({ lengths[$0] }).max() ?? 0 < choice.minPosts {
        plan.short += members.count
      } else if !choice.covers(time) {
        plan.outOfRange += 1
      } else {
        plan.threads.append((root, members))
        plan.chosen.insert(root.postID)
        plan.posts += members.count
      }
    }
    return plan
  }
}

/// A repository with the threads that were chosen from it.
struct PlannedBlueskyExport: PlannedExport {
  let survey: SurveyedBlueskyExport
  /// The roots of the chosen conversations with the account's posts in them.
  var threads: [(root: RecordAddress, members: [RecordAddress])] = []
  /// The same conversations.
  var chosen: Set<PostID> = []
  var posts = 0
  var replies = 0
  var short = 0
  var outOfRange = 0

  init(survey: SurveyedBlueskyExport) { self.survey = survey }

  var threadCount: Int { threads.count }
  /// `nil`, because the file contains no media. A later fetch gets them from the network.
  var mediaAbsence: String? { nil }
  var mediaWanted: Set<String> { [] }
  var mediaMissing: [String] { [] }

  var leftOut: [Omission] {
    [.short(short), .replies(replies), .outOfRange(outOfRange)]
      + survey.unreadable.sorted { $0.key < $1.key }.map { reason, count in
        Omission(count, "record that cannot be read (\(reason))", "records that cannot be read (\(reason))")
      }
  }

  func conversation(of id: PostID) -> PostID? {
    survey.conversation(of: id).flatMap { chosen.contains($0) ? $0 : nil }
  }

  func hasLaterVersion(of id: PostID) -> Bool { false }

  func readMedia(
    _ names: Set<String>, _ body: (String, any EntryBytes) throws(SourceError) -> Void
  ) throws(SourceError) {}

  func conversations(
    files: [String: ArchivedMedia], emit: (Conversation) -> Void
  ) throws(SourceError) -> Int {
    let observation = ArchiveObservation(date: survey.date)
    func archived(_ post: Post) -> Post {
      var facts = post.facts
      facts.archive = observation
      facts.observedAt = nil
      return Post(facts)
    }
    for (root, members) in threads {
      var conversation = survey.observations.conversation(root: root, of: members, by: survey.did)
      conversation.posts = conversation.posts.map(archived)
      conversation.related = conversation.related.map(archived)
      conversation.authors = [survey.author]
      conversation.tombstones = conversation.tombstones.map { stone in
        var stone = stone
        stone.reason = .notInArchive
        stone.observedAt = nil
        return stone
      }
      conversation.provenance = [Provenance(source: .blueskyExport, fetchedAt: survey.date)]
      emit(conversation)
    }
    return 0
  }
}

// MARK: From bytes

/// The parsers of repositories for bytes in memory.
package enum BlueskyRepositoryFile {
  /// Returns all threads in a CAR file, including single posts; `nil` if the bytes are not a valid CAR file.
  package static func conversations(in bytes: [UInt8]) -> [Conversation]? {
    guard let repository = try? BlueskyRepository(CARFile(bytes)) else { return nil }
    let survey = SurveyedBlueskyExport(path: "repo.car", repository: repository)
    guard survey.ownersOnly == nil else { return nil }
    var choice = ExportChoice()
    choice.minPosts = 1
    var result: [Conversation] = []
    guard let plan = try? survey.plan(choice, conversationOf: { _ in nil }),
      (try? plan.conversations(files: [:], emit: { result.append($0) })) != nil
    else { return nil }
    return result
  }

  /// Returns the number of values in a block of DAG-CBOR; 0 if the block is invalid.
  package static func parts(of bytes: [UInt8]) -> Int {
    func count(_ value: DAGCBORValue) -> Int {
      switch value {
      case .array(let elements): elements.reduce(1) { $0 + count($1) }
      case .map(let members): members.values.reduce(1) { $0 + count($1) }
      default: 1
      }
    }
    return (try? DAGCBORValue(bytes[...])).map(count) ?? 0
  }
}
