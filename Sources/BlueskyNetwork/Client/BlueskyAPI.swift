import Basics
import HTTPTransport
import NetworkSources
import SiteConfig
import ThreadModel

/// The questions that an AppView answers to everybody, and those that accounts' own servers and the directory of accounts do.
struct BlueskyAPI: Sendable {
  let web: WebService
  /// Without a slash at its end.
  private let appView: String
  let directory: String

  private static let defaultAppView = "https://public.api.bsky.app"
  private static let defaultDirectory = "https://plc.directory"

  init(_ run: SourceRun, timing: RetryTiming = .live) {
    web = WebService(run, timing: timing)
    func base(_ url: SiteURL?, _ standard: String) -> String {
      url.map { String($0.description.dropLast()) } ?? standard
    }
    appView = base(run.config.bluesky.apiURL, Self.defaultAppView)
    directory = base(run.config.bluesky.directoryURL, Self.defaultDirectory)
  }

  /// What a server said: a value, or that it has none, by the name of its error.
  enum Answer {
    case value(JSONValue)
    case refused(name: String, message: String)

    var value: JSONValue? { if case .value(let value) = self { value } else { nil } }
  }

  // MARK: Posts

  /// A post with what it answers, 80 posts up, and with the replies below it, as deep as the server goes: mostly ten levels. More is
  /// never asked for at once, as each level is one of JSON.
  func thread(_ address: RecordAddress) async throws(SourceError) -> Answer {
    try await ask(
      "app.bsky.feed.getPostThread",
      [("uri", address.text), ("depth", "60"), ("parentHeight", "80")])
  }

  /// How many posts Bluesky counts in the first unbroken chain of the root's author; `nil` where nobody says so.
  ///
  /// The endpoint may change without notice: what it says is a check, and nothing rests on it.
  func chainLength(_ root: RecordAddress) async -> Int? {
    let answer = try? await ask(
      "app.bsky.unspecced.getPostThreadV2",
      [("anchor", root.text), ("above", "false"), ("below", "1"), ("branchingFactor", "1")])
    guard let items = answer?.value?["thread"]?.array else { return nil }
    let anchor = items.first { $0["uri"]?.string == root.text }
    return anchor?["value"]?["opThreadPostCount"]?.int
  }

  /// The most posts that one lookup names.
  static let lookupSize = 25

  /// The posts that the AppView shows of some; it is silent on the others.
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

  /// The account of a handle: as the AppView knows it, or else as the handle's own host says it, if the account says so, too.
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
        "Bluesky knows nobody called @\(handle). Handles change: open the post on bsky.app and copy its address anew, or write the "
          + "account's DID (did:plc:…) in the handle's place.")
    }
  }

  /// Names that belong to nobody on the web (handle specification, "Additional non-syntax restrictions").
  private static let closedDomains: Set<String> = [
    "alt", "arpa", "example", "internal", "invalid", "local", "localhost", "onion",
  ]
  /// A DID has some dozen bytes, and 2048 at most.
  private static let longestDID = 2048

  /// The account that a handle's own host names, under an address that is kept for it (handle specification, "HTTPS well-known Method"); `nil`
  /// where it names none.
  ///
  /// - Throws: where the account that is named does not go by this handle: anybody may name anybody.
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
      // A host that is not there, or has something else there, says nothing of an account.
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
        "\(handle) says that it is the account \(line), which does not go by this handle: it is not taken. Write the account's DID in the "
          + "handle's place if it is the one that you mean.")
    }
    return line
  }

  func profile(_ did: String) async throws(SourceError) -> Answer {
    try await ask("app.bsky.actor.getProfile", [("actor", did)])
  }

  /// A page of an account's posts, reposts and replies, the newest first.
  func feed(_ did: String, cursor: String?) async throws(SourceError) -> Answer {
    try await ask(
      "app.bsky.feed.getAuthorFeed",
      [("actor", did), ("limit", "100"), ("filter", "posts_with_replies")] + page(cursor))
  }

  func followers(_ did: String, limit: Int, cursor: String?) async throws(SourceError) -> Answer {
    try await ask(
      "app.bsky.graph.getFollowers", [("actor", did), ("limit", "\(min(max(limit, 1), 100))")] + page(cursor))
  }

  /// A record as the AppView has it, whether or not it shows it.
  func record(_ address: RecordAddress) async throws(SourceError) -> Answer {
    try await ask(
      "com.atproto.repo.getRecord",
      [("repo", address.did), ("collection", address.collection), ("rkey", address.key)])
  }

  private func page(_ cursor: String?) -> [(name: String, value: String)] {
    cursor.map { [("cursor", $0)] } ?? []
  }

  // MARK: An account's own server

  /// What an account is called, by its own document: the first well-formed handle there. Whether the handle says so, too, is not asked.
  private func handle(of did: String) async throws(SourceError) -> String? {
    let names = try await document(of: did)?["alsoKnownAs"]?.array ?? []
    let handles = names.lazy.compactMap { $0.string?.without(bytePrefix: "at://")?.lowercased() }
    return handles.first { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "/")) }
  }

  /// What is said of an account where accounts are looked up; `nil` where nothing is.
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

  /// The server that an account's records are on, by its own document; `nil` where that names none.
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

  /// A page of an account's posts from its own server, as records.
  ///
  /// - Parameter cursor: the key of the last post of the page before; the oldest posts come first.
  func records(of did: String, on server: String, cursor: String?) async throws(SourceError) -> Answer {
    try await ask(
      "com.atproto.repo.listRecords",
      [("repo", did), ("collection", RecordAddress.posts), ("limit", "100"), ("reverse", "true")]
        + page(cursor),
      at: server)
  }

  // MARK: Asking

  private func ask(
    _ method: String, _ query: [(name: String, value: String)], at server: String? = nil
  ) async throws(SourceError) -> Answer {
    let answer = try await web.get(
      WebRequest("GET \(method)", "\(server ?? appView)/xrpc/\(method)", query: query))
    if answer.isSuccess { return .value(try answer.json()) }
    // A server goes by the name of its error and not by the status, which is 400 for nearly everything.
    if answer.status == 401 || answer.status == 403 {
      throw SourceError(
        .access,
        "\(answer.host) does not answer \(method) to those who are not signed in (\(answer.status)). With bluesky.api_url in site.yml "
          + "another server is asked; \(Self.defaultAppView) is open to all.")
    }
    guard let error = answer.refusal, let name = error["error"]?.string else {
      throw SourceError(
        .network,
        "\(answer.host) answered \(method) with \(answer.status) and without a reason. Try again later; if it stays like this, the "
          + "server may be none of Bluesky's.")
    }
    return .refused(name: name, message: error["message"]?.string ?? "")
  }

  func unexpected(_ method: String) -> SourceError {
    SourceError(.network, "The answer to \(method) has not the form that Bluesky's documents describe.")
  }

  func refusal(_ name: String, _ message: String, _ method: String) -> SourceError {
    let words = message.isEmpty || message == name ? name : "\(name): \(message)"
    return SourceError(.network, "Bluesky refused \(method) (\(words)).")
  }
}

/// Why an account's posts are not to be had.
enum BlueskyAccountState {
  /// Whether an error of `getProfile` says that the account is gone; `nil` for one that says something else.
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
    case .deactivated: SourceError(.content, "The account \(name) is deactivated by its owner.")
    case .signedInOnly:
      SourceError(
        .content,
        "\(name) shows posts only to people who are signed in to Bluesky. They are not copied to a site that everybody can read."
      )
    default: SourceError(.content, "Bluesky has no account \(name) any more.")
    }
  }
}
