import Basics
package import HTTPTransport
package import SiteConfig
import SiteOutput

/// A site on a git-pages server, such as Codeberg's.
///
/// One archive replaces the whole site at once. The archive contains the new files; files that the server already has are referenced by
/// their digests. The protocol: https://codeberg.org/git-pages/git-pages, README.md, "Features" and "Authorization".
package struct GitPagesTarget: PublishTarget {
  private let url: SiteURL
  private let authorization: SiteConfig.Publish.GitPages.Authorization
  private let token: Secret
  private let transport: any HTTPTransport

  /// - Parameters:
  ///   - url: the URL of the site, ending in a slash.
  ///   - transport: the transport, which retries requests that may succeed later.
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
    // The server applies these two files but does not list them, so their digests are stored here.
    let known = there.isEmpty ? [:] : rules.digests
    let difference = SiteDifference(of: listing, from: there.merging(known) { first, _ in first })
    return PublishWork(difference) { () async throws(PublishError) in
      // If publishing fails, the two files count as missing on the server.
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
        "\(url): error: the site was published by another process in the meantime. Publish again to compare with its files."
      )
    }
    try withFiles { () throws(FileError) in try FileSystem.makeFolders(site.state) }
    let archive = "\(site.state)/git-pages.tar.gz"
    // An archive that cannot be removed is overwritten by the next run.
    defer { try? FileSystem.remove(archive) }
    var known = server
    // The server's cache may be older than its list of files. Its response then names the missing files, which are sent in the next
    // attempt.
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
      guard response.status == 200 else { throw failure(response, doing: "uploading the site") }
      return try checkProblems(response)
    }
  }

  /// Throws if the server's response lists problems with a site that it has accepted.
  private func checkProblems(_ response: HTTPResponse) throws(PublishError) {
    let problems = String(decoding: response.body, as: UTF8.self).split(whereSeparator: \.isNewline)
      // Problems with `_headers` depend on the server's configuration and are ignored; pages also contain their policy themselves.
      .filter { $0.hasPrefix("/") && !$0.hasPrefix("/_headers:") }
    guard problems.isEmpty else {
      let shown = problems.prefix(5).map { TextControls.shownOnOneLine(String($0.prefix(200))) }.joined(
        separator: "; ")
      throw PublishError(
        .content,
        "\(url): error: the site was published, but the server rejected some files: \(shown)\(problems.count > 5 ? "; …" : "")."
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

  /// Returns the digests of the published files, and the tag that identifies this version of the site; `nil` if nothing was published.
  private func readManifest() async throws(PublishError) -> (files: [SitePath: String], tag: String?) {
    var request = request(.get, ".git-pages/manifest.pb")
    request.limits.maximumBytes = 256 << 20
    let response = try await transport.answer(to: request, atAddressOf: Self.addressKey)
    if response.status == 404 { return ([:], nil) }
    guard response.status == 200 else {
      throw failure(response, doing: "reading the list of published files")
    }
    guard let manifest = GitPagesManifest(response.body) else {
      throw PublishError(
        .network,
        "\(url): error: .git-pages/manifest.pb is not a list of files of git-pages. Check that publish.git_pages.url is a site on git-pages."
      )
    }
    return (manifest.files, response.headers["etag"])
  }

  private func request(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
    var request = HTTPRequest(method, "\(url)\(path)")
    switch authorization {
    case .dns: request.authorization = Secret("Pages \(token.revealed)")
    // Redirects are not followed, so the token is sent to no other host.
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
            ? "Check that the token may push to the repository of this site."
            : "Check that the TXT record at _git-pages-challenge.\(url.authority) is the SHA-256 of the host, a space and the token."
        )
      case 413, 422:
        (
          .content,
          "The site may be too large: by default, git-pages accepts 128 MB per site and 1 MB of file names."
        )
      case 409: (.conflict, "Another process is publishing; publish again.")
      default: (.network, "Publish again; the published site has not changed.")
      }
    return PublishError(kind, "\(url): error: \(doing) failed (\(response.status)\(words)). \(advice)")
  }
}

/// The list of a site's files in `.git-pages/manifest.pb`, a Protocol Buffers message with the schema in `src/schema.proto` of git-pages.
///
/// The server offers the same list as JSON, but its README warns that the names in the JSON change without notice. The field numbers are
/// stable. Only one part is read: a map (field 4) from paths (1) to entries (2), and in these the type (1) and the file's git digest (6).
/// The message is not trusted: the initializer returns `nil` if it is malformed.
struct GitPagesManifest {
  /// The digests by path; empty if the server does not know a file's digest. Folders are left out.
  private(set) var files: [SitePath: String] = [:]

  init?(_ bytes: [UInt8]) {
    guard let fields = ProtobufField.all(of: bytes[...]) else { return nil }
    for field in fields where field.number == 4 {
      guard let pair = ProtobufField.all(of: field.bytes), let path = pair.last(where: { $0.number == 1 }),
        let entry = ProtobufField.all(of: pair.last { $0.number == 2 }?.bytes ?? [])
      else { return nil }
      // The types of files whose content is inside or outside the list.
      let type = entry.last { $0.number == 1 }?.integer
      guard type == 2 || type == 3 else { continue }
      let digest = entry.last { $0.number == 6 }?.bytes ?? []
      files[SitePath(String(decoding: path.bytes, as: UTF8.self))] = String(decoding: digest, as: UTF8.self)
    }
  }
}

/// A field of a message (https://protobuf.dev/programming-guides/encoding/).
private struct ProtobufField {
  let number: UInt64
  /// The value of a number.
  var integer: UInt64 = 0
  /// The bytes of a text, a byte string or a nested message.
  var bytes: ArraySlice<UInt8> = []

  /// Returns the fields of a message; `nil` if it is malformed.
  static func all(of message: ArraySlice<UInt8>) -> [ProtobufField]? {
    var fields: [ProtobufField] = []
    var rest = message
    while !rest.isEmpty {
      guard let key = integer(&rest) else { return nil }
      var field = ProtobufField(number: key >> 3)
      let length: Int
      switch key & 7 {
      case 0:
        guard let integer = integer(&rest) else { return nil }
        (field.integer, length) = (integer, 0)
      case 1: length = 8
      case 2:
        guard let count = integer(&rest).flatMap({ Int(exactly: $0) }) else { return nil }
        length = count
      case 5: length = 4
      default: return nil
      }
      guard length <= rest.count else { return nil }
      field.bytes = rest.prefix(length)
      rest = rest.dropFirst(length)
      fields.append(field)
    }
    return fields
  }

  private static func integer(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }
}

/// The digests of `_headers` and `_redirects` as they were last published, because the server applies these files but does not list them.
/// If this file is deleted, they are sent again.
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
    // If the file cannot be removed, its digests are those of an earlier version, and changed files are still sent.
    try? FileSystem.remove(file)
  }

  func save(_ listing: SiteListing) {
    let lines = listing.files.filter { Self.names.contains($0.path) }.map {
      "\($0.digest) \($0.path.text)\n"
    }
    // If the digests cannot be saved, the files are sent again.
    try? AtomicFile.write(Array(lines.joined().utf8), to: file)
  }
}
