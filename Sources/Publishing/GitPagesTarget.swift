import Basics
package import HTTPTransport
package import SiteConfig
import SiteOutput

/// A site on a server of git-pages, such as Codeberg's.
///
/// One archive replaces the site at one moment. In it are the new files; those that the server has are named by their digests. The protocol:
/// https://codeberg.org/git-pages/git-pages, README.md, "Features" and "Authorization".
package struct GitPagesTarget: PublishTarget {
  private let url: SiteURL
  private let authorization: SiteConfig.Publish.GitPages.Authorization
  private let token: Secret
  private let transport: any HTTPTransport

  /// - Parameters:
  ///   - url: of the site, ending in a slash.
  ///   - transport: tries again what may succeed later.
  package init(
    _ url: SiteURL, _ authorization: SiteConfig.Publish.GitPages.Authorization, token: Secret,
    transport: any HTTPTransport
  ) {
    self.url = url
    self.authorization = authorization
    self.token = token
    self.transport = transport
  }

  package var name: String { "\(url)" }

  package func compare(_ site: PublishedSite) async throws(PublishError) -> PublishWork {
    let (there, tag) = try await readManifest()
    let listing = try site.listing(.gitSHA256)
    let rules = PublishedRules(in: site.state, for: url)
    // The server keeps what these files say, and not the files.
    let known = there.isEmpty ? [:] : rules.digests
    let difference = SiteDifference(of: listing, from: there.merging(known) { first, _ in first })
    return PublishWork(difference) { () async throws(PublishError) in
      // Until the server has taken all of it, it has not taken these files.
      rules.forget()
      try await publish(listing, knownTo: Set(there.values), tag, site)
      rules.save(listing)
    }
  }

  private func publish(
    _ listing: SiteListing, knownTo server: Set<String>, _ tag: String?, _ site: PublishedSite
  ) async throws(PublishError) {
    guard try await readManifest().tag == tag else {
      throw PublishError(
        .conflict,
        "\(url): error: somebody else published here in the meantime. Publish again, which compares with what is there now."
      )
    }
    try withFiles { () throws(FileError) in try FileSystem.makeFolders(site.state) }
    let archive = "\(site.state)/git-pages.tar.gz"
    // What is left behind is written over by the next time.
    defer { try? FileSystem.remove(archive) }
    var known = server
    // The server's cache may be older than its list of files; what it misses it says, once.
    for attempt in 0..<3 {
      try write(listing, knownTo: known, to: archive, site.progress)
      site.progress("Sending the archive", 0, 1)
      var request = request(.put, "")
      request.headers.append(("content-type", "application/x-tar+gzip"))
      request.headers.append(("accept", "application/vnd.git-pages.unresolved, text/plain;q=0.5"))
      request.bodyFile = archive
      let size = try withFiles { () throws(FileError) in try OpenFile(archive).count }
      request.limits.totalSeconds = max(300, size / 20_000)
      let response = try await transport.answer(to: request, atAddressOf: Self.addressKey)
      if response.status == 422, attempt < 2,
        response.headers["content-type"]?.hasPrefix("application/vnd.git-pages.unresolved") == true
      {
        let missing = String(decoding: response.body, as: UTF8.self).split(whereSeparator: \.isNewline)
        let before = known.count
        known.subtract(missing.map(String.init))
        if known.count < before { continue }
      }
      guard response.status == 200 else { throw failure(response, doing: "take the site") }
      return try checkProblems(response)
    }
  }

  /// What the server could not do with the site, it says after it has taken it.
  private func checkProblems(_ response: HTTPResponse) throws(PublishError) {
    let problems = String(decoding: response.body, as: UTF8.self).split(whereSeparator: \.isNewline)
      // Which headers a site may have, the server's configuration says; pages hold their policy themselves.
      .filter { $0.hasPrefix("/") && !$0.hasPrefix("/_headers:") }
    guard problems.isEmpty else {
      let shown = problems.prefix(5).map { TextControls.shownOnOneLine(String($0.prefix(200))) }.joined(
        separator: "; ")
      throw PublishError(
        .content,
        "\(url): error: the site was published, but the server did not take all of it: \(shown)\(problems.count > 5 ? "; …" : "")."
      )
    }
  }

  private func write(
    _ listing: SiteListing, knownTo server: Set<String>, to path: String, _ progress: PublishProgress
  ) throws(PublishError) {
    let archive = try TarWriter(path)
    var done = 0
    for file in listing.files {
      if server.contains(file.digest) {
        try archive.link(file.path.text, to: "/git/blobs/\(file.digest)")
      } else {
        try add(file, of: listing, to: archive)
      }
      done += 1
      progress("Packing files", done, listing.files.count)
    }
    try archive.finish()
  }

  private func add(
    _ file: ListedFile, of listing: SiteListing, to archive: borrowing TarWriter
  ) throws(PublishError) {
    let location = listing.location(of: file)
    var digest = FileDigest.Blob<SHA256>(size: file.size)
    let open: OpenFile
    do {
      open = try OpenFile(location)
    } catch {
      throw PublishError(error)
    }
    guard open.count == file.size else { throw .changedMeanwhile(location) }
    try archive.begin(file.path.text, size: file.size)
    var offset = 0
    while offset < file.size {
      let bytes: [UInt8]
      do {
        bytes = try open.bytes(min(256 << 10, file.size - offset), at: offset)
      } catch {
        throw PublishError(error)
      }
      guard !bytes.isEmpty else { throw .changedMeanwhile(location) }
      digest.update(bytes)
      try archive.write(bytes)
      offset += bytes.count
    }
    guard digest.digits == file.digest else { throw .changedMeanwhile(location) }
  }

  // MARK: Requests

  private static let addressKey = "publish.git_pages.url"

  /// The digests of the files that are there, and what tells this version of the site from the next.
  private func readManifest() async throws(PublishError) -> (files: [SitePath: String], tag: String?) {
    var request = request(.get, ".git-pages/manifest.pb")
    request.limits.maximumBytes = 256 << 20
    let response = try await transport.answer(to: request, atAddressOf: Self.addressKey)
    if response.status == 404 { return ([:], nil) }
    guard response.status == 200 else { throw failure(response, doing: "say what it has") }
    guard let manifest = GitPagesManifest(response.body) else {
      throw PublishError(
        .network,
        "\(url): error: what is at .git-pages/manifest.pb is no list of files as git-pages has them. See that publish.git_pages.url is a site there."
      )
    }
    return (manifest.files, response.headers["etag"])
  }

  private func request(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
    var request = HTTPRequest(method, "\(url)\(path)")
    switch authorization {
    case .dns: request.authorization = Secret("Pages \(token.revealed)")
    // Without redirects it goes to no other host.
    case .forge: request.headers.append(("forge-authorization", "token \(token.revealed)"))
    }
    return request
  }

  private func failure(_ response: HTTPResponse, doing: String) -> PublishError {
    let words =
      String(decoding: response.body.prefix(300), as: UTF8.self)
      .split(whereSeparator: \.isNewline).first.map { ", \(TextControls.shownOnOneLine(String($0)))" } ?? ""
    let (kind, advice): (PublishError.Kind, String) =
      switch response.status {
      case 401, 403:
        (
          .access,
          authorization == .forge
            ? "See that the token may push to the repository that this site belongs to."
            : "See that the TXT record at _git-pages-challenge.\(url.authority) is the SHA-256 of the host, a blank and the token."
        )
      case 413, 422:
        (
          .content,
          "It may be too large for this server: git-pages takes 128 MB a site and 1 MB of names where it is not told otherwise."
        )
      case 409: (.conflict, "Somebody else publishes at the same time; publish again.")
      default: (.network, "Publish again; until then the site is as it was.")
      }
    return PublishError(kind, "\(url): error: it did not \(doing) (\(response.status)\(words)). \(advice)")
  }
}

/// What `.git-pages/manifest.pb` says of the files of a site: a message of Protocol Buffers, whose form is `src/schema.proto` of git-pages.
///
/// Of the whole only a map (field 4) from paths (1) to entries (2) is read, and of these the digest that git would give the file (6). Not trusted:
/// what is no such message is `nil`.
struct GitPagesManifest {
  /// Empty for files whose digest the server does not know. Folders are none.
  private(set) var files: [SitePath: String] = [:]

  init?(_ bytes: [UInt8]) {
    var fields = ProtobufFields(bytes[...])
    while let field = fields.next() {
      guard field.number == 4 else { continue }
      var path: String?
      var entry: (type: UInt64, digest: String) = (0, "")
      var parts = ProtobufFields(field.bytes)
      while let part = parts.next() {
        if part.number == 1 {
          path = String(decoding: part.bytes, as: UTF8.self)
        } else if part.number == 2 {
          var values = ProtobufFields(part.bytes)
          while let value = values.next() {
            if value.number == 1 { entry.type = value.integer }
            if value.number == 6 { entry.digest = String(decoding: value.bytes, as: UTF8.self) }
          }
          guard values.isWhole else { return nil }
        }
      }
      guard parts.isWhole, let path else { return nil }
      // Files within the list or beside it.
      if entry.type == 2 || entry.type == 3 { files[SitePath(path)] = entry.digest }
    }
    guard fields.isWhole else { return nil }
  }
}

/// The fields of a message (https://protobuf.dev/programming-guides/encoding/).
private struct ProtobufFields {
  struct Field {
    let number: UInt64
    /// Of a number.
    var integer: UInt64 = 0
    /// Of text, bytes and messages.
    var bytes: ArraySlice<UInt8> = []
  }

  private var rest: ArraySlice<UInt8>
  /// Whether all that was read so far was well-formed.
  private(set) var isWhole = true

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> Field? {
    guard isWhole, !rest.isEmpty else { return nil }
    if let field = read() { return field }
    isWhole = false
    return nil
  }

  private mutating func read() -> Field? {
    guard let key = integer() else { return nil }
    var field = Field(number: key >> 3)
    switch key & 7 {
    case 0:
      guard let number = integer() else { return nil }
      field.integer = number
    case 1: guard drop(8) != nil else { return nil }
    case 2:
      guard let count = integer().flatMap({ Int(exactly: $0) }), let bytes = drop(count) else { return nil }
      field.bytes = bytes
    case 5: guard drop(4) != nil else { return nil }
    default: return nil
    }
    return field
  }

  private mutating func drop(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func integer() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }
}

/// The digests of `_headers` and `_redirects` as they were published last: the server reads them and does not say that it has them. May be
/// deleted: then they are sent once more.
private struct PublishedRules {
  private static let names: Set<SitePath> = ["_headers", "_redirects"]

  private let file: String
  let digests: [SitePath: String]

  init(in state: String, for url: SiteURL) {
    file = "\(state)/git-pages-\(ContentHash.of("\(url)".utf8))"
    let bytes = (try? FileBytes.read(file, atMost: 4096)) ?? []
    var digests: [SitePath: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, Self.names.contains(SitePath(String(words[1]))) {
        digests[SitePath(String(words[1]))] = String(words[0])
      }
    }
    self.digests = digests
  }

  func forget() {
    // What cannot be removed names what was there before, and is compared with what is there then.
    try? FileSystem.remove(file)
  }

  func save(_ listing: SiteListing) {
    let lines = listing.files.filter { Self.names.contains($0.path) }.map {
      "\($0.digest) \($0.path.text)\n"
    }
    // What cannot be remembered is sent again.
    try? AtomicFile.write(Array(lines.joined().utf8), to: file)
  }
}
