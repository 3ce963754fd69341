import Basics
import NetworkSources
import ThreadModel

/// A response of the API of Misskey and related servers (https://misskey-hub.net/docs/for-developers/api/).
enum MisskeyAnswer: Sendable {
  case value(JSONValue)
  /// The server refuses the request; with the code of the error, such as `NO_SUCH_NOTE`.
  case refused(String)
  /// The server does not have this function.
  case unsupported
}

/// The result of requesting one note.
enum MisskeyLookup: Sendable {
  case note(MastodonStatus)
  /// The server shows the note only to its users.
  case hidden
  /// The note does not exist.
  case missing
  /// The server does not have Misskey's API.
  case unsupported
}

extension MastodonAPI {
  /// In bytes. A note has a few kilobytes, and a page of 100 notes a few hundred.
  private static let largestAnswer = 4 << 20
  /// The codes for notes of accounts that require visitors to sign in.
  private static let signInCodes: Set<String> = [
    "ACCESS_DENIED", "AUTHENTICATION_REQUIRED", "CREDENTIAL_REQUIRED", "PERMISSION_DENIED", "SIGNIN_REQUIRED",
  ]

  /// Sends a request to Misskey's API, without a token.
  ///
  /// - Parameter isPatient: whether a failed request is tried as often as usual, instead of once.
  func misskey(
    _ function: String, _ parameters: JSONObject, on server: MastodonServer, isPatient: Bool = true
  ) async throws(SourceError) -> MisskeyAnswer {
    var request = WebRequest("POST /api/\(function)", webBase(of: server) + "/api/\(function)")
    request.body = JSONWriter.text(of: .object(parameters), .compact).bytes
    request.maximumBytes = Self.largestAnswer
    if !isPatient { request.maximumTries = 1 }
    let answer = try await web.get(request)
    guard let value = answer.refusal else { return .unsupported }
    guard !answer.isSuccess else { return .value(value) }
    // Errors of other servers have no code.
    guard let code = value["error"]?["code"]?.string, code != "UNKNOWN_API_ENDPOINT" else {
      return .unsupported
    }
    return .refused(code)
  }

  /// Requests a note.
  ///
  /// - Throws: an error of content if the response is not a note, or is a different one.
  func note(_ id: String, on server: MastodonServer) async throws(SourceError) -> MisskeyLookup {
    let value: JSONValue
    switch try await misskey("notes/show", ["noteId": .string(id)], on: server) {
    case .value(let found): value = found
    case .unsupported: return .unsupported
    case .refused("NO_SUCH_NOTE"): return .missing
    case .refused(let code) where Self.signInCodes.contains(code): return .hidden
    case .refused(let code):
      throw SourceError(.content, "\(server.name) does not show the post \(id) (\(code.asName)).")
    }
    guard let note = MisskeyNote(value, on: server, seenAt: now), let status = status(of: note) else {
      throw SourceError(
        .content, "The response of \(server.name) to POST /api/notes/show cannot be read: it is not a note.")
    }
    guard status.id == id else {
      throw SourceError(
        .content, "rejected: \(server.name) returned the post \(status.id) instead of the post \(id).")
    }
    web.count(posts: 1, users: 1)
    return .note(status)
  }

  /// Returns a list of notes; empty if the server refuses to show it.
  func notes(
    _ function: String, _ parameters: JSONObject, on server: MastodonServer
  ) async throws(SourceError) -> MisskeyPage {
    switch try await misskey(function, parameters, on: server) {
    case .refused: return MisskeyPage()
    case .value(let value):
      guard let list = value.array else {
        throw SourceError(.network, "\(server.name) returned no list of posts for POST /api/\(function).")
      }
      let statuses = list.compactMap { value in
        MisskeyNote(value, on: server, seenAt: now).flatMap(status)
      }
      web.count(posts: statuses.count)
      return MisskeyPage(
        statuses: statuses, count: list.count,
        last: (list.last?["id"]?.string).flatMap { MastodonServer.isID($0) ? $0 : nil })
    case .unsupported:
      throw SourceError(
        .network, "\(server.name) does not have POST /api/\(function), which its other responses imply.")
    }
  }

  /// Returns a note of the API as a status; `nil` for a note without an author.
  private func status(of note: MisskeyNote) -> MastodonStatus? {
    try? MastodonStatus(.object(note.status))  // only an author may be missing
  }

  /// Returns the URL of the picture of one of a server's emoji; `nil` if the server does not have the emoji.
  ///
  /// - Throws: also for an unknown emoji, for which some versions of Misskey report a problem of the server (`emoji.ts`, `findOneOrFail`).
  func misskeyEmoji(_ code: String, on server: MastodonServer) async throws(SourceError) -> String? {
    if let known = rememberedEmoji(code, of: server) { return known.isEmpty ? nil : known }
    // Also remembered if the request fails.
    rememberEmoji(code, of: server, at: "")
    let answer = try await misskey("emoji", ["name": .string(code)], on: server, isPatient: false)
    var url: String?
    if case .value(let value) = answer { url = value["url"]?.string.flatMap(WebAddress.safe) }
    if let url { rememberEmoji(code, of: server, at: url) }
    return url
  }
}

/// A page of a list of notes.
struct MisskeyPage: Sendable {
  var statuses: [MastodonStatus] = []
  /// The number of values that the server sent, including invalid ones.
  var count = 0
  /// The id of the last value.
  var last: String?
}
