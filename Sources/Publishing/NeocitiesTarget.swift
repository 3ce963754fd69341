import Basics
package import HTTPTransport
package import SiteConfig
import SiteOutput

/// A site on Neocities, published with its API (https://neocities.org/api; neocities/neocities on GitHub: app/api.rb, models/site.rb).
///
/// The list of files that the API returns contains the SHA-1 of each file. A separate list, which is uploaded as a file, names the files of
/// the site. The page that Neocities creates for a new account is not in that list and is replaced only on request.
package struct NeocitiesTarget: PublishTarget {
  /// The name of the list of published files. It is an ordinary file because the API offers no other place for it.
  static let manifestName: SitePath = "threadsite-published.json"
  /// The maximum number of files in one request, which Neocities keeps in memory.
  private static let batch = 50
  /// The maximum number of bytes in one request. A larger file is sent alone.
  private static let batchBytes = 16 << 20
  /// The extensions of files that free accounts may have (`VALID_EXTENSIONS`), in addition to text of any kind.
  package static let freeExtensions: Set<String> = [
    "html", "htm", "txt", "text", "css", "js", "jpg", "jpeg", "jxl", "png", "apng", "gif", "svg", "md",
    "markdown", "eot", "ttf", "woff", "woff2", "json", "geojson", "csv", "tsv", "mf", "ico", "pdf", "asc",
    "key", "pgp", "xml", "mid", "midi", "manifest", "otf", "rss", "webp", "avif", "epub", "gltf", "bin",
    "webmanifest", "atom", "opml", "rdf", "map", "yaml", "yml", "toml", "mjs", "cjs", "ts",
  ]

  private let key: Secret
  private let isSupporter: Bool
  private let replacesForeign: Bool
  private let origin: String
  private let transport: any HTTPTransport

  /// - Parameters:
  ///   - replacesForeign: whether files that threadsite did not publish are replaced by files of the site with the same name.
  ///   - transport: the transport, which retries requests that may succeed later.
  package init(
    _ options: SiteConfig.Publish.Neocities, key: Secret, replacesForeign: Bool, transport: any HTTPTransport
  ) {
    self.key = key
    isSupporter = options.isSupporter
    self.replacesForeign = replacesForeign
    origin = options.apiURL.map { "\($0.scheme)://\($0.authority)" } ?? "https://neocities.org"
    self.transport = transport
  }

  package var name: String { "Neocities" }

  package func compare(_ site: PublishedSite) async throws(PublishError) -> PublishWork {
    let listing = Self.forNeocities(try site.listing(.sha1))
    try checkKinds(listing)
    let there = try await list()
    let manifest = there[Self.manifestName] == nil ? PublishManifest() : try await readManifest()
    try checkForeign(there, manifest, listing)
    let names = Set(listing.files.map(\.path))
    let ours = there.filter { path, _ in
      path != Self.manifestName && (manifest.files[path] != nil || names.contains(path))
    }
    let difference = SiteDifference(of: listing, from: ours)
    return PublishWork(difference) { () async throws(PublishError) in
      try await publish(difference, listing, manifest, site.progress)
    }
  }

  private func publish(
    _ difference: SiteDifference, _ listing: SiteListing, _ old: PublishManifest,
    _ progress: PublishProgress
  ) async throws(PublishError) {
    // The new files are added to the list before anything changes, so that the next run recognizes them even if this one is interrupted.
    var manifest = old
    for file in listing.files { manifest.files[file.path] = [] }
    try await send([(Self.manifestName, manifest.bytes)])
    let uploads = difference.uploads
    let total = uploads.reduce(0) { $0 + $1.count }
    var done = 0
    for step in uploads {
      for batch in Self.batches(of: step) {
        try await send(
          try batch.map { file throws(PublishError) in (file.path, try content(of: file, in: listing)) })
        done += batch.count
        progress("Sending files", done, total)
      }
    }
    for start in stride(from: 0, to: difference.removed.count, by: Self.batch) {
      try await delete(Array(difference.removed[start..<min(start + Self.batch, difference.removed.count)]))
      progress("Deleting files", min(start + Self.batch, difference.removed.count), difference.removed.count)
    }
    var new = PublishManifest()
    for file in listing.files { new.files[file.path] = [] }
    try await send([(Self.manifestName, new.bytes)])
  }

  /// The page that Neocities shows for missing pages.
  private static let pageOfMissing: SitePath = "not_found.html"

  /// Files for other hosts. Neocities may refuse them, and readers do not need them.
  private static let filesOfOtherHosts: Set<SitePath> = [".nojekyll", "_headers", "_redirects"]

  private static func forNeocities(_ listing: SiteListing) -> SiteListing {
    var files = listing.files.filter { !filesOfOtherHosts.contains($0.path) }
    if let page = files.first(where: { $0.path == "404.html" }),
      !files.contains(where: { $0.path == pageOfMissing })
    {
      files.append(ListedFile(path: pageOfMissing, size: page.size, digest: page.digest))
    }
    return SiteListing(folder: listing.folder, files: files)
  }

  private func content(of file: ListedFile, in listing: SiteListing) throws(PublishError) -> [UInt8] {
    var location = listing.location(of: file)
    if file.path == Self.pageOfMissing, FileSystem.kind(of: location) == .nothing {
      location = listing.folder + "/404.html"
    }
    let bytes = try withFiles { () throws(FileError) in try FileBytes.read(location, atMost: 1 << 30) }
    guard Hexadecimal.digits(SHA1.hash(bytes)) == file.digest else { throw .changedMeanwhile(location) }
    return bytes
  }

  // MARK: Allowed files

  private func checkKinds(_ listing: SiteListing) throws(PublishError) {
    guard !isSupporter else { return }
    let refused = listing.files.filter { file in
      let name = PathText.name(of: file.path.text)
      guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
      return !Self.freeExtensions.contains(name[name.index(after: dot)...].lowercased())
        && !ContentType.of(name).hasPrefix("text/")
    }
    guard !refused.isEmpty else { return }
    throw PublishError(
      .content,
      "Neocities: error: free accounts cannot have files of these types: \(Self.shown(refused.map(\.path.text))). Set `media: link` in "
        + "site.yml to link to images and videos on their network or, for a paid account, `publish.neocities.supporter: true`."
    )
  }

  private func checkForeign(
    _ there: [SitePath: String], _ manifest: PublishManifest, _ listing: SiteListing
  ) throws(PublishError) {
    guard !replacesForeign else { return }
    let taken = listing.files.filter { file in
      manifest.files[file.path] == nil && there[file.path].map { $0 != file.digest } == true
    }
    guard !taken.isEmpty else { return }
    throw PublishError(
      .content,
      "Neocities: error: \(taken.count) of the site's files would replace files that threadsite did not publish: "
        + "\(Self.shown(taken.map(\.path.text))). Rename them there, or use --force to replace them, such as the first page of a new account."
    )
  }

  private static func shown(_ paths: [String]) -> String {
    paths.prefix(5).joined(separator: ", ") + (paths.count > 5 ? ", …" : "")
  }

  private static func batches(of files: [ListedFile]) -> [[ListedFile]] {
    var batches: [[ListedFile]] = []
    var bytes = 0
    for file in files {
      if let last = batches.last, last.count < batch, bytes + file.size <= batchBytes {
        batches[batches.count - 1].append(file)
        bytes += file.size
      } else {
        batches.append([file])
        bytes = file.size
      }
    }
    return batches
  }

  // MARK: Requests

  /// Returns the SHA-1 digests of all files on the server.
  private func list() async throws(PublishError) -> [SitePath: String] {
    var request = request(.get, "list")
    request.limits.maximumBytes = 256 << 20
    let answer = try await answer(to: request, doing: "listing the files")
    guard let files = answer["files"]?.array else {
      throw PublishError(.network, "\(origin): error: this is not a response of Neocities' API.")
    }
    var digests: [SitePath: String] = [:]
    for file in files where file["is_directory"]?.bool != true {
      guard let path = file["path"]?.string else { continue }
      digests[SitePath(path)] = file["sha1_hash"]?.string ?? ""
    }
    return digests
  }

  private func readManifest() async throws(PublishError) -> PublishManifest {
    var request = request(.get, "download?path=\(PercentEncoding.encode(Self.manifestName.text))")
    request.limits.maximumBytes = 256 << 20
    let response = try await transport.answer(to: request, atAddressOf: Self.addressKey)
    guard response.status == 200 else {
      throw failure(response, doing: "reading the list of published files")
    }
    guard let manifest = PublishManifest(response.body) else {
      throw PublishError(
        .content,
        "Neocities: error: \(Self.manifestName.text), the list of published files, cannot be read. Delete it there and run once with --force; "
          + "files that the site no longer has remain.")
    }
    return manifest
  }

  /// Sends several files in one request. Neocities accepts either all or none of them.
  private func send(_ files: [(path: SitePath, bytes: [UInt8])]) async throws(PublishError) {
    var request = request(.post, "upload")
    // Uploading a file twice has the same effect as uploading it once.
    request.isRepeatable = true
    var digest = SHA256()
    for file in files { digest.update(file.bytes) }
    // A boundary with the digest of the files cannot occur in them.
    let boundary = "threadsite-" + Hexadecimal.digits(digest.finalize())
    var body: [UInt8] = []
    for file in files {
      let name = Self.escaped(file.path.text)
      body +=
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(name)\"\r\n".utf8
      body += "Content-Type: \(ContentType.of(PathText.name(of: file.path.text)))\r\n\r\n".utf8
      body += file.bytes
      body += "\r\n".utf8
    }
    body += "--\(boundary)--\r\n".utf8
    request.headers.append(("content-type", "multipart/form-data; boundary=\(boundary)"))
    request.limits.totalSeconds = max(300, body.count / 20_000)
    request.body = body
    _ = try await answer(to: request, doing: "uploading \(Self.shown(files.map(\.path.text)))")
  }

  private func delete(_ paths: [SitePath]) async throws(PublishError) {
    var request = request(.post, "delete")
    request.headers.append(("content-type", "application/x-www-form-urlencoded"))
    request.body = Array(
      paths.map { "filenames[]=\(PercentEncoding.encode($0.text))" }.joined(separator: "&").utf8)
    _ = try await answer(to: request, doing: "deleting \(Self.shown(paths.map(\.text)))")
  }

  /// Returns a name escaped for a form field (HTML, 4.10.21.8, multipart form data).
  private static func escaped(_ name: String) -> String {
    var result: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "\""): result += "%22".utf8
      case UInt8(ascii: "\r"): result += "%0D".utf8
      case UInt8(ascii: "\n"): result += "%0A".utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let addressKey = "publish.neocities.api_url"

  private func request(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
    var request = HTTPRequest(method, "\(origin)/api/\(path)")
    request.authorization = Secret("Bearer \(key.revealed)")
    return request
  }

  private func answer(to request: HTTPRequest, doing: String) async throws(PublishError) -> JSONValue {
    let response = try await transport.answer(to: request, atAddressOf: Self.addressKey)
    guard response.status == 200, let value = try? JSONValue(parsing: response.body),
      value["result"]?.string == "success"
    else { throw failure(response, doing: doing) }
    return value
  }

  private func failure(_ response: HTTPResponse, doing: String) -> PublishError {
    let answer = try? JSONValue(parsing: response.body)
    let words =
      answer?["message"]?.string.map { ": " + TextControls.shownOnOneLine(String($0.prefix(300))) } ?? ""
    let (kind, advice): (PublishError.Kind, String) =
      switch (response.status, answer?["error_type"]?.string) {
      case (401, _), (403, _):
        (
          .access,
          "Check that the key matches the one in the site's settings and that the account's email address is confirmed."
        )
      case (_, "too_large"), (_, "too_many_files"), (_, "file_too_large"):
        (.content, "The account has not enough space.")
      case (_, "invalid_file_type"), (_, "invalid_filename"), (_, "directory_exists"),
        (_, "file_path_too_long"), (_, "file_name_too_long"):
        (.content, "Rename the file, or remove it from the site.")
      default: (.network, "Publish again to resume.")
      }
    return PublishError(
      kind, "Neocities: error: \(doing) failed (\(response.status))\(words). \(advice)")
  }
}
