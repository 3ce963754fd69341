import Basics
import HTTPTransport
import NetworkSources
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadModel
import ThreadStore

/// Reads the webmentions that a service received for the site, and stores those of its pages in `webmentions.json`.
///
/// The inbox is read completely each time, because its owner may have deleted webmentions there. If it cannot be read completely, the stored
/// webmentions stay unchanged.
struct MentionInbox: Sendable {
  let site: SiteFolder
  let services: FetchServices
  let progress: ProgressHandler

  /// The number of webmentions that a response may have.
  private static let perPage = 100
  /// The maximum number of requests; twice as many as the greatest number of webmentions needs.
  private static let mostPages = 400
  /// The maximum size of a response, and of a saved one, in bytes.
  private static let largestPage = 16 << 20
  private static let largestFile = 64 << 20

  /// Reads the inbox, and replaces the stored webmentions if they have changed.
  ///
  /// - Parameter lock: takes the lock of fetches, before the store is changed.
  /// - Returns: `nil` if site.yml names no inbox.
  func update(
    locking lock: () throws(PipelineError) -> FolderLock
  ) async throws(PipelineError) -> FetchSummary.Webmentions? {
    guard let mentions = try await read() else { return nil }
    let store = site.threadStore
    do {
      let known = try store.webMentions()
      let links = Set(known.all.map(\.link))
      var result = FetchSummary.Webmentions(
        count: mentions.all.count, added: mentions.all.count { !links.contains($0.link) }, isChanged: false)
      // Most readings find nothing new. They need no lock, so that builds of a store without changes may run together.
      guard known != mentions else { return result }
      let locks = [try lock(), try store.beginWriting()]
      defer { withExtendedLifetime(locks) {} }
      result.isChanged = try store.save(mentions)
      return result
    } catch {
      throw PipelineError(converting: error)
    }
  }

  /// - Returns: the webmentions of the site's pages, except those that site.yml leaves out; `nil` if site.yml names no inbox.
  private func read() async throws(PipelineError) -> WebMentions? {
    let settings = site.config.webmention
    guard let inbox = settings.inbox, let base = site.config.baseURL else { return nil }
    let read: [WebMention]
    switch inbox {
    case .api(let url): read = try await self.read(url)
    case .file(let path): read = try self.read(file: site.absolute(path))
    }
    let leftOut = site.leftOut
    return WebMentions(
      read.filter {
        SitePath(ofURL: $0.target, on: base) != nil && !settings.blocks($0) && !leftOut.isNamed(in: $0)
      })
  }

  // MARK: The API

  private func read(_ url: WebURL) async throws(PipelineError) -> [WebMention] {
    let token = try token()
    let transport = RetryingTransport(services.api, policy: policy)
    var mentions: [WebMention] = []
    var seen: Set<WebMention.Link> = []
    var (count, unreadable) = (0, 0)
    var last: JSONValue?
    for page in 0... {
      let document = try await self.page(page, of: url, token, by: transport)
      // A service that ignores the number of the page repeats its only response.
      guard document != last else { break }
      last = document
      guard let feed = JF2Feed(document) else {
        throw problem(.network, "the inbox did not send JF2, which has a list \"children\"; check the URL")
      }
      guard feed.count > 0 else { break }
      count += feed.count
      unreadable += feed.unreadable
      guard count <= WebMentions.most, page < Self.mostPages else {
        throw problem(
          .content,
          "the inbox has more than \(WebMentions.most) webmentions, the limit; delete some there, or name only one domain in the URL"
        )
      }
      mentions += feed.mentions.filter { seen.insert($0.link).inserted }
    }
    warn(ofUnreadable: unreadable)
    return mentions
  }

  /// A build waits only briefly, because it can use the stored webmentions.
  private var policy: RetryPolicy {
    var policy = RetryPolicy()
    policy.maximumTries = 3
    policy.longestPause = 30
    return policy
  }

  /// Requests a page of the inbox, from 0 with the newest webmentions.
  private func page(
    _ number: Int, of url: WebURL, _ token: Secret?, by transport: RetryingTransport
  ) async throws(PipelineError) -> JSONValue {
    let text = url.description
    var address =
      "\(text)\(text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")per-page=\(Self.perPage)&page=\(number)"
    // The API takes the token only in this place.
    if let token { address += "&token=\(PercentEncoding.encode(token.revealed))" }
    var request = HTTPRequest(.get, address)
    request.headers = [("Accept", "application/json")]
    request.limits.maximumBytes = Self.largestPage
    request.limits.totalSeconds = 60
    // A redirect could send the token to another host.
    request.maximumRedirects = token == nil ? 3 : 0
    request.reach = .publicOnly
    let host = url.server?.authority ?? text
    let response: HTTPResponse
    do {
      response = try await transport.send(request)
    } catch {
      let error = PipelineError(SourceError(error, of: host))
      throw problem(error.kind, error.messages.joined(separator: " "))
    }
    switch response.status {
    case 200...299: break
    case 401, 403:
      throw problem(
        .access,
        token == nil
          ? "\(host) requires a token; set webmention.token_env or webmention.token_file"
          : "\(host) refused the token of webmention.token_env or webmention.token_file")
    case 429: throw problem(.quota, "\(host) accepts no more requests for now; try again later")
    default: throw problem(.network, "\(host) answered with the status \(response.status); check the URL")
    }
    return try document(response.body)
  }

  /// Reads the token; `nil` if site.yml names none.
  private func token() throws(PipelineError) -> Secret? {
    let settings = site.config.webmention
    func missing(_ reason: String) -> PipelineError {
      var error = problem(.access, "there is no token for the inbox: \(reason)")
      error.isMissingCredential = true
      return error
    }
    let found: CredentialPlace.Found?
    do {
      found = try CredentialPlace(
        variable: settings.tokenEnv, file: settings.tokenFile.map { site.absolute($0) }
      ).read(services.environment)
    } catch {
      throw missing("\(error)")
    }
    if let file = found?.openFile {
      progress(
        .warning(
          "\(file): warning: everybody on this machine can read the token for the inbox. Run `chmod 600` on the file."
        ))
    }
    if found == nil, let name = settings.tokenEnv {
      throw missing(
        "the environment variable \(name) is not set"
          + Suggestion.phrase(for: name, among: services.environment.keys.sorted()))
    }
    return found?.secret
  }

  // MARK: A file

  private func read(file path: String) throws(PipelineError) -> [WebMention] {
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(path, atMost: Self.largestFile)
    } catch {
      throw problem(error.isAboutTheFile ? .content : .io, "\(path): \(error.message)")
    }
    guard let feed = JF2Feed(try document(bytes)) else {
      throw problem(.content, "\(path) is not JF2, which has a list \"children\"")
    }
    guard feed.count <= WebMentions.most else {
      throw problem(.content, "\(path) has more than \(WebMentions.most) webmentions, the limit")
    }
    warn(ofUnreadable: feed.unreadable)
    return feed.mentions
  }

  // MARK: Problems

  private func document(_ bytes: [UInt8]) throws(PipelineError) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw problem(.network, "the inbox is not JSON: \(error.message)")
    }
  }

  private func problem(_ kind: PipelineError.Kind, _ text: String) -> PipelineError {
    PipelineError(kind, [site.configProblem("webmention.inbox", text)])
  }

  private func warn(ofUnreadable count: Int) {
    guard count > 0 else { return }
    let text =
      "\(count) \(count == 1 ? "entry" : "entries") of the inbox were skipped, because they have no source, target or wm-property"
    progress(.warning(site.configProblem("webmention.inbox", text, severity: .warning)))
  }
}
