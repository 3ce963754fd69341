import Basics
import Foundation
package import NetworkSources
package import SiteConfig
package import ThreadModel

/// X: its API, which costs money, and the archives that it provides to its users.
package struct XSource: NetworkSource {
  package let platform = Platform.x
  package let addresses: any AddressReader = XAddresses()
  package let links: any NetworkLinks = XLinks()

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    try Self.client(run)
  }

  package func planner(for run: SourceRun) -> any SourcePlanner {
    let now = run.now()
    let clientState = XClientState(file: Self.stateFile(run))
    return XPlanner(now: now, lacksFullSearch: clientState.fullArchiveClosedUntil(at: now) != nil)
  }

  package func export(at path: String) throws(SourceError) -> (any ThreadExport)? {
    try XArchive.find(path)
  }

  package func problem(ofExport path: String) -> SourceError? {
    do {
      _ = try XArchive.open(path)
      return nil
    } catch {
      return error
    }
  }

  package var savedAnswers: (any SavedAnswers.Type)? { XImporter.self }
  package var requirement: String? { "with a token for X" }

  /// The file with the findings of earlier runs about X's API.
  private static func stateFile(_ run: SourceRun) -> String { run.workFolder + "/x-client.json" }

  private static func client(_ run: SourceRun) throws(SourceError) -> XClient {
    let x = run.config.networks[XSection.self]
    func place(_ variable: String, _ file: String?) -> CredentialPlace {
      CredentialPlace(variable: variable, file: file.map(run.absolutePath))
    }
    let source = XCredentialSource(
      token: place(x.tokenEnv, x.tokenFile), key: place(x.keyEnv, x.keyFile),
      secret: place(x.secretEnv, x.secretFile))
    let (credential, warnings) = try source.read(environment: run.environment)
    for warning in warnings { run.warn(warning) }
    var options = XClient.Options()
    if let url = x.apiURL { options.baseURL = String(url.description.dropLast()) }
    options.maximumCost = run.maximumCost
    options.responseFolder = run.workFolder + "/x"
    options.stateFile = stateFile(run)
    options.warn = run.warn
    options.report = run.report
    let clock = XClock(
      now: run.now, sleep: { try await Task.sleep(for: .seconds($0)) }, announce: run.announce)
    do {
      return try XClient(credential, transport: run.transport, options: options, clock: clock)
    } catch {
      throw SourceError(x: .file, error.description)
    }
  }
}

extension Platform {
  static let x: Platform = "x"
}

extension SourceKind {
  /// The X API, version 2.
  static let xAPI: SourceKind = "x-api"
  /// The archive that X gives to its users.
  static let xArchive: SourceKind = "x-archive"
}
