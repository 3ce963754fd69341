package import Foundation
package import HTTPTransport
package import SiteConfig
package import ThreadModel

/// A network that threads come from: everything that the rest of the program knows of it.
///
/// Whatever belongs to one network alone (its API, its exports, its addresses, the sizes of its pictures) lives in that network's
/// target, behind this protocol; the registry of the pipeline lists the networks that there are.
package protocol NetworkSource: Sendable {
  var platform: Platform { get }
  /// What addresses on the network look like, and what they mean.
  var addresses: any AddressReader { get }
  /// What readers can do with the network's posts, and in which sizes it gives their pictures.
  var links: any NetworkLinks { get }

  /// Whether threads can be fetched from the network, and not only imported.
  var isFetchable: Bool { get }
  /// The network's name in messages: the platform's, or one that says more.
  var name: String { get }

  /// Connects with the network for one run.
  ///
  /// - Throws: ``SourceError`` where nobody can be asked, such as for want of a credential.
  func client(for run: SourceRun) throws(SourceError) -> any SourceClient
  /// Says what would be asked, without a way to ask: neither a credential nor a connection is needed.
  func planner(for run: SourceRun) -> any SourcePlanner

  /// What an export that does not say an account's id calls the account; `nil` where exports always say it, or the account's name does not
  /// tell.
  func provisionalID(of author: Author) -> AuthorID?
  /// Opens a file or folder that the network gave to its user; `nil` for what is no such export.
  func export(at path: String) throws(SourceError) -> (any ThreadExport)?
  /// Why a file or folder that should be such an export is none; `nil` where the network has no exports.
  func problem(ofExport path: String) -> SourceError?
  /// What reads saved answers of the network's API; `nil` where none are read.
  var savedAnswers: (any SavedAnswers.Type)? { get }
}

extension NetworkSource {
  package var name: String { platform.displayName }
  package func provisionalID(of author: Author) -> AuthorID? { nil }
  package func export(at path: String) throws(SourceError) -> (any ThreadExport)? { nil }
  package func problem(ofExport path: String) -> SourceError? { nil }
  package var savedAnswers: (any SavedAnswers.Type)? { nil }
  package var links: any NetworkLinks { NoLinks() }
  package var isFetchable: Bool { true }
  package func planner(for run: SourceRun) -> any SourcePlanner { NothingPlanned() }
}

/// What a network's client needs of the run and of the site.
package struct SourceRun: Sendable {
  package var config: SiteConfig
  /// The environment variables, among them the credentials.
  package var environment: [String: String]
  /// For the network's API: tries nothing again by itself.
  package var transport: any HTTPTransport
  /// Where a network keeps what arrived until it is saved, and what it learned of the network's answers.
  package var workFolder: String
  /// A path of site.yml, seen from the site's folder.
  package var absolutePath: @Sendable (String) -> String
  /// The most that the run may cost, in US dollars.
  package var maximumCost: Decimal
  package var now: @Sendable () -> Timestamp
  /// Told what the user should know, a sentence each.
  package var warn: @Sendable (String) -> Void
  /// Told of long pauses each second: why, in a clause, and how many seconds are left.
  package var announce: @Sendable (_ reason: String, _ secondsLeft: Int) -> Void
  /// Told after each answer what the run has asked and read so far.
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

/// Why a network could not be asked, or did not give what was asked.
package struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// A credential that is missing, wrong, or does not allow what was asked.
    case access
    /// What may be asked or spent is used up.
    case quota
    /// What was asked for is not there, or is none of what is fetched.
    case content
    /// The network cannot be reached, or does not answer as it should.
    case network
    /// The user stopped it.
    case interrupted
    /// Files that cannot be read or written.
    case file
  }

  package var kind: Kind
  /// What happened and what to do, complete sentences; holds no credential.
  package var message: String
  /// The same with what was asked, as a whole message.
  package var description: String
  /// Whether nothing else that would be asked in this run could fare better.
  package var endsTheRun: Bool
  /// Whether there is simply no credential, and nothing was asked.
  package var isMissingCredential = false

  /// Whether other networks could not be asked either.
  package var stopsAll: Bool { kind == .interrupted || kind == .file }

  package init(_ kind: Kind, _ message: String, description: String? = nil, endsTheRun: Bool = false) {
    self.kind = kind
    self.message = message
    self.description = description ?? "error: \(message)"
    self.endsTheRun = endsTheRun
  }
}

extension SourceError {
  /// Why an export cannot be opened.
  package init(_ error: ExportError) {
    self.init(error.isOfDisk ? .file : .content, error.description, description: error.description)
  }
}

/// What a run has asked of a network and read so far.
package struct SourceUsage: Sendable, Hashable {
  /// Requests by endpoint, such as `GET /2/tweets`.
  package var requests: [String: Int] = [:]
  package var posts = 0
  package var users = 0
  /// In US dollars, by the network's published prices; `nil` where asking costs nothing.
  package var cost: Decimal?
  /// Pages that an interrupted run had kept, and that were not asked for again.
  package var keptPages = 0

  package init() {}

  package var requestCount: Int { requests.values.reduce(0, +) }
}

/// An amount of US dollars as people write it: at least two decimals, no locale.
package func dollars(_ amount: Decimal) -> String {
  var rounded = Decimal()
  var amount = amount
  NSDecimalRound(&rounded, &amount, 3, .up)
  var text = "\(rounded)"
  let decimals = text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
  if decimals == 0 { text += ".00" } else if decimals == 1 { text += "0" }
  return "$" + text
}
