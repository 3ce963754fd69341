import Basics
import Foundation
package import HTTPTransport
package import SiteWorkspace
package import ThreadModel

/// `threadsite check --external`: checks whether external links still work.
///
/// Each host gets one request at a time, with pauses. Links that worked are not requested again for a week. A target is reported as dead
/// only if its server responds that it is gone. Hosts that refuse bots (401, 403, 429, 999), that temporarily fail (5xx) or that do not
/// respond give no information about the link.
package struct LinkCheck: Sendable {
  /// The state of a link.
  enum Verdict: Hashable, Sendable {
    case fine
    case moved(String)
    case dead(String)
    /// Its host has no address, or no server listens there.
    case unreachable(String)
    case unverified(String)
  }

  /// The results of a check.
  package struct Outcome: Sendable {
    package let findings: [CheckFinding]
    /// The URLs whose pages no longer exist.
    package let dead: Set<String>
    /// The URLs that could not be checked.
    package let unverified: Set<String>
  }

  private let transport: any HTTPTransport
  private let cache: String
  private let now: Timestamp
  private let advisesArchive: @Sendable (String) -> Bool
  private let pause: @Sendable (Duration) async throws -> Void

  /// Results are valid for a week, in seconds.
  private static let lifetime: Int64 = 7 * 86_400
  private static let hostsAtOnce = 8
  /// The pause between two requests to one host.
  private static let betweenRequests = Duration.milliseconds(500)

  /// - Parameters:
  ///   - folder: the site's folder, below which the results are cached.
  ///   - pause: waits for the given time.
  ///   - advisesArchive: whether a setting would add a link to the archived copy of a dead page.
  package init(
    transport: any HTTPTransport, folder: String, now: Timestamp,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    advisesArchive: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    self.transport = transport
    cache = "\(folder)/.threadsite/links.json"
    self.now = now
    self.advisesArchive = advisesArchive
    self.pause = pause
  }

  /// Checks all links.
  ///
  package func run(
    _ links: [SiteCheck.ExternalLink], progress: @escaping ProgressHandler
  ) async throws(PipelineError) -> Outcome {
    var known = load()
    let asked = links.filter { known[$0.url] == nil }
    let hosts = Dictionary(grouping: asked) { Self.host(of: $0.url) }.sorted { $0.key < $1.key }.map(\.value)
    let counter = ProgressCounter("Asking for links", total: asked.count, progress)
    var answers: [String: Verdict] = [:]
    await BoundedTasks.run(hosts, atMost: Self.hostsAtOnce) {
      await ask($0, counter)
    } done: { part in
      answers.merge(part) { first, _ in first }
      return true
    }
    for (url, verdict) in answers {
      // Uncertain results are not cached, so that the next run checks again.
      switch verdict {
      case .fine, .moved: known[url] = (verdict, now)
      case .dead, .unreachable, .unverified: break
      }
    }
    try save(known)
    var findings: [CheckFinding] = []
    var (dead, unverified): (Set<String>, Set<String>) = ([], [])
    // If no server responds, this machine may be offline.
    let isOnline = answers.values.contains(where: \.isResponse)
    for link in links {
      let url = link.url
      switch answers[url] ?? known[url]?.verdict ?? .unverified("it was not requested") {
      case .fine: break
      case .moved(let place):
        findings.append(
          CheckFinding(.movedLink, at: link.page, url, "it has moved permanently to \(place)"))
      case .dead(let why):
        findings.append(CheckFinding(.deadLink, at: link.page, url, why + advice(for: url)))
        dead.insert(url)
      case .unreachable(let why):
        findings.append(CheckFinding(.deadLink, at: link.page, url, why + advice(for: url)))
        if isOnline { dead.insert(url) } else { unverified.insert(url) }
      case .unverified(let why):
        findings.append(CheckFinding(.unverifiedLink, at: link.page, url, "could not be checked: \(why)"))
        unverified.insert(url)
      }
    }
    return Outcome(findings: findings, dead: dead, unverified: unverified)
  }

  private func advice(for url: String) -> String {
    advisesArchive(url) ? "; `archived_links: true` in site.yml adds a link to the archived page" : ""
  }

  /// Checks one host's links, one after the other.
  private func ask(_ links: [SiteCheck.ExternalLink], _ counter: ProgressCounter) async -> [String: Verdict] {
    var verdicts: [String: Verdict] = [:]
    for (position, link) in links.enumerated() {
      if Task.isCancelled { break }
      if position > 0 { try? await pause(Self.betweenRequests) }  // a canceled pause ends the loop above
      verdicts[link.url] = await verdict(on: link.url)
      counter.advance()
    }
    return verdicts
  }

  /// Requests the link with HEAD and, if that fails, with GET. Tries once more if the server did not respond.
  private func verdict(on url: String) async -> Verdict {
    var last = Verdict.unverified("there was no response")
    for attempt in 0..<2 {
      if attempt > 0 { try? await pause(.seconds(2)) }  // a canceled pause leads to a canceled request
      let (verdict, _) = await ask(url, .head)
      if case .fine = verdict { return verdict }
      if case .moved = verdict { return verdict }
      // Some servers respond to HEAD differently than to GET.
      let (second, isSecondFinal) = await ask(url, .get)
      last = second
      if isSecondFinal { return second }
    }
    return last
  }

  /// - Returns: the result, and whether it is final, so that repeating the request would not change it.
  private func ask(_ url: String, _ method: HTTPRequest.Method) async -> (Verdict, isFinal: Bool) {
    // The target of the permanent redirects before the first temporary one.
    var permanent: String?
    var isPermanent = true
    var place = url
    for _ in 0..<10 {
      var request = HTTPRequest(method, place)
      request.reach = .publicOnly
      request.limits.totalSeconds = 30
      request.limits.maximumBytes = 4 << 20
      let response: HTTPResponse
      do throws(HTTPError) {
        response = try await transport.send(request)
      } catch {
        // A page that exceeds the size limit exists.
        if error.kind == .tooLarge { return (permanent.map(Verdict.moved) ?? .fine, true) }
        return (Self.verdict(on: error), [.refusedURL, .refusedAddress, .insecure].contains(error.kind))
      }
      guard (300..<400).contains(response.status), let next = response.headers["Location"],
        let target = Self.address(next, seenFrom: place)
      else {
        return Self.verdict(on: response.status, moved: permanent)
      }
      isPermanent = isPermanent && [301, 308].contains(response.status)
      if isPermanent { permanent = target }
      place = target
    }
    return (.unverified("it redirects endlessly"), true)
  }

  private static func verdict(on status: Int, moved: String?) -> (Verdict, isFinal: Bool) {
    switch status {
    case 200..<300: (moved.map(Verdict.moved) ?? .fine, true)
    case 404, 410: (.dead("it is gone (\(status))"), true)
    case 401, 403, 407, 429, 451, 999: (.unverified("the server blocks bots (\(status))"), true)
    case 500...: (.unverified("the server has a problem (\(status))"), false)
    default: (.unverified("the server responds with \(status)"), true)
    }
  }

  private static func verdict(on error: HTTPError) -> Verdict {
    switch error.kind {
    case .unreachable: .unreachable("its host cannot be reached: \(error.message)")
    default: .unverified(error.message)
    }
  }

  /// Returns the target of a redirect, which may be relative to the requested URL (RFC 9110, 10.2.2).
  private static func address(_ location: String, seenFrom url: String) -> String? {
    if location.hasBytePrefix("https://") || location.hasBytePrefix("http://") { return location }
    return URL(string: location, relativeTo: URL(string: url))?.absoluteURL.absoluteString
  }

  private static func host(of url: String) -> String {
    guard let separator = url.firstRange(of: "://") else { return "" }
    return url[separator.upperBound...].prefix(upToBytes: "/?#").lowercased()
  }

  // MARK: Cached results

  /// Returns the cached results; empty if the cache is missing or cannot be read, so that all links are checked again.
  private func load() -> [String: (verdict: Verdict, time: Timestamp)] {
    guard let bytes = try? FileBytes.read(cache, atMost: 64 << 20),
      let value = try? JSONValue(parsing: bytes),
      value["format"] == 1, let links = value["links"]?.object
    else { return [:] }
    return links.compactMapValues { entry in
      guard let time = entry["at"]?.string.flatMap({ Timestamp(iso8601: $0) }),
        (0..<Self.lifetime).contains(now.seconds - time.seconds)
      else { return nil }
      return (entry["moved"]?.string.map(Verdict.moved) ?? .fine, time)
    }
  }

  private func save(_ links: [String: (verdict: Verdict, time: Timestamp)]) throws(PipelineError) {
    guard !links.isEmpty else { return }
    let members = links.mapValues { link -> JSONValue in
      var entry: JSONObject = ["at": .string(link.time.iso8601)]
      if case .moved(let place) = link.verdict { entry["moved"] = .string(place) }
      return .object(entry)
    }
    do {
      try FileSystem.makeFolders(String(cache.prefix(upTo: cache.lastIndex(of: "/") ?? cache.endIndex)))
      try AtomicFile.write(JSONWriter.text(of: ["format": 1, "links": .object(members)]).bytes, to: cache)
    } catch {
      throw PipelineError(.io, error)
    }
  }
}

extension LinkCheck.Verdict {
  /// Whether a server answered with the state of the link.
  fileprivate var isResponse: Bool {
    switch self {
    case .fine, .moved, .dead: true
    case .unreachable, .unverified: false
    }
  }
}

extension LinkCheck.Outcome {
  /// Records the dead links in the store, from which builds mark them.
  ///
  /// Pages that may be posts or accounts of a network are not recorded, because their authors may have removed them.
  ///
  /// - Returns: the number of recorded links; `nil` if the record is unchanged.
  package func record(in site: SiteFolder) throws(PipelineError) -> Int? {
    let before = try DeadLinks.load(store: site.store)
    var record = before
    record.update(dead: dead.filter { !site.networks.mayShowPosts($0) }, unverified: unverified)
    guard record != before else { return nil }
    try record.save(store: site.store)
    return record.urls.count
  }
}
