import HTTPTransport
import JSONText
import NetworkSources
import SiteConfig
import ThreadModel
import UTF8Text

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
