import Basics
import HTTPTransport
import NetworkSources
import SiteConfig
import Synchronization
import ThreadModel

/// A client of Mastodon's API on any server, for one run.
final class MastodonAPI: Sendable {
  let web: WebService
  private let run: SourceRun
  /// The servers that do not support requests for several statuses.
  private let withoutBatches = Mutex<Set<MastodonServer>>([])
  /// The servers that show posts only with a token, with the error that states this.
  private let closed = Mutex<[MastodonServer: SourceError]>([:])
  /// The URLs of the pictures of emoji on Misskey's servers, by short code; empty for codes without a picture.
  private let emoji = Mutex<[MastodonServer: [String: String]]>([:])
  /// The URLs of accounts that were read by ActivityPub.
  private let actors = Mutex<[AuthorID: String]>([:])

  init(_ run: SourceRun) {
    self.run = run
    web = WebService(run)
  }

  var now: Timestamp { run.now() }

  /// Reports to the user, in one sentence, a part that was left out or that differs from the request.
  func say(_ sentence: String) { run.warn(sentence) }

  private func isTokenKnown(of server: MastodonServer) -> Bool {
    run.config.networks[MastodonSection.self].server(named: server.name).map {
      $0.tokenEnv != nil || $0.tokenFile != nil
    } ?? false
  }

  // MARK: Endpoints

  /// Returns a status; `nil` if the server does not have or show it.
  ///
  /// - Throws: an error of content if the response is invalid or has a different status. For a server found to be closed, its
  ///   ``closure(of:)``.
  func status(_ id: String, on server: MastodonServer) async throws(SourceError) -> MastodonStatus? {
    if let closure = closure(of: server) { throw closure }
    let answer: WebAnswer
    do {
      answer = try await get("GET /api/v1/statuses/:id", "/api/v1/statuses/\(id)", on: server)
    } catch {
      if error.kind == .noCredential, !isTokenKnown(of: server) { closed.withLock { $0[server] = error } }
      throw error
    }
    guard answer.isSuccess else { return nil }
    let status = try read(answer) { value throws(MastodonRefusal) in try MastodonStatus(value) }
    guard status.id == id else {
      throw SourceError(
        .content,
        "rejected: \(server.name) returned the post \(status.id) instead of the post \(id).")
    }
    web.count(posts: 1, users: 1)
    return status
  }

  /// Returns the statuses above and below a status; `nil` if the server does not have or show the status.
  func context(of id: String, on server: MastodonServer) async throws(SourceError) -> MastodonContext? {
    let answer = try await get(
      "GET /api/v1/statuses/:id/context", "/api/v1/statuses/\(id)/context", on: server)
    guard answer.isSuccess else { return nil }
    let value = try answer.json()
    guard let ancestors = value["ancestors"]?.array, let descendants = value["descendants"]?.array else {
      throw SourceError(.network, "\(server.name) returned no context of a post for \(answer.endpoint).")
    }
    let statuses = try read(answer) { value throws(MastodonRefusal) in try MastodonAnswer(value) }
    web.count(posts: statuses.statuses.count)
    return MastodonContext(answer: statuses, ancestors: ancestors.count, descendants: descendants.count)
  }

  /// Returns several statuses, without those that the server does not show; `nil` if the server does not support this request.
  func batch(_ ids: [String], on server: MastodonServer) async throws(SourceError) -> MastodonAnswer? {
    guard !withoutBatches.withLock({ $0.contains(server) }) else { return nil }
    let answer = try await get(
      "GET /api/v1/statuses", "/api/v1/statuses", query: ids.map { ("id[]", $0) }, on: server)
    guard answer.isSuccess, let value = try? answer.json(), value.array != nil else {
      _ = withoutBatches.withLock { $0.insert(server) }
      return nil
    }
    let statuses = try read(answer) { value throws(MastodonRefusal) in try MastodonAnswer(value) }
    web.count(posts: statuses.statuses.count)
    return statuses
  }

  /// The maximum number of statuses in one request.
  static let batchSize = 20

  /// Returns the account with a name; `nil` if it is missing.
  func account(named name: String, on server: MastodonServer) async throws(SourceError) -> MastodonAccount? {
    let answer = try await get(
      "GET /api/v1/accounts/lookup", "/api/v1/accounts/lookup", query: [("acct", name)], on: server)
    return try account(answer)
  }

  func account(_ id: String, on server: MastodonServer) async throws(SourceError) -> MastodonAccount? {
    try account(await get("GET /api/v1/accounts/:id", "/api/v1/accounts/\(id)", on: server))
  }

  private func account(_ answer: WebAnswer) throws(SourceError) -> MastodonAccount? {
    guard answer.isSuccess else { return nil }
    let account = try read(answer) { value throws(MastodonRefusal) in
      guard let object = value.object else { throw .notAnAccount }
      return try MastodonAccount(MastodonFields(object))
    }
    web.count(users: 1)
    return account
  }

  /// Returns a page of an account's statuses, without boosts if the server can leave them out.
  ///
  /// - Parameters:
  ///   - before: the id below which the statuses are, newest first (`max_id`).
  ///   - after: the id above which the statuses are, newest first (`since_id`).
  ///   - following: the id directly after which the page begins (`min_id`).
  func statuses(
    of account: String, before: String? = nil, after: String? = nil, following: String? = nil,
    on server: MastodonServer
  ) async throws(SourceError) -> MastodonPage {
    var query = [("limit", "40"), ("exclude_reblogs", "true")]
    if let before { query.append(("max_id", before)) }
    if let after { query.append(("since_id", after)) }
    if let following { query.append(("min_id", following)) }
    let answer = try await get(
      "GET /api/v1/accounts/:id/statuses", "/api/v1/accounts/\(account)/statuses", query: query, on: server)
    guard answer.isSuccess else {
      throw SourceError(.content, "\(server.name) does not provide the account's posts (\(answer.status)).")
    }
    return try page(answer, of: server)
  }

  private func page(_ answer: WebAnswer, of server: MastodonServer) throws(SourceError) -> MastodonPage {
    let value = try answer.json()
    guard let list = value.array else {
      throw SourceError(.network, "\(server.name) returned no list of posts for \(answer.endpoint).")
    }
    let statuses =
      list.isEmpty
      ? nil : try read(answer) { value throws(MastodonRefusal) in try MastodonAnswer(value) }
    web.count(posts: statuses?.statuses.count ?? 0)
    return MastodonPage(
      answer: statuses, isEmpty: list.isEmpty,
      next: MastodonPage.next(answer.headers["Link"], "max_id") ?? list.last?["id"]?.string)
  }

  /// Returns a page of the public posts with a hashtag that a server knows, newest first.
  func statuses(
    with hashtag: MastodonHashtag, before: String?
  ) async throws(SourceError) -> MastodonPage {
    var query = [("limit", "40")]
    if let before { query.append(("max_id", before)) }
    let answer = try await get(
      "GET /api/v1/timelines/tag/:hashtag", "/api/v1/timelines/tag/\(hashtag.encodedName)", query: query,
      on: hashtag.server)
    guard answer.isSuccess else {
      throw SourceError(
        .content,
        "\(hashtag.server.name) does not provide the posts with #\(hashtag.name) (\(answer.status)).")
    }
    return try page(answer, of: hashtag.server)
  }

  /// Returns a page of an account's followers; `nil` if the server does not show them.
  func followers(
    of account: String, before: String?, on server: MastodonServer
  ) async throws(SourceError) -> (accounts: [MastodonAccount], next: String?)? {
    var query = [("limit", "80")]
    if let before { query.append(("max_id", before)) }
    let answer = try await get(
      "GET /api/v1/accounts/:id/followers", "/api/v1/accounts/\(account)/followers", query: query, on: server)
    guard answer.isSuccess, let list = try answer.json().array else { return nil }
    let accounts = list.compactMap { value in
      value.object.flatMap { try? MastodonAccount(MastodonFields($0)) }
    }
    web.count(users: accounts.count)
    return (accounts, MastodonPage.next(answer.headers["Link"], "max_id"))
  }

  // MARK: Requests

  private func get(
    _ endpoint: String, _ path: String, query: [(String, String)] = [], on server: MastodonServer
  ) async throws(SourceError) -> WebAnswer {
    let token = try run.config.networks[MastodonSection.self].server(named: server.name)?.token(for: run)
    let answer = try await web.get(
      WebRequest(
        endpoint, webBase(of: server) + path, query: query.map { (name: $0.0, value: $0.1) },
        authorization: token.map { Secret("Bearer " + $0.revealed) }))
    guard answer.status == 401 || answer.status == 403 else { return answer }
    throw refused(server, hasToken: token != nil, answer)
  }

  /// Returns the URL to which a server's paths are appended, without a final slash.
  func webBase(of server: MastodonServer) -> String {
    let setting = run.config.networks[MastodonSection.self].server(named: server.name)
    return setting?.apiURL.map { String($0.description.dropLast()) } ?? "https://\(server.name)"
  }

  /// Returns the error of a server that shows posts only with a token; `nil` if the server is open, or has not been asked yet.
  func closure(of server: MastodonServer) -> SourceError? { closed.withLock { $0[server] } }

  /// Stores the URL of an account, which cannot be derived from its id, for reading its profile.
  func remember(_ author: AuthorID, at address: String) { actors.withLock { $0[author] = address } }

  func address(of author: AuthorID) -> String? { actors.withLock { $0[author] } }

  /// Stores the URL of an emoji's picture; an empty one means that there is no picture.
  func rememberEmoji(_ code: String, of server: MastodonServer, at url: String) {
    emoji.withLock { $0[server, default: [:]][code] = url }
  }

  func rememberedEmoji(_ code: String, of server: MastodonServer) -> String? {
    emoji.withLock { $0[server]?[code] }
  }

  /// Returns the error for a server that rejects requests without a token, or with this token.
  private func refused(_ server: MastodonServer, hasToken: Bool, _ answer: WebAnswer) -> SourceError {
    let said = answer.refusal?["error"]?.string.map { " The server's message: \($0.asName)." } ?? ""
    guard !hasToken else {
      return SourceError(
        .access,
        "\(server.name) rejects its token in site.yml (\(answer.status)).\(said) Create a new one "
          + "on that server, with the scope \"read\".")
    }
    return SourceError(
      .noCredential,
      "\(server.name) shows posts only to requests with a token (\(answer.status)).\(said) Create one there (Preferences, "
        + "Development, New application, scope \"read\"), put it into an environment variable or a file, and "
        + "add to mastodon.servers in site.yml an entry with host: \(server.name) and token_env or "
        + "token_file.")
  }

  private func read<Value>(
    _ answer: WebAnswer, _ body: (JSONValue) throws(MastodonRefusal) -> Value
  ) throws(SourceError) -> Value {
    let value = try answer.json()
    do {
      return try body(value)
    } catch {
      throw SourceError(
        .content, "The response of \(answer.host) to \(answer.endpoint) cannot be read: \(error).")
    }
  }
}

/// The statuses above and below a status.
struct MastodonContext: Sendable {
  var answer: MastodonAnswer
  /// The number of statuses above that the server sent, including invalid ones.
  var ancestors: Int
  /// The number of statuses below that the server sent, including invalid ones.
  var descendants: Int
}

/// A page of a list.
struct MastodonPage: Sendable {
  /// `nil` if the page is empty.
  var answer: MastodonAnswer?
  var isEmpty: Bool
  /// The id before which the next page begins; `nil` if this page is the last.
  var next: String?

  /// Returns the id before which the next page begins, from a `Link` header such as `<…?max_id=1>; rel="next"`; `nil` if the header has none.
  static func next(_ header: String?, _ parameter: String) -> String? {
    guard let header else { return nil }
    for link in header.split(separator: ",") where link.contains("rel=\"next\"") || link.contains("rel=next")
    {
      guard let start = link.firstIndex(of: "<"), let end = link.firstIndex(of: ">"), start < end,
        let query = link[start..<end].firstIndex(of: "?")
      else { continue }
      for pair in link[link.index(after: query)..<end].split(separator: "&") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        if parts.count == 2, parts[0] == parameter, MastodonServer.isID(String(parts[1])) {
          return String(parts[1])
        }
      }
    }
    return nil
  }
}

extension MastodonSection.Server {
  /// Reads the server's token; `nil` if the configuration names none.
  ///
  /// - Throws: an error if a configured token cannot be read. The error names the token's place, never its value.
  func token(for run: SourceRun) throws(SourceError) -> Secret? {
    let place = CredentialPlace(variable: tokenEnv, file: tokenFile.map(run.absolutePath))
    let found: CredentialPlace.Found?
    do {
      found = try place.read(run.environment)
    } catch {
      throw missing("\(error)")
    }
    if let file = found?.openFile {
      run.warn(
        "\(file): warning: everybody on this machine can read the token for \(host). Run `chmod 600` on the file."
      )
    }
    if found == nil, let tokenEnv {
      throw missing(
        "the environment variable \(tokenEnv) is not set"
          + Suggestion.phrase(for: tokenEnv, among: run.environment.keys.sorted()))
    }
    return found?.secret
  }

  private func missing(_ reason: String) -> SourceError {
    SourceError(.noCredential, "There is no token for \(host): \(reason).")
  }
}
