import Basics
import Foundation
import SiteOutput

/// Responds to requests like a host of static sites: with files from the site's folder, below the path in `base_url`, and with the headers
/// in the site's `_headers` file.
///
/// Every file is opened by its path at each request, because a build may replace it. Only files in the site's folder can be reached: a path
/// is first split and then decoded into names of files and folders, none of which may be hidden or a symbolic link.
package struct SiteResponder: Sendable {
  private let state: PreviewState
  private let hosts: AllowedHosts

  /// The folder of the preview's own files. It cannot hide files of the site, because hidden names are not served.
  private static let ownFolder = ".threadsite"

  package init(_ state: PreviewState, hosts: AllowedHosts) {
    self.state = state
    self.hosts = hosts
  }

  package func response(to request: PreviewRequest) -> PreviewResponse {
    var response = answer(request)
    // A build may change the file at any moment, so browsers must revalidate it for each request.
    response.headers["cache-control"] = response.headers["cache-control"] ?? "no-cache"
    return response
  }

  private func answer(_ request: PreviewRequest) -> PreviewResponse {
    guard let host = request.headers["host"] else {
      return PreviewResponse(400, text: "The request has no host.")
    }
    guard hosts.allow(host) else {
      return PreviewResponse(
        403,
        text:
          "The preview does not accept this host name. Set it with `threadsite serve --host`."
      )
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      var response = PreviewResponse(405, text: "The preview accepts only GET and HEAD requests.")
      response.headers["allow"] = "GET, HEAD"
      return response
    }
    guard let path = RequestPath(request.path) else {
      return PreviewResponse(400, text: "This path is not valid.")
    }
    if path.names.first == Self.ownFolder { return ownAnswer(path, request, host: host) }
    return siteAnswer(path, request, host: host)
  }

  // MARK: The preview's own files

  private func ownAnswer(_ path: RequestPath, _ request: PreviewRequest, host: String) -> PreviewResponse {
    switch path.names.dropFirst().first {
    case "events":
      return PreviewResponse(
        200, ["content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store"], body: .events)
    case "reload.js":
      return PreviewResponse(
        200, ["content-type": ContentType.of("reload.js"), "x-content-type-options": "nosniff"],
        body: .bytes(Array(ReloadScript.text.utf8)))
    default: return PreviewResponse(404, text: "There is no such file.")
    }
  }

  /// The URL of the script with the state from which the page was served, so that the page can determine whether it is up to date.
  private var script: String { "/\(Self.ownFolder)/reload.js?\(state.session).\(state.build)" }

  /// Returns the source for a policy. A policy cannot contain URLs with brackets (CSP 3, section 2.3.1), so `'self'` is used for these.
  private func allowed(_ host: String) -> String {
    host.utf8.contains(UInt8(ascii: "[")) ? "'self'" : "http://\(host)/\(Self.ownFolder)/"
  }

  // MARK: The site

  private func siteAnswer(_ path: RequestPath, _ request: PreviewRequest, host: String) -> PreviewResponse {
    guard let output = state.output else {
      let html = PreviewPage.placeholder(state, script: script, allowed: allowed(host))
      return PreviewResponse(
        503, ["content-type": ContentType.of("a.html"), "cache-control": "no-store"], body: .bytes(html))
    }
    let base = RequestPath(state.basePath) ?? RequestPath.top
    guard let below = path.below(base) else {
      // A request for only the host, or for the site's path without its slash, means the home page.
      let isMeant = path.names.isEmpty || path.names == base.names
      return isMeant ? redirect(to: base, request) : notFound(in: output, request, host: host)
    }
    guard below.isServed else { return notFound(in: output, request, host: host) }
    let file = ([output] + below.names).joined(separator: "/")
    switch FileSystem.kind(of: file) {
    case .folder where path.isFolder:
      return self.file(file + "/index.html", path, in: output, request, host: host)
        ?? notFound(in: output, request, host: host)
    case .folder:
      // A folder without an index has no page as the target of a redirect.
      guard FileSystem.kind(of: file + "/index.html") == .file else {
        return notFound(in: output, request, host: host)
      }
      return redirect(to: path, request)
    case .file where !path.isFolder:
      return self.file(file, path, in: output, request, host: host)
        ?? notFound(in: output, request, host: host)
    default: return notFound(in: output, request, host: host)
    }
  }

  /// Redirects to the folder at a path. The redirect is temporary, because browsers would remember a permanent redirect for other sites on
  /// this port.
  private func redirect(to path: RequestPath, _ request: PreviewRequest) -> PreviewResponse {
    let query = request.query.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? request.query : ""
    return PreviewResponse(302, ["location": path.folderText + (query.isEmpty ? "" : "?" + query)])
  }

  private func notFound(in output: String, _ request: PreviewRequest, host: String) -> PreviewResponse {
    // Hosts send the 404 page without ranges and conditional responses.
    var plain = request
    plain.headers = [:]
    guard let path = RequestPath(request.path),
      var response = file(output + "/404.html", path, in: output, plain, host: host)
    else { return PreviewResponse(404, text: "There is no such page.") }
    response.status = 404
    return response
  }

  /// - Returns: `nil` if the file does not exist or cannot be opened.
  private func file(
    _ file: String, _ path: RequestPath, in output: String, _ request: PreviewRequest, host: String
  ) -> PreviewResponse? {
    // A file that cannot be opened, such as a symbolic link, is treated as missing.
    guard let open = try? ServedFile(file) else { return nil }
    var headers = HeaderRules(of: output).headers(for: path.text).filter { !Self.ownHeaders.contains($0.key) }
    headers["content-type"] = ContentType.of(PathText.name(of: file))
    if ContentType.isPage(file) {
      guard let bytes = try? open.bytes(open.count, at: 0) else { return nil }
      let page = PreviewPage.prepared(bytes, script: script, allowed: allowed(host))
      if let policy = headers["content-security-policy"] {
        headers["content-security-policy"] = PreviewPage.extended(policy: policy, by: allowed(host))
      }
      headers["etag"] = "\"\(ContentHash.of(page))\""
      return unlessKnown(PreviewResponse(200, headers, body: .bytes(page)), request)
    }
    headers["etag"] = open.tag
    headers["accept-ranges"] = "bytes"
    return part(
      of: unlessKnown(PreviewResponse(200, headers, body: .file(open, 0..<open.count)), request), request)
  }

  /// Headers that the server must set itself, and headers that would make a browser keep a page that may have changed.
  private static let ownHeaders: Set<String> = [
    "cache-control", "connection", "content-encoding", "content-length", "content-range", "content-type",
    "date",
    "etag", "keep-alive", "location", "set-cookie", "strict-transport-security", "transfer-encoding",
    "upgrade",
  ]

  /// Returns a response with status 304 if the browser already has the content (RFC 9110, section 13.1.2); otherwise the response unchanged.
  private func unlessKnown(_ response: PreviewResponse, _ request: PreviewRequest) -> PreviewResponse {
    guard let known = request.headers["if-none-match"], let tag = response.headers["etag"] else {
      return response
    }
    let isKnown = known.split(separator: ",").contains { entry in
      let entry = entry.trimmed
      return entry == "*" || entry == tag || entry.without(bytePrefix: "W/").map(String.init) == tag
    }
    guard isKnown else { return response }
    var unchanged = response
    unchanged.status = 304
    unchanged.body = .bytes([])
    unchanged.headers["content-type"] = nil
    return unchanged
  }

  /// Returns a response with status 206 for a part of a file, or 416 if the part is outside of the file; otherwise the response unchanged.
  private func part(of response: PreviewResponse, _ request: PreviewRequest) -> PreviewResponse {
    guard response.status == 200, case .file(let file, let all) = response.body else { return response }
    // The range refers to a different version of the file, so the whole file is sent.
    if let version = request.headers["if-range"], version != response.headers["etag"] { return response }
    var result = response
    switch ByteRange(request.headers["range"], of: all.count) {
    case .whole: return response
    case .part(let range):
      result.status = 206
      result.body = .file(file, range)
      result.headers["content-range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(all.count)"
    case .unsatisfiable:
      result.status = 416
      result.body = .bytes([])
      result.headers["content-type"] = nil
      result.headers["content-range"] = "bytes */\(all.count)"
    }
    return result
  }
}

/// The path of a request, split at slashes and then decoded, so that encoded slashes do not split it.
struct RequestPath {
  static let top = RequestPath(names: [], isFolder: true)

  let names: [String]
  /// Whether the path ends with a slash.
  let isFolder: Bool

  private init(names: [String], isFolder: Bool) {
    self.names = names
    self.isFolder = isFolder
  }

  /// - Returns: `nil` if the text cannot be the path of a file: it does not begin with a slash, contains an empty name, `.` or `..`, or
  ///   contains a name that no file can have.
  init?(_ text: String) {
    guard text.hasBytePrefix("/") else { return nil }
    var parts = text.split(atBytes: "/", omittingEmptySubsequences: false).dropFirst()
    let isFolder = parts.last?.isEmpty ?? true
    if isFolder { parts = parts.dropLast() }
    var names: [String] = []
    for part in parts {
      guard let name = Self.decoded(part), !name.isEmpty, name != ".", name != ".." else { return nil }
      names.append(name)
    }
    self.init(names: names, isFolder: isFolder)
  }

  /// Returns a decoded name; `nil` if it is not UTF-8, or contains a slash, a backslash or a control character.
  private static func decoded(_ part: Substring) -> String? {
    guard let name = part.removingPercentEncoding,
      !name.utf8.contains(where: {
        $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
      })
    else { return nil }
    return name
  }

  /// The decoded path, which is compared with the rules in `_headers`.
  var text: String { "/" + names.joined(separator: "/") + (isFolder && !names.isEmpty ? "/" : "") }

  /// The percent-encoded path, with a slash at its end.
  var folderText: String { "/" + names.map { PercentEncoding.encode($0) + "/" }.joined() }

  /// Returns the path relative to a folder; `nil` if the path is not in the folder.
  func below(_ base: RequestPath) -> RequestPath? {
    guard names.starts(with: base.names, by: { $0.isSameBytes(as: $1) }) else { return nil }
    if names.count == base.names.count, !isFolder { return nil }
    return dropping(base.names.count)
  }

  func dropping(_ count: Int) -> RequestPath {
    RequestPath(names: Array(names.dropFirst(count)), isFolder: isFolder)
  }

  /// Whether the path may be served. Hidden names may not, except `.well-known` at the top, which is meant for requests (RFC 8615).
  var isServed: Bool {
    !names.enumerated().contains { place, name in
      PathText.isHidden(name) && !(place == 0 && name == ".well-known")
    }
  }
}
