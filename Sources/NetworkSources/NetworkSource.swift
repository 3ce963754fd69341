package import Foundation
package import HTTPTransport
package import SiteConfig
package import ThreadModel

/// A network with threads, as the rest of the program uses it.
///
/// Code for a single network (its API, its exports, its URLs, the sizes of its pictures) is in that network's target, behind this protocol.
/// The pipeline's registry lists the networks.
package protocol NetworkSource: Sendable {
  var platform: Platform { get }
  /// The parser of the network's URLs.
  var addresses: any AddressReader { get }
  /// The links with which readers can act on the network's posts, and the sizes in which the network serves pictures.
  var links: any NetworkLinks { get }

  /// How threads of the network get into the store if they cannot be fetched, as a clause: "save responses of …"; `nil` if they can be
  /// fetched.
  var insteadOfFetching: String? { get }
  /// The network's name in messages: the platform's name, or a more precise one.
  var name: String { get }
  /// The permanent requirement of fetching, as a phrase: "with a token for X"; `nil` if nothing is required.
  var requirement: String? { get }

  /// Returns a client for one run.
  ///
  /// - Throws: ``SourceError`` if no requests are possible, for example without a credential.
  func client(for run: SourceRun) throws(SourceError) -> any SourceClient
  /// Returns a planner. It lists the requests that would be made, and needs neither a credential nor a connection.
  func planner(for run: SourceRun) -> any SourcePlanner

  /// Returns the id that an export without account ids assigns to the account; `nil` if the network's exports always have ids, or if the id
  /// does not follow from the account's name.
  func provisionalID(of author: Author) -> AuthorID?
  /// Opens an export that a user received from the network, a file or folder; `nil` if the path is not such an export.
  func export(at path: String) throws(SourceError) -> (any ThreadExport)?
  /// Returns the reason why a file or folder is not a valid export; `nil` if the network has no exports.
  func problem(ofExport path: String) -> SourceError?
  /// The parser of saved responses of the network's API; `nil` if they are not supported.
  var savedAnswers: (any SavedAnswers.Type)? { get }
  /// Returns whether a JSON object, for example of a file that cannot be imported, is a response of the network's servers.
  func isAnswer(_ object: JSONObject) -> Bool
}

extension NetworkSource {
  package var name: String { platform.displayName }
  package var requirement: String? { nil }
  package func provisionalID(of author: Author) -> AuthorID? { nil }
  package func export(at path: String) throws(SourceError) -> (any ThreadExport)? { nil }
  package func problem(ofExport path: String) -> SourceError? { nil }
  package var savedAnswers: (any SavedAnswers.Type)? { nil }
  package func isAnswer(_ object: JSONObject) -> Bool { false }
  package var links: any NetworkLinks { NoLinks() }
  package var insteadOfFetching: String? { nil }
  /// Whether threads can be fetched from the network, and not only imported.
  package var isFetchable: Bool { insteadOfFetching == nil }
  package func planner(for run: SourceRun) -> any SourcePlanner { EmptyPlanner() }
}

/// The parts of a run and of the site's configuration that a network's client needs.
package struct SourceRun: Sendable {
  package var config: SiteConfig
  /// The environment variables, including the credentials.
  package var environment: [String: String]
  /// The transport for the network's API, which does not repeat failed requests.
  package var transport: any HTTPTransport
  /// The folder for responses that are not saved in the store yet, and for a client's findings about the network's API.
  package var workFolder: String
  /// Returns the absolute path for a path in site.yml, which is relative to the site's folder.
  package var absolutePath: @Sendable (String) -> String
  /// The maximum cost of the run, in US dollars.
  package var maximumCost: Decimal
  package var now: @Sendable () -> Timestamp
  /// Called with each warning for the user, a sentence.
  package var warn: @Sendable (String) -> Void
  /// Called every second during a long pause with the reason, a clause, and the number of seconds left.
  package var announce: @Sendable (_ reason: String, _ secondsLeft: Int) -> Void
  /// Called after each response with the usage of the run so far.
  package var report: @Sendable (SourceUsage) -> Void

  package init(
    config: SiteConfig, environment: [String: String], transport: any HTTPTransport, workFolder: String,
    absolutePath: @escaping @Sendable (String) -> String, maximumCost: Decimal,
    now: @escaping @Sendable () -> Timestamp, warn: @escaping @Sendable (String) -> Void = { _ in },
    announce: @escaping @Sendable (_ reason: String, _ secondsLeft: Int) -> Void = { _, _ in },
    report: @escaping @Sendable (SourceUsage) -> Void = { _ in }
  ) {
    self.config = config
    self.environment = environment
    self.transport = transport
    self.workFolder = workFolder
    self.absolutePath = absolutePath
    self.maximumCost = maximumCost
    self.now = now
    self.warn = warn
    self.announce = announce
    self.report = report
  }
}

/// The requests of a run to a network so far, with the numbers of posts and users that were read.
package struct SourceUsage: Sendable, Hashable {
  /// The number of requests by endpoint, such as `GET /2/tweets`.
  package var requests: [String: Int] = [:]
  package var posts = 0
  package var users = 0
  /// The cost in US dollars by the network's published prices; `nil` if requests are free.
  package var cost: Decimal?
  /// The number of pages that an interrupted run had stored and that were therefore not requested again.
  package var keptPages = 0

  package init() {}

  package var requestCount: Int { requests.values.reduce(0, +) }
}

/// Formats an amount of US dollars, rounded up to at most three decimals and with at least two, independent of the locale.
package func dollars(_ amount: Decimal) -> String {
  var rounded = Decimal()
  var amount = amount
  NSDecimalRound(&rounded, &amount, 3, .up)
  var text = "\(rounded)"
  let decimals = text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
  if decimals == 0 { text += ".00" } else if decimals == 1 { text += "0" }
  return "$" + text
}
