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
  package let isFetchable = true

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    do {
      return XSourceClient(try Self.client(run), now: run.now())
    } catch {
      throw SourceError(error)
    }
  }

  package func planner(for run: SourceRun) -> any SourcePlanner {
    let now = run.now()
    let clientState = XClientState(file: Self.stateFile(run))
    return XSourcePlanner(now: now, lacksFullSearch: clientState.fullArchiveClosedUntil(at: now) != nil)
  }

  package func export(at path: String) throws(SourceError) -> (any ThreadExport)? {
    do {
      return try XExport.open(path)
    } catch {
      throw SourceError(error)
    }
  }

  package func problem(ofExport path: String) -> SourceError? {
    do {
      _ = try XArchive.open(path)
      return nil
    } catch {
      return SourceError(error)
    }
  }

  package var savedAnswers: (any SavedAnswers.Type)? { XImporter.self }
  package var requirement: String? { "with a token for X" }

  /// The file of what earlier runs learned about X's API.
  private static func stateFile(_ run: SourceRun) -> String { run.workFolder + "/x-client.json" }

  private static func client(_ run: SourceRun) throws(XClientError) -> XClient {
    let x = run.config.x
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
    options.report = { run.report(SourceUsage($0)) }
    let clock = XClock(
      now: run.now, sleep: { try await Task.sleep(for: .seconds($0)) }, announce: run.announce)
    do {
      return try XClient(credential, transport: run.transport, options: options, clock: clock)
    } catch {
      throw XClientError(.file, error.description)
    }
  }
}

extension SourceError {
  /// Creates the error for a failed request to X.
  init(_ error: XClientError) {
    let (kind, endsRun): (Kind, Bool) =
      switch error.kind {
      case .noCredential, .wrongCredential: (.access, true)
      case .noAccess: (.access, false)
      case .creditsDepleted, .usageCapped, .overBudget: (.quota, true)
      case .rateLimited: (.quota, false)
      case .notFound, .protected, .suspended, .repost: (.content, false)
      case .invalidRequest, .serverTrouble, .invalidAnswer, .noConnection: (.network, false)
      case .cancelled: (.interrupted, true)
      case .file: (.file, true)
      }
    self.init(kind, error.message, description: error.description, endsRun: endsRun)
    isMissingCredential = error.kind == .noCredential
  }
}

extension SourceUsage {
  init(_ usage: XUsage) {
    self.init()
    requests = Dictionary(
      usage.requests.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { first, _ in first })
    posts = usage.posts
    users = usage.users
    cost = usage.cost
    keptPages = usage.pagesFromCache
  }
}
