import Basics
import HTTPTransport
import NetworkSources
import SiteConfig
import ThreadModel

/// What a server says at an address in the words that servers of the Fediverse have for each other (ActivityPub, 3.2). Most say it to anybody.
enum ActivityAnswer: Sendable {
  case object(MastodonFields)
  /// It is not there any more, or never was.
  case gone(TombstoneReason)
  /// The server tells it to servers alone that sign their questions (GoToSocial, and Mastodon's `AUTHORIZED_FETCH`).
  case closed
  /// Something else, in words that go on after "it answers with".
  case other(String)
}

extension MastodonAPI {
  /// What is asked for, as ActivityPub wants it (3.2).
  private static let activityTypes =
    "application/activity+json, application/ld+json; profile=\"https://www.w3.org/ns/activitystreams\""
  /// Posts have some kilobytes, pages of lists some hundred.
  private static let largestActivity = 4 << 20
  private static let longestAddress = 2048

  /// Asks for an object by its address; no token is sent.
  ///
  /// Whether the object is the one that was asked for is for the caller to see: some have two addresses. It is its server's own in any case,
  /// as far as its name goes: an answer that another server gave, or that has another server's name, is refused.
  ///
  /// - Parameters:
  ///   - kind: what the question is counted as.
  ///   - isPatient: whether a server that does not answer is asked as often as any: not one that a post named.
  func activity(
    at address: String, _ kind: String, isPatient: Bool = true
  ) async throws(SourceError) -> ActivityAnswer {
    let whole = String(address.prefix(upToBytes: "#"))
    guard whole.utf8.count <= Self.longestAddress, let host = MastodonServer.host(of: whole),
      let path = Self.path(of: whole, on: host)
    else { return .other("an address that cannot be asked") }
    let url = webBase(of: MastodonServer(host)) + path
    var request = WebRequest("GET \(kind) (ActivityPub)", url, headers: [("Accept", Self.activityTypes)])
    request.maximumBytes = Self.largestActivity
    if !isPatient { request.maximumTries = 2 }
    let answer = try await web.get(request)
    guard MastodonServer.host(of: answer.url) == MastodonServer.host(of: url) else {
      throw SourceError(
        .content,
        "\(host) sends whoever asks for \(whole.asName) on to \(answer.host.asName), which cannot speak for it: it is not taken."
      )
    }
    switch answer.status {
    case 200...299: break
    case 404: return .gone(.notFound)
    case 410: return .gone(.deleted)
    case 401, 403: return .closed
    default: return .other("\(answer.status)")
    }
    // Files that somebody put there are no words of the server's, whatever stands in them.
    let type = (answer.headers["Content-Type"] ?? "").lowercased().prefix(upToBytes: ";")
    guard type == "application/activity+json" || type == "application/ld+json" else {
      return .other("\(type.isEmpty ? "something" : String(type).asName), which is not ActivityPub")
    }
    guard let object = answer.refusal?.object else { return .other("something that is not JSON") }
    let fields = MastodonFields(object)
    guard fields.text("type") != "Tombstone" else { return .gone(.deleted) }
    // Pages of lists may have no name.
    if let name = fields.text("id"), MastodonServer.host(of: name) != host {
      throw SourceError(
        .content,
        "\(host) answered with an object of \((MastodonServer.host(of: name) ?? "no server").asName), for which it cannot speak: "
          + "it is not taken.")
    }
    return .object(fields)
  }

  /// The path and query of an address; `nil` where more than a host stands before them.
  private static func path(of address: String, on host: String) -> String? {
    guard let start = address.firstRange(of: "://")?.upperBound else { return nil }
    let rest = address[start...]
    let authority = rest.prefix(upToBytes: "/?#\\")
    guard authority.lowercased() == host else { return nil }
    let path = rest[authority.endIndex...]
    return path.hasBytePrefix("/") ? String(path) : "/" + path
  }
}

/// Where the reading of a collection stands: it comes in pages, in the object that has it, or at addresses (ActivityPub, 5; ActivityStreams 2.0,
/// Core, 5).
struct ActivityPages: Sendable {
  /// What is read next: a page, or its address.
  private var next: JSONValue?
  /// Pages that are read at most: a server may go on for ever.
  private var left: Int
  private var visited: Set<String> = []

  init(_ collection: JSONValue?, atMost pages: Int) {
    next = collection
    left = pages
  }

  /// Whether there is no more.
  var isAtEnd: Bool { next == nil || left <= 0 }
  /// Whether there would be more than is read.
  var isCut: Bool { next != nil && left <= 0 }

  /// The address that has to be asked to go on; `nil` where what is next is here.
  mutating func takeAddress() -> String? {
    guard let address = next?.string else { return nil }
    next = nil
    left -= 1
    // A page that names itself or an earlier one would never end.
    return visited.insert(address).inserted ? address : nil
  }

  /// Goes on with what was read at the address.
  mutating func put(_ page: MastodonFields) { next = .object(page.members) }

  /// The entries of the page that is next, if it is here.
  mutating func takeEntries() -> [JSONValue] {
    guard case .object(let members)? = next else {
      // What is neither a page nor an address ends it.
      if next?.string == nil { next = nil }
      return []
    }
    let page = MastodonFields(members)
    let entries = page["orderedItems"] ?? page["items"]
    // A collection says where its first page is, a page where the next one is. What is inside does not count as a page, but has to end, too.
    let found = entries.map { $0.array ?? [$0] } ?? []
    next = page["next"] ?? (found.isEmpty ? page["first"] : nil)
    left -= next?.object == nil ? 0 : 1
    return found
  }
}

/// Posts and accounts of other servers, by the names that they have among those of the server where a thread is read.
struct ActivityElsewhere: Sendable {
  var posts: [String: PostID] = [:]
  var authors: [String: AuthorID] = [:]

  var isEmpty: Bool { posts.isEmpty && authors.isEmpty }

  func id(_ id: PostID) -> PostID { posts[id.value] ?? id }
  func id(_ id: AuthorID) -> AuthorID { authors[id.value] ?? id }

  /// A conversation with the ids that posts and accounts have on their own servers.
  func named(_ conversation: Conversation) -> Conversation {
    guard !isEmpty else { return conversation }
    func named(_ post: Post) -> Post {
      var facts = post.facts
      facts.id = id(facts.id)
      facts.authorID = id(facts.authorID)
      facts.inReplyTo = facts.inReplyTo.map(id)
      facts.inReplyToAuthor = facts.inReplyToAuthor.map(id)
      facts.quotes = facts.quotes.map(id)
      return Post(facts)
    }
    var result = conversation
    result.posts = result.posts.map(named)
    result.related = result.related.map(named)
    for index in result.authors.indices { result.authors[index].id = id(result.authors[index].id) }
    for index in result.tombstones.indices {
      result.tombstones[index].id = id(result.tombstones[index].id)
      result.tombstones[index].authorID = result.tombstones[index].authorID.map(id)
    }
    // A merge with nothing sorts every list.
    return Conversation(id: result.id, authorID: result.authorID).merged(with: result)
  }
}
