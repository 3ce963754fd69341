import Basics
import HTTPTransport
import NetworkSources
import SiteConfig
import ThreadModel

/// A server's response to a request by ActivityPub, the protocol between servers of the Fediverse (ActivityPub, 3.2). Most servers respond to any client.
enum ActivityAnswer: Sendable {
  case object(MastodonFields)
  /// The object no longer exists, or never did.
  case gone(TombstoneReason)
  /// The server responds only to servers that sign their requests (GoToSocial, and Mastodon's `AUTHORIZED_FETCH`).
  case closed
  /// Any other response, described in words that follow "it answers with".
  case other(String)
}

extension MastodonAPI {
  /// The media types to accept (ActivityPub, 3.2).
  private static let activityTypes =
    "application/activity+json, application/ld+json; profile=\"https://www.w3.org/ns/activitystreams\""
  /// In bytes. Posts have a few kilobytes, pages of lists a few hundred kilobytes.
  private static let largestActivity = 4 << 20
  private static let longestAddress = 2048

  /// Requests an object by its URL, without a token.
  ///
  /// The caller checks whether the object is the requested one, since some objects have two URLs. The object's id, if it has one, is always
  /// on the requested server.
  ///
  /// - Parameters:
  ///   - kind: the kind of the request in statistics and messages.
  ///   - isPatient: whether a failed request is tried as often as usual, instead of twice at most. `false` for servers that only a post
  ///     names.
  /// - Throws: an error of content if a different server responds, or if the object's id is on a different server.
  func activity(
    at address: String, _ kind: String, isPatient: Bool = true
  ) async throws(SourceError) -> ActivityAnswer {
    let whole = String(address.prefix(upToBytes: "#"))
    guard whole.utf8.count <= Self.longestAddress, let host = MastodonServer.host(of: whole),
      let path = Self.path(of: whole, on: host)
    else { return .other("a URL that cannot be fetched") }
    let url = webBase(of: MastodonServer(host)) + path
    var request = WebRequest("GET \(kind) (ActivityPub)", url, headers: [("Accept", Self.activityTypes)])
    request.maximumBytes = Self.largestActivity
    if !isPatient { request.maximumTries = 2 }
    let answer = try await web.get(request)
    guard MastodonServer.host(of: answer.url) == MastodonServer.host(of: url) else {
      throw SourceError(
        .content,
        "rejected: \(host) redirects requests for \(whole.asName) to \(answer.host.asName), a different server."
      )
    }
    switch answer.status {
    case 200...299: break
    case 404: return .gone(.notFound)
    case 410: return .gone(.deleted)
    case 401, 403: return .closed
    default: return .other("\(answer.status)")
    }
    // A file of another type may be a user's upload, so its content is not a statement of the server.
    let type = (answer.headers["Content-Type"] ?? "").lowercased().prefix(upToBytes: ";")
    guard type == "application/activity+json" || type == "application/ld+json" else {
      return .other("\(type.isEmpty ? "something" : String(type).asName), which is not ActivityPub")
    }
    guard let object = answer.refusal?.object else { return .other("something that is not JSON") }
    let fields = MastodonFields(object)
    guard fields.text("type") != "Tombstone" else { return .gone(.deleted) }
    // Pages of lists may have no id.
    if let name = fields.text("id"), MastodonServer.host(of: name) != host {
      throw SourceError(
        .content,
        "rejected: \(host) returned an object of \((MastodonServer.host(of: name) ?? "no server").asName), "
          + "a different server.")
    }
    return .object(fields)
  }

  /// Returns the path and query of a URL; `nil` if a user name precedes the host.
  private static func path(of address: String, on host: String) -> String? {
    guard let start = address.firstRange(of: "://")?.upperBound else { return nil }
    let rest = address[start...]
    let authority = rest.prefix(upToBytes: "/?#\\")
    guard authority.lowercased() == host else { return nil }
    let path = rest[authority.endIndex...]
    return path.hasBytePrefix("/") ? String(path) : "/" + path
  }
}

/// The state of reading a collection. Its pages are inside the object that contains the collection, or at URLs (ActivityPub, 5;
/// ActivityStreams 2.0, Core, 5).
struct ActivityPages: Sendable {
  /// The next page, or its URL.
  private var next: JSONValue?
  /// The number of pages that may still be read. A server may return pages forever.
  private var left: Int
  private var visited: Set<String> = []

  init(_ collection: JSONValue?, atMost pages: Int) {
    next = collection
    left = pages
  }

  /// Whether no further page is read.
  var isAtEnd: Bool { next == nil || left <= 0 }
  /// Whether the collection has more pages than may be read.
  var isCut: Bool { next != nil && left <= 0 }

  /// Removes and returns the URL of the next page; `nil` if the next page is already here, or if there is no next page.
  mutating func takeAddress() -> String? {
    guard let address = next?.string else { return nil }
    next = nil
    left -= 1
    // A page that links to itself or an earlier page would cause an endless loop.
    return visited.insert(address).inserted ? address : nil
  }

  /// Continues with the page that was read at the URL.
  mutating func put(_ page: MastodonFields) { next = .object(page.members) }

  /// Removes the next page and returns its entries; returns no entries if only the page's URL is known.
  mutating func takeEntries() -> [JSONValue] {
    guard case .object(let members)? = next else {
      // A value that is neither a page nor a URL ends the reading.
      if next?.string == nil { next = nil }
      return []
    }
    let page = MastodonFields(members)
    let entries = page["orderedItems"] ?? page["items"]
    // A collection has its first page in `first`, and a page has its successor in `next`. Pages inside the object are counted here, pages
    // at URLs when their URLs are removed.
    let found = entries.map { $0.array ?? [$0] } ?? []
    next = page["next"] ?? (found.isEmpty ? page["first"] : nil)
    left -= next?.object == nil ? 0 : 1
    return found
  }
}

/// The posts and accounts of other servers, keyed by the names that represent them among the ids of the thread's server.
struct RemoteObjects: Sendable {
  var posts: [String: PostID] = [:]
  var authors: [String: AuthorID] = [:]

  var isEmpty: Bool { posts.isEmpty && authors.isEmpty }

  func id(_ id: PostID) -> PostID { posts[id.value] ?? id }
  func id(_ id: AuthorID) -> AuthorID { authors[id.value] ?? id }

  /// Returns a conversation in which these names are replaced by the ids that the posts and accounts have on their own servers.
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
    // Merging with an empty conversation sorts every list.
    return Conversation(id: result.id, authorID: result.authorID).merged(with: result)
  }
}
