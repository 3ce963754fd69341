package import Files
package import Foundation
package import HTTPTransport
import Synchronization
package import ThreadModel
import UTF8Text

/// X's API v2 for one run: one credential, one budget, one view of X's limits, shared by all that ask at the same time.
///
/// Questions are asked through sessions, one for each thing that is fetched, so that what arrived for it is kept until it is saved.
package final class XClient: Sendable {
  package struct Options: Sendable {
    /// Where the API is; slashes at its end do not matter.
    package var baseURL = "https://api.x.com"
    /// The most that the run may cost, in US dollars; `nil` for no cap.
    package var maximumCost: Decimal?
    package var prices = XPrices()
    /// How often a request is made that fails for a while.
    package var retries = RetryPolicy()
    /// Where pages are kept until they are saved; `nil` where an interrupted run may pay again.
    package var journalFolder: String?
    /// The small file of what was learned about X's answers.
    package var memoryFile: String?
    /// Told what the user should know of X's answers, a sentence each.
    package var warn: @Sendable (String) -> Void = { _ in }
    /// Told after each answer what was asked and read so far.
    package var report: @Sendable (XUsage) -> Void = { _ in }

    package init() {}
  }

  /// What the run has learned.
  struct Knowledge {
    var memory: XMemory
    /// Whether X has answered in the dialect of `memory` in this run.
    var isDialectSure = false
    /// Why nothing is asked any more.
    var stop: XClientError?
    /// Why no posts are asked for any more.
    var postsStop: XClientError?
  }

  let options: Options
  let transport: any HTTPTransport
  let authority: XAuthority
  let clock: XClock
  let budget: XBudget
  let windows = XRateWindows()
  let knowledge: Mutex<Knowledge>
  private let journal: XJournal?

  /// - Parameter transport: one that tries nothing again by itself: when to is decided here, by X's rules.
  /// - Throws: where the journal's folder cannot be read.
  package init(
    _ credential: XCredential, transport: any HTTPTransport, options: Options = Options(),
    clock: XClock = .system()
  ) throws(FileError) {
    var options = options
    while let rest = options.baseURL.without(byteSuffix: "/") { options.baseURL = String(rest) }
    self.options = options
    self.clock = clock
    budget = XBudget(cap: options.maximumCost, prices: options.prices)
    self.transport = transport
    authority = XAuthority(
      credential,
      exchange: XTokenExchange(
        baseURL: options.baseURL,
        transport: RetryingTransport(
          forX: transport, policy: options.retries, clock: clock, budget: budget)))
    knowledge = Mutex(Knowledge(memory: options.memoryFile.map { XMemory(file: $0) } ?? XMemory()))
    if let folder = options.journalFolder {
      journal = try XJournal(folder: folder, now: clock.now())
    } else {
      journal = nil
    }
  }

  /// What was asked and read so far; may be looked at any time.
  package var usage: XUsage { budget.usage }

  /// What the full-archive search says without being asked: when it was refused, where that was within the last days.
  package var fullArchiveClosedUntil: Timestamp? {
    knowledge.withLock { $0.memory.fullArchiveClosedUntil(at: clock.now()) }
  }

  /// A session; one of the same name in an interrupted run left its pages to it.
  ///
  /// - Parameter name: what is fetched, such as `post-123`: the same in each run, and only one session of it at a time.
  package func session(named name: String) -> XSession {
    XSession(client: self, journal: journal?.session(named: name))
  }
}
