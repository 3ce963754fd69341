import Basics
import HTTPTransport
import NetworkSources
import SiteConfig
import ThreadModel

/// The requests to an AppView, to accounts' own servers and to the directory of accounts. None of them needs a login.
struct BlueskyAPI: Sendable {
  let web: WebService
  /// The URL of the AppView, without a slash at the end.
  private let appView: String
  let directory: String

  private static let defaultAppView = "https://public.api.bsky.app"
  private static let defaultDirectory = "https://plc.directory"

  init(_ run: SourceRun, timing: RetryTiming = .live) {
    web = WebService(run, timing: timing)
    let settings = run.config.networks[BlueskySection.self]
    func base(_ url: SiteURL?, _ standard: String) -> String {
      url.map { String($0.description.dropLast()) } ?? standard
    }
    appView = base(settings.apiURL, Self.defaultAppView)
    directory = base(settings.directoryURL, Self.defaultDirectory)
  }

  /// A server's response: a value, or an error with its name and message.
  enum Answer {
    case value(JSONValue)
    case refused(name: String, message: String)

    var value: JSONValue? { if case .value(let value) = self { value } else { nil } }
  }

  // MARK: Posts

  /// Requests a post with up to 80 posts above it and the replies below it. At most 60 levels of replies are requested, because each level
  /// nests the JSON deeper; the server usually returns ten.
  func thread(_ address: RecordAddress) async throws(SourceError) -> Answer {
    try await ask(
      "app.bsky.feed.getPostThread",
      [("uri", address.text), ("depth", "60"), ("parentHeight", "80")])
  }

  /// Requests Bluesky's count of posts in the first unbroken chain of the root's author; `nil` if the request fails or returns no count.
  ///
  /// The endpoint may change without notice, so the count is used only as a check.
  func chainLength(_ root: RecordAddress) async -> Int? {
    let answer = try? await ask(
      "app.bsky.unspecced.getPostThreadV2",
      [("anchor", root.text), ("above", "false"), ("below", "1"), ("branchingFactor", "1")])
    guard let items = answer?.value?["thread"]?.array else { return nil }
    let anchor = items.first { $0["uri"]?.string == root.text }
    return anchor?["value"]?["opThreadPostCount"]?.int
  }

  /// The maximum number of posts in one lookup.
  static let lookupSize = 25

  /// Requests posts by their AT URIs. The response omits the posts that the AppView does not show.
  func posts(_ addresses: [RecordAddress]) async throws(SourceError) -> [JSONValue] {
    let answer = try await ask("app.bsky.feed.getPosts", addresses.map { ("uris", $0.text) })
    return try posts(in: answer, "app.bsky.feed.getPosts")
  }

  private func posts(in answer: Answer, _ method: String) throws(SourceError) -> [JSONValue] {
    switch answer {
    case .value(let value):
      guard let posts = value["posts"]?.array else { throw unexpected(method) }
      return posts
    case .refused(let name, let message): throw refusal(name, message, method)
    }
  }

  // MARK: Accounts

  /// Returns the DID of a handle, from the AppView or else from the handle's own host, if the account confirms the handle.
  ///
  /// - Throws: also if the handle belongs to no account.
  func resolve(handle: String) async throws(SourceError) -> String {
    switch try await ask("com.atproto.identity.resolveHandle", [("handle", handle.lowercased())]) {
    case .value(let value):
      guard let did = value["did"]?.string, RecordAddress.isDID(did) else {
        throw unexpected("com.atproto.identity.resolveHandle")
      }
      return did
    case .refused:
      if let did = try await didOfHost(handle.lowercased()) { return did }
      throw SourceError(
        .content,
        "There is no Bluesky account @\(handle). The handle may have changed: open the post on bsky.app and copy its URL again, or write the "
          + "account's DID (did:plc:…) in the handle's place.")
    }
  }

  /// Top-level domains that handles must not have (handle specification, "Additional non-syntax restrictions").
  private static let closedDomains: Set<String> = [
    "alt", "arpa", "example", "internal", "invalid", "local", "localhost", "onion",
  ]
  /// The maximum length of a DID in bytes. Most have a few dozen.
  private static let longestDID = 2048

  /// Returns the DID that a handle's own host serves at `/.well-known/atproto-did` (handle specification, "HTTPS well-known Method"); `nil`
  /// if it serves no DID.
  ///
  /// - Throws: also if the account with this DID does not have the handle, because a host can name any account.
  private func didOfHost(_ handle: String) async throws(SourceError) -> String? {
    let labels = handle.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last, !Self.closedDomains.contains(String(last)),
      labels.allSatisfy({
        !$0.isEmpty && $0.utf8.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "-") }
      }),
      last.utf8.first.map({ !isASCIIDigit($0) }) ?? false
    else { return nil }
    var request = WebRequest(
      "GET atproto-did", "https://\(handle)/.well-known/atproto-did", headers: [("Accept", "text/plain")])
    request.maximumBytes = Self.longestDID
    request.maximumTries = 2
    let answer: WebAnswer
    do {
      answer = try await web.get(request)
    } catch {
      // A host that does not exist or whose response is unusable names no account.
      guard error.kind == .network else { throw error }
      return nil
    }
    guard answer.isSuccess else { return nil }
    let text = String(decoding: answer.body, as: UTF8.self)
    guard let line = text.split(whereSeparator: \.isWhitespace).first.map(String.init),
      RecordAddress.isDID(line),
      text.split(whereSeparator: \.isWhitespace).count == 1
    else { return nil }
    guard try await self.handle(of: line) == handle else {
      throw SourceError(
        .content,
        "\(handle) claims the account \(line), but that account does not use this handle. If you mean this account, write its DID in the "
          + "handle's place.")
    }
    return line
  }

  func profile(_ did: String) async throws(SourceError) -> Answer {
    try await ask("app.bsky.actor.getProfile", [("actor", did)])
  }

  /// Requests a page of an account's posts, reposts and replies, newest first.
  func feed(_ did: String, cursor: String?) async throws(SourceError) -> Answer {
    try await ask(
      "app.bsky.feed.getAuthorFeed",
      [("actor", did), ("limit", "100"), ("filter", "posts_with_replies")] + page(cursor))
  }

  func followers(_ did: String, limit: Int, cursor: String?) async throws(SourceError) -> Answer {
    try await ask(
      "app.bsky.graph.getFollowers", [("actor", did), ("limit", "\(min(max(limit, 1), 100))")] + page(cursor))
  }

  /// Requests a record, which the AppView returns even if it does not show the post.
  func record(_ address: RecordAddress) async throws(SourceError) -> Answer {
    try await ask(
      "com.atproto.repo.getRecord",
      [("repo", address.did), ("collection", address.collection), ("rkey", address.key)])
  }

  private func page(_ cursor: String?) -> [(name: String, value: String)] {
    cursor.map { [("cursor", $0)] } ?? []
  }

  // MARK: An account's own server

  /// Returns the first well-formed handle in an account's DID document. Whether the handle leads back to the account is not checked.
  private func handle(of did: String) async throws(SourceError) -> String? {
    let names = try await document(of: did)?["alsoKnownAs"]?.array ?? []
    let handles = names.lazy.compactMap { $0.string?.without(bytePrefix: "at://")?.lowercased() }
    return handles.first { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "/")) }
  }

  /// Returns an account's DID document, from the directory (`did:plc:`) or the account's host (`did:web:`); `nil` if there is no valid document.
  private func document(of did: String) async throws(SourceError) -> JSONValue? {
    let url: String
    if did.hasBytePrefix("did:plc:") {
      url = "\(directory)/\(did)"
    } else if let host = did.without(bytePrefix: "did:web:"), !host.isEmpty, !host.contains(":"),
      !host.contains("%")
    {
      url = "https://\(host)/.well-known/did.json"
    } else {
      return nil
    }
    let answer = try await web.get(WebRequest("GET DID document", url))
    guard answer.isSuccess else { return nil }
    let document = try answer.json()
    return document["id"]?.string == did ? document : nil
  }

  /// Returns the URL of the server that has an account's records, from the DID document; `nil` if the document names no server.
  func server(of did: String) async throws(SourceError) -> String? {
    guard let document = try await document(of: did) else { return nil }
    let service = document["service"]?.array?.first { service in
      let id = service["id"]?.string
      return (id == "#atproto_pds" || id == did + "#atproto_pds")
        && service["type"]?.string == "AtprotoPersonalDataServer"
    }
    guard let endpoint = service?["serviceEndpoint"]?.string, let server = try? SiteURL(endpoint),
      server.path == "/"
    else { return nil }
    return String(server.description.dropLast())
  }

  /// Requests a page of an account's posts as records from the account's own server, oldest first.
  ///
  /// - Parameter cursor: the key of the last post of the previous page.
  func records(of did: String, on server: String, cursor: String?) async throws(SourceError) -> Answer {
    try await ask(
      "com.atproto.repo.listRecords",
      [("repo", did), ("collection", RecordAddress.posts), ("limit", "100"), ("reverse", "true")]
        + page(cursor),
      at: server)
  }

  // MARK: Requests

  private func ask(
    _ method: String, _ query: [(name: String, value: String)], at server: String? = nil
  ) async throws(SourceError) -> Answer {
    let answer = try await web.get(
      WebRequest("GET \(method)", "\(server ?? appView)/xrpc/\(method)", query: query))
    if answer.isSuccess { return .value(try answer.json()) }
    // Errors are distinguished by their names, because the status of nearly all of them is 400.
    if answer.status == 401 || answer.status == 403 {
      throw SourceError(
        .access,
        "\(answer.host) answers \(method) only to signed-in users (\(answer.status)). Set bluesky.api_url in site.yml to another "
          + "server, such as \(Self.defaultAppView), which is open to all.")
    }
    guard let error = answer.refusal, let name = error["error"]?.string else {
      throw SourceError(
        .network,
        "\(answer.host) answered \(method) with \(answer.status) and without a reason. Try again later; if this persists, the "
          + "server may not be a Bluesky server.")
    }
    return .refused(name: name, message: error["message"]?.string ?? "")
  }

  func unexpected(_ method: String) -> SourceError {
    SourceError(.network, "The response to \(method) does not match Bluesky's documentation.")
  }

  func refusal(_ name: String, _ message: String, _ method: String) -> SourceError {
    let words = message.isEmpty || message == name ? name : "\(name): \(message)"
    return SourceError(.network, "Bluesky refused \(method) (\(words)).")
  }
}

/// The reasons why an account's posts are not shown.
enum BlueskyAccountState {
  /// Returns the reason that an error of `getProfile` states for a missing account; `nil` for other errors.
  static func reason(ofError name: String, _ message: String) -> TombstoneReason? {
    switch name {
    case "AccountTakedown", "AccountSuspended", "RepoTakendown", "RepoSuspended": .suspended
    case "AccountDeactivated", "RepoDeactivated": .deactivated
    case "RepoNotFound", "NotFound": .deleted
    case "InvalidRequest" where message.lowercased().contains("not found"): .deleted
    default: nil
    }
  }

  static func error(_ reason: TombstoneReason, _ name: String) -> SourceError {
    switch reason {
    case .suspended: SourceError(.content, "Bluesky has suspended the account \(name).")
    case .deactivated: SourceError(.content, "The account \(name) was deactivated by its owner.")
    case .signedInOnly:
      SourceError(
        .content,
        "\(name) shows posts only to people who are signed in to Bluesky. Such posts are not copied to a public site."
      )
    default: SourceError(.content, "The Bluesky account \(name) no longer exists.")
    }
  }
}
