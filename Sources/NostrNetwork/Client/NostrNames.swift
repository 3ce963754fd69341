import Basics
import NetworkSources
import Synchronization

/// Names of accounts at domains (NIP-05), such as `ada@nostr.example`. A domain assigns names to keys. A profile may state any name, so a
/// name is used only if its domain confirms it.
final class NostrNames: Sendable {
  /// The maximum size of a domain's answer, in bytes. A domain that ignores the requested name sends all of its names.
  private static let longestAnswer = 1 << 20
  private static let atOnce = 8
  /// The maximum number of names that are requested at once. A thread with many replies has many authors.
  private static let most = 100

  private let web: WebService
  /// The key of each name that was requested in this run; `nil` if the domain does not assign it.
  private let keys = Mutex<[NostrName: String?]>([:])
  /// The authors whose names were requested.
  private let requested = Mutex<Set<String>>([])

  init(_ web: WebService) { self.web = web }

  /// The answers of domains for some authors.
  struct Answers: Sendable {
    /// The names that domains confirm, by the authors' public keys.
    var confirmed: [String: String] = [:]
    /// The public keys of the authors for whom a domain answered.
    var answered: Set<String> = []
  }

  /// Asks domains to confirm names. At most one name of each author is requested in a run.
  ///
  /// - Parameter stated: the names in the authors' profiles, by the authors' public keys.
  func confirm(_ stated: [String: String]) async -> Answers {
    var names: [(author: String, name: NostrName)] = []
    for (author, text) in stated.sorted(by: { $0.key < $1.key }) where names.count < Self.most {
      guard let name = NostrName(text) else { continue }
      let isKnown = keys.withLock { $0[name] != nil }
      if isKnown || requested.withLock({ $0.insert(author).inserted }) { names.append((author, name)) }
    }
    var answers = Answers()
    await BoundedTasks.run(names, atMost: Self.atOnce) { [self] author, name in
      do throws(SourceError) {
        return (author: author, name: name, key: try await key(of: name), hasAnswer: true)
      } catch {
        // Without an answer, the name is not used.
        return (author: author, name: name, key: nil, hasAnswer: false)
      }
    } done: { result in
      if result.hasAnswer { answers.answered.insert(result.author) }
      if result.key == result.author { answers.confirmed[result.author] = result.name.description }
      return true
    }
    return answers
  }

  /// Returns the key of a name; `nil` if its domain does not assign it.
  ///
  /// - Throws: if the domain's server cannot be reached or does not answer with JSON.
  func key(of name: NostrName) async throws(SourceError) -> String? {
    if let known = keys.withLock({ $0[name] }) { return known }
    var request = WebRequest(
      "GET nostr.json", "https://\(name.domain)/.well-known/nostr.json", query: [("name", name.local)])
    request.maximumBytes = Self.longestAnswer
    request.maximumTries = 2
    let answer = try await web.get(request)
    guard answer.isSuccess || answer.status == 404 || answer.status == 410 else {
      throw SourceError(
        .network, "\(name.domain) did not answer for the name \(name) (\(answer.status)). Try again later.")
    }
    var key: String?
    if answer.isSuccess, let text = try answer.json()["names"]?[name.local]?.string {
      key = NostrHex.isKey(text) ? text : nil
    }
    keys.withLock { $0[name] = .some(key) }
    return key
  }
}

/// A name at a domain. `_@nostr.example` is the domain's own name and is shown without `_@`.
struct NostrName: Hashable, Sendable, CustomStringConvertible {
  let local: String
  /// In lower case.
  let domain: String

  /// - Returns: `nil` if the text is not such a name.
  init?(_ text: String) {
    guard NostrAddresses.isInternetIdentifier(text) else { return nil }
    let parts = text.lowercased().split(atBytes: "@")
    guard parts.count == 2 else { return nil }
    (local, domain) = (String(parts[0]), String(parts[1]))
  }

  var description: String { local == "_" ? domain : "\(local)@\(domain)" }
}
