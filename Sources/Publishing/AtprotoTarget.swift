import Basics
package import HTTPTransport
package import SiteConfig
import SiteOutput

/// A repository of the AT Protocol, such as that of a Bluesky account, which receives records about a site and its threads
/// (https://docs.bsky.app/docs/api: com.atproto.repo.*, com.atproto.server.createSession).
///
/// The records at the destination are compared with those of the site. Records about threads of other sites are not changed.
package struct AtprotoTarget: PublishTarget {
  /// The maximum number of records in one response of `listRecords`.
  private static let pageSize = 100
  /// The maximum number of responses that are read of a list, against a server that never ends it.
  private static let mostPages = 20_000

  private let options: SiteConfig.Publish.Atproto
  private let records: SiteRecords
  private let password: Secret?
  private let transport: any HTTPTransport
  private let directory: String

  /// - Parameters:
  ///   - password: an app password of the account; `nil` if nothing is published, because everybody can read the records.
  ///   - directory: the URL of the directory of `did:plc:` accounts.
  ///   - transport: the transport, which retries requests that may succeed later.
  package init(
    _ options: SiteConfig.Publish.Atproto, records: SiteRecords, password: Secret?,
    directory: String = "https://plc.directory", transport: any HTTPTransport
  ) {
    self.options = options
    self.records = records
    self.password = password
    self.directory = directory
    self.transport = transport
  }

  package var name: String { "the repository of \(options.account)" }
  package var unit: String { "record" }

  package func compare(_ site: PublishedSite) async throws(PublishError) -> PublishWork {
    let server = try await server()
    let values = try values()
    let listed = values.map {
      ListedFile(path: $0.key, size: $0.value.count, digest: Self.digest(of: $0.value))
    }
    .sorted { $0.path < $1.path }
    let listing = SiteListing(folder: site.folder, files: listed)
    let difference = SiteDifference(of: listing, from: try await published(among: values, at: server))
    return PublishWork(difference) { () async throws(PublishError) in
      try await publish(difference, values, at: server, site.progress)
    }
  }

  /// Returns the records of the site as JSON, by their places.
  private func values() throws(PublishError) -> [SitePath: [UInt8]] {
    var values: [SitePath: [UInt8]] = [:]
    for record in records.records {
      let bytes = JSONWriter.text(of: record.value, .compact).bytes
      guard values.updateValue(bytes, forKey: record.place) == nil else {
        throw PublishError(
          .content,
          "\(record.place.text): error: two threads have this record; exclude one of them in site.yml (`exclude: true`)."
        )
      }
    }
    return values
  }

  private static func digest(of bytes: [UInt8]) -> String { Hexadecimal.digits(SHA256.hash(bytes)) }

  /// Returns the digests of the records at the destination that belong to this site or have the place of one of its records.
  private func published(
    among values: [SitePath: [UInt8]], at server: Server
  ) async throws(PublishError) -> [SitePath: String] {
    var found: [SitePath: String] = [:]
    for collection in [StandardSite.publications, StandardSite.documents] {
      for (key, value) in try await list(collection, at: server) {
        let place = SitePath("\(collection)/\(key)")
        guard values[place] != nil || value["site"]?.string == records.publication else { continue }
        found[place] = Self.digest(of: JSONWriter.text(of: value, .compact).bytes)
      }
    }
    return found
  }

  private func publish(
    _ difference: SiteDifference, _ values: [SitePath: [UInt8]], at server: Server,
    _ progress: PublishProgress
  ) async throws(PublishError) {
    let token = try await session(at: server)
    // The record about the site comes first, because those about threads refer to it.
    let isOfSite = { (file: ListedFile) in file.path.text.hasBytePrefix(StandardSite.publications) }
    let changes = difference.added + difference.changed
    let uploads = changes.filter(isOfSite) + changes.filter { !isOfSite($0) }
    for (done, file) in uploads.enumerated() {
      guard let bytes = values[file.path], let value = try? JSONValue(parsing: bytes) else { continue }
      try await change("putRecord", at: file.path, value, token, server)
      progress("Sending records", done + 1, uploads.count)
    }
    for (done, place) in difference.removed.enumerated() {
      try await change("deleteRecord", at: place, nil, token, server)
      progress("Deleting records", done + 1, difference.removed.count)
    }
  }

  private func change(
    _ method: String, at place: SitePath, _ value: JSONValue?, _ token: Secret, _ server: Server
  ) async throws(PublishError) {
    let parts = place.text.split(separator: "/").map(String.init)
    var body: [String: JSONValue] = [
      "repo": .string(options.account), "collection": .string(parts[0]), "rkey": .string(parts[1]),
    ]
    body["record"] = value
    var request = Self.call("com.atproto.repo.\(method)", .object(body), at: server)
    request.authorization = token
    _ = try await answer(to: request, at: "\(server)", doing: "\(method) of \(place.text)")
  }

  // MARK: Requests

  /// The account's server.
  private struct Server: CustomStringConvertible {
    /// The URL without a slash at the end.
    let description: String
    /// Which addresses it may have: none of a private network if others chose the URL.
    let reach: HTTPRequest.Reach
  }

  /// Returns the account's server, from site.yml or from the account's DID document.
  private func server() async throws(PublishError) -> Server {
    if let url = options.server {
      return Server(description: "\(url.scheme)://\(url.authority)", reach: .any)
    }
    let reach = directory.hasBytePrefix("https:") ? HTTPRequest.Reach.publicOnly : .any
    let account = options.account
    let url =
      account.without(bytePrefix: "did:web:").map { "https://\($0)/.well-known/did.json" }
      ?? "\(directory)/\(account)"
    var request = HTTPRequest(.get, url)
    request.limits.maximumBytes = 1 << 20
    request.reach = reach
    let document = try await answer(to: request, at: url, doing: "reading the account's DID document")
    let service = document["service"]?.array?.first { service in
      service["type"]?.string == "AtprotoPersonalDataServer"
        && service["id"]?.string?.hasByteSuffix("#atproto_pds") == true
    }
    guard let endpoint = service?["serviceEndpoint"]?.string, let address = try? SiteURL(endpoint),
      address.scheme == "https" || address.isLoopback && !directory.hasBytePrefix("https:")
    else {
      throw PublishError(
        .network,
        "\(url): error: the DID document of \(account) names no server of the account; set publish.atproto.server in site.yml."
      )
    }
    return Server(description: "\(address.scheme)://\(address.authority)", reach: reach)
  }

  /// Returns the token of a new session.
  private func session(at server: Server) async throws(PublishError) -> Secret {
    guard let password else {
      throw PublishError(.access, "error: there is no credential for publish.atproto.")
    }
    let request = Self.call(
      "com.atproto.server.createSession",
      ["identifier": .string(options.account), "password": .string(password.revealed)], at: server)
    let session = try await answer(to: request, at: "\(server)", doing: "signing in")
    guard let token = session["accessJwt"]?.string else {
      throw PublishError(.network, "\(server): error: this is not a response of an AT Protocol server.")
    }
    guard session["did"]?.string == options.account else {
      throw PublishError(
        .access,
        "\(server): error: the app password is of another account than publish.atproto.account (\(options.account)); use the password of this account."
      )
    }
    return Secret("Bearer \(token)")
  }

  /// Returns all records of a collection by their keys.
  private func list(_ collection: String, at server: Server) async throws(PublishError) -> [String: JSONValue]
  {
    var records: [String: JSONValue] = [:]
    var cursor: String?
    for _ in 0..<Self.mostPages {
      var query =
        "repo=\(PercentEncoding.encode(options.account))&collection=\(collection)&limit=\(Self.pageSize)"
      if let cursor { query += "&cursor=\(PercentEncoding.encode(cursor))" }
      var request = HTTPRequest(.get, "\(server)/xrpc/com.atproto.repo.listRecords?\(query)")
      request.limits.maximumBytes = 256 << 20
      request.reach = server.reach
      let page = try await answer(
        to: request, at: "\(server)", doing: "listing the records of \(options.account)")
      guard let found = page["records"]?.array else {
        throw PublishError(.network, "\(server): error: this is not a response of an AT Protocol server.")
      }
      let before = records.count
      for record in found {
        guard let key = record["uri"]?.string?.split(separator: "/").last, let value = record["value"] else {
          continue
        }
        records[String(key)] = value
      }
      // Some servers also return a cursor with the last page.
      guard let next = page["cursor"]?.string, next != cursor, records.count > before else { return records }
      cursor = next
    }
    throw PublishError(.network, "\(server): error: the list of the records has no end.")
  }

  private static func call(_ method: String, _ body: JSONValue, at server: Server) -> HTTPRequest {
    var request = HTTPRequest(.post, "\(server)/xrpc/\(method)")
    request.reach = server.reach
    request.headers.append(("content-type", "application/json"))
    request.body = JSONWriter.text(of: body, .compact).bytes
    // Each of these calls has the same effect if it is made twice.
    request.isRepeatable = true
    return request
  }

  private func answer(
    to request: HTTPRequest, at place: String, doing: String
  ) async throws(PublishError) -> JSONValue {
    let response = try await transport.answer(to: request, atAddressOf: "publish.atproto.server")
    let value = response.body.isEmpty ? .object([:]) : try? JSONValue(parsing: response.body)
    guard response.status == 200, let value else {
      let words =
        value?["message"]?.string.map { ": " + TextControls.shownOnOneLine(String($0.prefix(300))) } ?? ""
      let (kind, advice): (PublishError.Kind, String) =
        switch (response.status, value?["error"]?.string) {
        case (_, "AuthFactorTokenRequired"):
          (.access, "Use an app password (in the app: Settings, Privacy and security, App passwords).")
        case (401, _), (403, _), (_, "AuthMissing"), (_, "InvalidToken"), (_, "ExpiredToken"):
          (.access, "Check the app password, and that it belongs to \(options.account).")
        case (400, _), (404, _):
          (.configuration, "Check publish.atproto.account and publish.atproto.server in site.yml.")
        default: (.network, "Publish again to resume.")
        }
      throw PublishError(
        kind, "\(place): error: \(doing) failed (\(response.status))\(words). \(advice)")
    }
    return value
  }
}
