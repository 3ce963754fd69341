import Foundation
import SiteBuild
import SiteWorkspace
import Synchronization
import TestSupport
import ThreadModel
import ThreadStore

/// A site in a temporary folder, which is deleted with the value.
final class TemporarySite: Sendable {
  let folder: TemporaryFolder
  private let reported = Mutex<[String]>([])

  var path: String { folder.path }
  /// The warnings of builds, without this machine's paths.
  var warnings: [String] { reported.withLock { $0 } }

  /// An empty folder.
  init() throws { folder = try TemporaryFolder() }

  /// A copy of a fixture.
  convenience init(_ name: String, kind: String = "Sites") throws {
    try self.init()
    let fixture = Self.fixtures.appending(path: "\(kind)/\(name)").path
    for name in try FileManager.default.contentsOfDirectory(atPath: fixture) {
      try FileManager.default.copyItem(atPath: "\(fixture)/\(name)", toPath: "\(path)/\(name)")
    }
  }

  /// A folder with these files by their paths: a site that several tests start from.
  convenience init(files: [String: Data]) throws {
    try self.init()
    for (path, data) in files { try folder.write(data, to: path) }
  }

  static let fixtures = ProjectFolders.fixtures(of: "ProgramTests")
  /// The templates and themes of this repository.
  static let installation = Installation.find(
    executable: "/nowhere", environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])

  /// The names of this repository's themes.
  static let themes =
    ((try? FileManager.default.contentsOfDirectory(
      atPath: ProjectFolders.repository.appending(path: "themes").path)) ?? []).filter { !$0.hasPrefix(".") }
    .sorted()

  /// - Parameters:
  ///   - memory: the data that a preview keeps between its builds; `nil` for a build by another process.
  ///   - changed: the paths that have changed since the last build with this memory.
  ///   - onStep: called with the name of each step that the build reports, from any thread.
  @discardableResult
  func build(
    drafts: Bool = false, force: Bool = false, jobs: Int = 2, output: String? = nil, baseURL: String? = nil,
    installation: Installation? = installation, usesCache: Bool = true, joinsShards: Bool = false,
    namesStyleSheetsByContent: Bool = true, memory: BuildMemory? = nil, changed: [String]? = nil,
    onStep: @escaping @Sendable (String) -> Void = { _ in },
    whenInPlace: (BuildSummary) -> Void = { _ in }
  ) throws(PipelineError) -> BuildSummary {
    let progress: ProgressHandler = { [self] event in
      switch event {
      case .warning(let text): reported.withLock { $0.append(withoutPaths(text)) }
      case .step(let title, _, _): onStep(title)
      case .note, .waiting, .spent, .credentials: break
      }
    }
    let site: SiteFolder
    do throws(PipelineError) {
      site = try SiteFolder.open(
        configFile: path + "/site.yml", isDefault: true, output: output, baseURL: baseURL, progress: progress)
    } catch {
      // As a preview does.
      memory?.forgetInputs()
      throw error
    }
    var options = SiteBuild.Options(jobs: jobs)
    options.includesDrafts = drafts
    options.replacesForeignOutput = force
    options.usesCache = usesCache
    options.joinsShards = joinsShards
    options.namesStyleSheetsByContent = namesStyleSheetsByContent
    options.ownsOutput = memory != nil
    options.waitsForFileTimes = memory == nil
    return try SiteBuild(
      site, installation: installation, options: options, memory: memory ?? BuildMemory(), progress: progress
    ).run(afterChangesOf: changed, whenInPlace: whenInPlace)
  }

  /// Renders the threads in shards, for a build that joins them.
  func buildShards(_ count: Int) throws(PipelineError) {
    let site = try SiteFolder.open(configFile: path + "/site.yml", isDefault: true, progress: { _ in })
    for shard in (1...count).compactMap({ Shard($0, of: count) }) {
      _ = try SiteBuild(
        site, installation: Self.installation, options: SiteBuild.Options(jobs: 2), progress: { _ in }
      ).run(shard)
    }
  }

  /// Records the URLs of the built site as published, as `threadsite publish` does.
  ///
  /// - Returns: the number of threads with new URLs.
  @discardableResult
  func publish() throws(PipelineError) -> Int {
    let progress: ProgressHandler = { [self] event in
      if case .warning(let text) = event { reported.withLock { $0.append(withoutPaths(text)) } }
    }
    let site = try SiteFolder.open(configFile: path + "/site.yml", isDefault: true, progress: progress)
    return try PublishedAddresses(site, progress: progress).record(isRequired: false)
  }

  func save(_ conversation: Conversation) throws {
    try ThreadStore(folder: path + "/threads").save(conversation)
  }

  /// A page or another file of the site.
  func page(_ file: String) throws -> String { try folder.text("site/\(file)") }

  /// All files of the built site.
  func tree() throws -> [String: Data] { try folder.tree("site") }

  /// Replaces paths: `/tmp/…/threads/x/ada/1.json` becomes `SITE/threads/x/ada/1.json`.
  func withoutPaths(_ text: String) -> String {
    text.replacing(path, with: "SITE").replacing(ProjectFolders.repository.path, with: "SHARE")
  }
}

extension PipelineError.Kind {
  var word: String {
    switch self {
    case .configuration: "configuration"
    case .content: "content"
    case .io: "io"
    case .network: "network"
    case .access: "access"
    case .quota: "quota"
    case .interrupted: "interrupted"
    }
  }
}
