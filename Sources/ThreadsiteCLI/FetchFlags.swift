import ArgumentParser
import Foundation
import HTTPTransport
import Intake
import SiteConfig
import SiteWorkspace
import ThreadModel

/// The limits of a fetch.
struct FetchFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The maximum cost of this run in US dollars, instead of x.max_cost in site.yml.",
      valueName: "amount"))
  var maxCost: String?

  @Flag(help: "List the planned requests and estimate their cost without sending them.")
  var dryRun = false

  mutating func validate() throws {
    guard let maxCost else { return }
    guard let amount = Self.amount(maxCost), amount >= 0 else {
      throw ValidationError(
        "--max-cost must be an amount in US dollars without a currency sign, such as 2.50.")
    }
  }

  var maximumCost: Decimal? { maxCost.flatMap(Self.amount) }

  /// Parses digits with a point, independent of the machine's locale.
  private static func amount(_ text: String) -> Decimal? {
    guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }) else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}

extension FetchServices {
  /// Runs work with the real network services, for one run of the program.
  ///
  /// Responses and media may come from this machine only if site.yml contains the URL of a local test server.
  static func withLive<Result: Sendable>(
    for site: SiteFolder, version: String, _ body: (FetchServices) async throws -> Result
  ) async throws -> Result {
    let agent = "threadsite/\(version)"
    var options = CurlOptions()
    options.allowsLoopback = site.networks.useThisMachine(in: site.config)
    return try await CurlTransport.withTransport(userAgent: agent, options: options) { api in
      try await CurlTransport.withTransport(userAgent: agent, options: options) { media in
        try await body(
          FetchServices(
            environment: ProcessInfo.processInfo.environment, api: api, media: media,
            now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }))
      }
    }
  }
}
