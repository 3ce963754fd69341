package import Basics
import Foundation
import SiteConfig
package import SitePipeline

/// How a site is built for the preview: as `threadsite build` does it, but into a folder of its own and without a network.
///
/// site.yml is read anew each time. Where it cannot be, what was known of it last says what to watch.
package struct SitePreviewBuild: Sendable {
  private let configFile: String
  private let isDefault: Bool
  private let drafts: Bool
  private let jobs: Int
  private let environment: [String: String]
  private let installation: Installation?
  /// The site's own folder, links followed.
  package let folder: String

  /// - Parameters:
  ///   - configFile: as the user gave it; relative paths are seen from the current folder.
  ///   - isDefault: whether the user left the file's name to us.
  package init(
    configFile: String, isDefault: Bool, drafts: Bool, jobs: Int, environment: [String: String],
    installation: Installation?
  ) {
    self.configFile = configFile
    self.isDefault = isDefault
    self.drafts = drafts
    self.jobs = jobs
    self.environment = environment
    self.installation = installation
    folder = FileSystem.withoutLinks(URL(filePath: configFile).absoluteURL.deletingLastPathComponent().path)
  }

  /// Beside what a fetch keeps for itself, where nobody publishes or commits it.
  private var place: String { folder + "/.threadsite/preview" }

  /// A site with mistakes is worth waiting for, and a folder without a site is not.
  package func checkThereIsASite() throws(PipelineError) {
    guard configFiles.allSatisfy({ FileSystem.kind(of: $0) == .nothing }) else { return }
    _ = try SiteFolder.open(
      configFile: configFile, isDefault: isDefault, output: place + "/site", environment: environment,
      progress: { _ in })
  }

  /// Where the configuration is, and what it is called by mistake.
  private var configFiles: [String] {
    let config = folder + "/" + String(PathText.name(of: configFile))
    return [config] + (config.without(byteSuffix: ".yml").map { [String($0) + ".yaml"] } ?? [])
  }

  private var permalinksFile: String { place + "/permalinks.json" }

  /// Takes the preview's folder for this process, and forgets where an earlier one showed threads that were not published.
  package func lock() throws(PipelineError) -> FolderLock {
    do {
      if let lock = try FolderLock.take(place) {
        try FileSystem.remove(permalinksFile)
        return lock
      }
    } catch {
      throw PipelineError(.io, error)
    }
    throw PipelineError(.io, ["\(place): error: another `threadsite serve` shows this site; end it first."])
  }

  package func run(progress: @escaping ProgressHandler) -> PreviewBuild {
    var site: SiteFolder?
    let result = Result { () throws(PipelineError) in
      let open = try SiteFolder.open(
        configFile: configFile, isDefault: isDefault, output: place + "/site", environment: environment,
        progress: progress)
      site = open
      var options = SiteBuild.Options(jobs: jobs)
      options.includesDrafts = drafts
      // Where a thread is that nobody has published is not decided by looking at it, but stays while it is looked at.
      options.permalinksFile = permalinksFile
      return try SiteBuild(open, installation: installation, options: options, progress: progress).run()
    }
    return PreviewBuild(
      result, basePath: site?.config.baseURL?.path ?? "/", inputs: inputs(of: site))
  }

  /// What a site is made from.
  ///
  /// - Parameter site: `nil` where its configuration cannot be read: then its store is where stores are, if nothing else is known.
  package func inputs(of site: SiteFolder?) -> [WatchedPath] {
    // Media are named by what is in them, so that only their coming and going counts.
    let store = WatchedPath(site?.store ?? folder + "/threads", unopened: ["media"])
    let own =
      configFiles + [folder + "/templates", folder + "/themes", folder + "/static", folder + "/pages"]
    let installed = installation.map { [$0.share + "/templates", $0.share + "/themes"] } ?? []
    let paths = own + installed.filter { !own.contains($0) }
    return paths.map { WatchedPath($0) } + [store]
  }
}
