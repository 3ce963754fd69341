package import Basics
import Foundation
package import SiteBuild
import SiteConfig
package import SiteWorkspace

/// Builds a site for the preview like `threadsite build`, but into a separate folder and without network access.
///
/// site.yml is read again for each build. If it cannot be read, default paths are watched.
package struct SitePreviewBuild: Sendable {
  private let configFile: String
  private let isDefault: Bool
  private let drafts: Bool
  private let jobs: Int
  private let environment: [String: String]
  private let installation: Installation?
  private let memory = BuildMemory()
  /// The site's folder, with symbolic links resolved.
  package let folder: String

  /// - Parameters:
  ///   - configFile: the path that the user specified, relative to the current folder or absolute.
  ///   - isDefault: whether the path is the default, because the user specified none.
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

  /// The preview's folder, beside the files that fetches store. These are neither published nor committed.
  private var place: String { folder + "/.threadsite/preview" }

  /// Throws if there is no site in the folder. A site with mistakes is accepted, because they may be corrected while the preview runs.
  package func checkThereIsASite() throws(PipelineError) {
    guard configFiles.allSatisfy({ FileSystem.kind(of: $0) == .nothing }) else { return }
    _ = try SiteFolder.open(
      configFile: configFile, isDefault: isDefault, output: place + "/site", environment: environment,
      progress: { _ in })
  }

  /// The configuration file, and the same file with the extension `.yaml`, which users may choose by mistake.
  private var configFiles: [String] {
    let config = folder + "/" + String(PathText.name(of: configFile))
    return [config] + (config.without(byteSuffix: ".yml").map { [String($0) + ".yaml"] } ?? [])
  }

  private var permalinksFile: String { place + "/permalinks.json" }

  /// Locks the preview's folder for this process, and removes the permalinks of unpublished threads that an earlier preview stored.
  package func lock() throws(PipelineError) -> FolderLock {
    do {
      if let lock = try FolderLock.take(place) {
        try FileSystem.remove(permalinksFile)
        try FileSystem.remove(addressFile)
        return lock
      }
    } catch {
      throw PipelineError(.io, error)
    }
    // The file is missing while the other preview starts.
    let address = (try? FileBytes.read(addressFile, atMost: 1000)).map {
      " at " + TextControls.shown(String(decoding: $0, as: UTF8.self))
    }
    throw PipelineError(
      .io,
      [
        "\(folder): error: another `threadsite serve` shows this site\(address ?? ""); open it there, or end it first"
      ])
  }

  private var addressFile: String { place + "/address" }

  /// Records the URL of this preview for the messages of other processes; the lock must be held.
  package func announce(_ address: String) throws(PipelineError) {
    do {
      try AtomicFile.write(Array(address.utf8), to: addressFile)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  /// Builds the site.
  ///
  /// - Parameters:
  ///   - changed: the paths of the files that have changed since the last build; `nil` for the first build.
  ///   - whenInPlace: called as soon as a changed site is in place, with the path of the site on its host.
  package func run(
    afterChangesOf changed: [String]?, progress: @escaping ProgressHandler,
    whenInPlace: (BuildSummary, _ basePath: String) -> Void
  ) -> PreviewBuild {
    var site: SiteFolder?
    let result = Result { () throws(PipelineError) in
      let open = try SiteFolder.open(
        configFile: configFile, isDefault: isDefault, output: place + "/site", environment: environment,
        progress: progress)
      site = open
      var options = SiteBuild.Options(jobs: jobs)
      options.includesDrafts = drafts
      // A preview shows a change as soon as possible.
      options.waitsForFileTimes = false
      options.namesStyleSheetsByContent = false
      options.returnsMemory = false
      // The folder is locked.
      options.ownsOutput = true
      // The preview does not decide the URL of an unpublished thread, but the URL stays the same while the preview runs.
      options.permalinksFile = permalinksFile
      return try SiteBuild(
        open, installation: installation, options: options, memory: memory, progress: progress
      ).run(afterChangesOf: changed) { whenInPlace($0, basePath(of: open)) }
    }
    // Without the settings, the store may be another folder, which is not watched.
    if site == nil { memory.forgetInputs() }
    return PreviewBuild(result: result, basePath: basePath(of: site), inputs: inputs(of: site))
  }

  private func basePath(of site: SiteFolder?) -> String { site?.config.baseURL?.path ?? "/" }

  /// Returns the files and folders from which the site is made.
  ///
  /// - Parameter site: `nil` if its configuration cannot be read; the store is then assumed to be in the default folder.
  package func inputs(of site: SiteFolder?) -> [WatchedPath] {
    // Media are named after their content, so only added and removed files count.
    let store = WatchedPath(site?.store ?? folder + "/threads", unopened: ["media"])
    let own =
      configFiles + [folder + "/templates", folder + "/themes", folder + "/static", folder + "/pages"]
    let installed = installation.map { [$0.share + "/templates", $0.share + "/themes"] } ?? []
    let paths = own + installed.filter { !own.contains($0) }
    return paths.map { WatchedPath($0) } + [store]
  }
}
