import Basics
import Foundation
package import HTTPTransport
package import SiteConfig
import SiteOutput

/// A bucket of S3 or of a service with a compatible API.
///
/// A list in the bucket contains the site's files with their digests and headers, which a listing of the bucket would not contain. The list
/// is written before anything changes, on the condition that it has not changed since it was read, and again at the end. So two processes
/// that publish at the same time cannot mix their sites, and an interrupted run is recognized. Services that do not support conditions
/// ignore them.
package struct S3Target: PublishTarget {
  /// The name of the list, relative to the prefix.
  static let manifestName = ".threadsite/published.json"
  /// The maximum number of simultaneous requests.
  private static let width = 8

  private let options: SiteConfig.Publish.S3
  private let signature: AWSSignature
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Int

  /// - Parameters:
  ///   - transport: the transport, which retries requests that may succeed later.
  ///   - now: returns the current time in seconds since 1970.
  package init(
    _ options: SiteConfig.Publish.S3, credentials: AWSCredentials, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Int
  ) {
    self.options = options
    signature = AWSSignature(credentials, region: options.region)
    self.transport = transport
    self.now = now
  }

  package var name: String {
    "the bucket \(options.bucket)" + (options.prefix.isEmpty ? "" : " below \(options.prefix)")
  }

  package func compare(_ site: PublishedSite) async throws(PublishError) -> PublishWork {
    let (manifest, tag) = try await readManifest()
    let read = try site.listing(.sha256)
    let headers = ObjectHeaders(of: site)
    // Files are compared by everything that is sent: content and headers.
    let listing = SiteListing(
      folder: read.folder,
      files: read.files.map {
        ListedFile(
          path: $0.path, size: $0.size,
          digest: ([$0.digest] + headers.values(of: $0.path)).joined(separator: " "))
      })
    var there: [SitePath: String] = [:]
    var uncertain: [ListedFile] = []
    let files = Dictionary(listing.files.map { ($0.path, $0) }) { first, _ in first }
    for (path, digests) in manifest.files {
      // Several digests mean that an interrupted run may have replaced the file, so the file itself is checked.
      there[path] = digests.count == 1 ? digests[0] : ""
      if digests.count > 1, let file = files[path], digests.contains(file.digest) { uncertain.append(file) }
    }
    for (file, exists) in try await together(
      uncertain, "Looking at files", site.progress,
      { (file) async throws(PublishError) in try await has(file, with: headers) }) where exists
    {
      there[file.path] = file.digest
    }
    let difference = SiteDifference(of: listing, from: there)
    return PublishWork(difference) { () async throws(PublishError) in
      try await publish(difference, listing, headers, manifest, tag, site.progress)
    }
  }

  private func publish(
    _ difference: SiteDifference, _ listing: SiteListing, _ headers: ObjectHeaders, _ old: PublishManifest,
    _ tag: String?,
    _ progress: @escaping PublishProgress
  ) async throws(PublishError) {
    var manifest = old
    for file in difference.added + difference.changed {
      // An empty digest means that the file may not exist yet.
      manifest.files[file.path] = (old.files[file.path] ?? [""]).filter { $0 != file.digest } + [file.digest]
    }
    let intention = try await write(manifest, replacing: tag, isNew: tag == nil)
    for step in difference.uploads {
      try await together(step, "Sending files", progress) { (file) async throws(PublishError) in
        try await upload(file, listing, with: headers)
      }
    }
    try await together(difference.removed, "Deleting files", progress, delete)
    var new = PublishManifest()
    for file in listing.files { new.files[file.path] = [file.digest] }
    _ = try await write(new, replacing: intention, isNew: false)
  }

  /// The content type and cache control of the site's files. The cache rules in `_headers` also apply here; all other files are revalidated
  /// on each request.
  private struct ObjectHeaders: Sendable {
    private let rules: HeaderRules
    private let basePath: String

    init(of site: PublishedSite) {
      rules = HeaderRules(of: site.folder)
      basePath = site.basePath
    }

    func values(of path: SitePath) -> [String] {
      let cacheControl = rules.headers(for: basePath + path.text)["cache-control"]
      return [
        ContentType.of(PathText.name(of: path.text)), cacheControl ?? "public, max-age=0, must-revalidate",
      ]
    }
  }

  // MARK: Requests

  private func upload(
    _ file: ListedFile, _ listing: SiteListing, with headers: ObjectHeaders
  ) async throws(PublishError) {
    let digest = String(file.digest.prefix(64))
    let headers = headers.values(of: file.path)
    var request = request(.put, file.path.text)
    request.headers = [
      ("content-type", headers[0]), ("cache-control", headers[1]), ("x-amz-meta-sha256", digest),
    ]
    request.bodyFile = listing.location(of: file)
    // Large files need more time on slow connections.
    request.limits.totalSeconds = max(300, file.size / 20_000)
    let response = try await send(request, file.path.text, payload: digest)
    guard response.status == 200 else {
      // The digest is part of the signature, so the service refuses a file that was changed after it was listed.
      if Self.code(of: response) == "XAmzContentSHA256Mismatch" {
        throw .changedMeanwhile(listing.location(of: file))
      }
      throw failure(response, doing: "uploading \(file.path.text)")
    }
  }

  /// Whether the bucket contains a file with the right content and headers.
  private func has(_ file: ListedFile, with headers: ObjectHeaders) async throws(PublishError) -> Bool {
    let response = try await send(request(.head, file.path.text), file.path.text, payload: Self.empty)
    if response.status == 404 { return false }
    guard response.status == 200 else {
      throw failure(response, doing: "looking for \(file.path.text)")
    }
    let headers = headers.values(of: file.path)
    return response.headers["x-amz-meta-sha256"].map { file.digest.hasPrefix($0) && $0.utf8.count == 64 }
      == true
      && response.headers["content-type"] == headers[0] && response.headers["cache-control"] == headers[1]
  }

  private func delete(_ path: SitePath) async throws(PublishError) {
    let response = try await send(request(.delete, path.text), path.text, payload: Self.empty)
    guard [200, 204, 404].contains(response.status) else {
      throw failure(response, doing: "deleting \(path.text)")
    }
  }

  private func readManifest() async throws(PublishError) -> (PublishManifest, tag: String?) {
    var request = request(.get, Self.manifestName)
    request.limits.maximumBytes = 1 << 30
    let response = try await send(request, Self.manifestName, payload: Self.empty)
    if response.status == 404, Self.code(of: response) != "NoSuchBucket" { return (PublishManifest(), nil) }
    guard response.status == 200 else {
      throw failure(response, doing: "reading the list of published files")
    }
    guard let manifest = PublishManifest(response.body) else {
      throw PublishError(
        .content,
        "\(place): error: \(options.prefix)\(Self.manifestName), the list of published files, cannot be read. Delete it to start over; "
          + "files that the site no longer has remain.")
    }
    return (manifest, response.headers["etag"])
  }

  /// - Parameters:
  ///   - tag: the tag of the list to replace. If it is `nil`, any list is replaced, or none if `isNew`.
  /// - Returns: the tag of the new list.
  private func write(
    _ manifest: PublishManifest, replacing tag: String?, isNew: Bool
  ) async throws(PublishError) -> String? {
    let bytes = manifest.bytes
    let payload = Hexadecimal.digits(SHA256.hash(bytes))
    var request = request(.put, Self.manifestName)
    request.body = bytes
    request.headers = [("content-type", "application/json"), ("cache-control", "private, no-store")]
    if let tag {
      request.headers.append(("if-match", tag))
    } else if isNew {
      request.headers.append(("if-none-match", "*"))
    }
    var response = try await send(request, Self.manifestName, payload: payload)
    if response.status == 501 {
      // The service does not support conditions.
      request.headers.removeAll { $0.name.hasPrefix("if-") }
      response = try await send(request, Self.manifestName, payload: payload)
    }
    if response.status == 412 || response.status == 409 {
      // If a response was lost, the transport repeats the request, and the condition fails although our own list was written.
      let there = try await readManifest()
      if there.0 == manifest { return there.tag }
      throw PublishError(
        .conflict,
        "\(place): error: the site was published by another process in the meantime. Publish again to compare with its files."
      )
    }
    guard response.status == 200 else {
      throw failure(response, doing: "writing the list of published files")
    }
    return response.headers["etag"]
  }

  private static let empty = Hexadecimal.digits(SHA256.hash([]))

  private var place: String { "\(options.origin)/\(options.bucket)" }

  private func request(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
    HTTPRequest(method, "\(options.origin)\(address(of: path))")
  }

  private func address(of path: String) -> String {
    (options.usesPathStyle ? "/" + PercentEncoding.encode(options.bucket) : "") + "/"
      + AWSSignature.encoded(path: options.prefix + path)
  }

  private func send(
    _ request: HTTPRequest, _ path: String, payload: String
  ) async throws(PublishError) -> HTTPResponse {
    var request = request
    signature.sign(&request, host: options.host, path: address(of: path), payload: payload, seconds: now())
    return try await transport.answer(to: request, atAddressOf: "publish.s3.endpoint")
  }

  /// Returns the error code in an XML response; empty if the response contains none.
  private static func code(of response: HTTPResponse) -> String {
    let text = String(decoding: response.body.prefix(10_000), as: UTF8.self)
    guard let start = text.firstRange(of: "<Code>"), let end = text.firstRange(of: "</Code>"),
      start.upperBound <= end.lowerBound
    else { return "" }
    return text[start.upperBound..<end.lowerBound].filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  private func failure(_ response: HTTPResponse, doing: String) -> PublishError {
    let code = Self.code(of: response)
    let status = code.isEmpty ? "\(response.status)" : "\(response.status), \(code)"
    let (kind, advice): (PublishError.Kind, String) =
      switch (response.status, code) {
      case (_, "RequestTimeTooSkewed"): (.access, "The clock of this machine is wrong.")
      case (401, _), (403, _):
        (.access, "Check the key and its permission to read, write and delete objects in the bucket.")
      case (404, "NoSuchBucket"):
        (.configuration, "Check publish.s3.bucket in site.yml, or create the bucket.")
      case (301, _), (307, _), (400, "AuthorizationHeaderMalformed"),
        (400, "IllegalLocationConstraintException"):
        (
          .configuration,
          "The bucket is in another region: check publish.s3.region and publish.s3.endpoint in site.yml."
        )
      default: (.network, "Publish again to resume.")
      }
    return PublishError(kind, "\(place): error: \(doing) failed (\(status)). \(advice)")
  }

  /// Processes several items at the same time. Starts no further items after a failure, and throws the first error.
  @discardableResult
  private func together<Item: Sendable, Result: Sendable>(
    _ items: [Item], _ step: String, _ progress: @escaping PublishProgress,
    _ work: @escaping @Sendable (Item) async throws(PublishError) -> Result
  ) async throws(PublishError) -> [(Item, Result)] {
    var results: [(Item, Result)] = []
    var failure: PublishError?
    typealias Outcome = Swift.Result<(Item, Result), PublishError>
    await BoundedTasks.run(items, atMost: Self.width) { (item) async -> Outcome in
      do throws(PublishError) { return .success((item, try await work(item))) } catch {
        return .failure(error)
      }
    } done: { outcome in
      switch outcome {
      case .success(let result): results.append(result)
      case .failure(let error): failure = failure ?? error
      }
      progress(step, results.count, items.count)
      return failure == nil
    }
    if let failure { throw failure }
    guard results.count == items.count else { throw PublishError.stopped }
    return results
  }
}
