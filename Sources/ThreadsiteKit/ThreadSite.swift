import SiteBuild
import SiteWorkspace
import Synchronization

/// A site: a folder with `site.yml` and a store, as `threadsite init` creates it, and its output.
public struct ThreadSite: Sendable {
  /// The result of a build.
  public struct Summary: Sendable {
    public let threads: Int
    public let posts: Int
    /// The number of HTML pages.
    public let pages: Int
    /// The output folder.
    public let output: String
    /// Warnings about problems that did not stop the build, each with its place.
    public let warnings: [String]
  }

  private let configFile: String
  private let installation: Installation

  /// - Parameters:
  ///   - configFile: the path of the site's `site.yml`.
  ///   - resources: The folder that contains threadsite's `templates` and `themes`: a checkout, or `share/threadsite` of an installation.
  ///     The default is ``ThreadsiteResources/find()``.
  /// - Throws: ``ThreadsiteError`` if `resources` does not contain these folders.
  public init(configFile: String, resources: String? = nil) throws(ThreadsiteError) {
    let resources = try ThreadsiteResources.folder(resources)
    guard let installation = Installation(share: resources) else {
      throw ThreadsiteError(
        .configuration, ["\(resources): error: the folders templates and themes are missing."])
    }
    self.configFile = configFile
    self.installation = installation
  }

  /// Builds the changed parts of the site, without network access. After an error, the site is unchanged.
  ///
  /// - Parameters:
  ///   - output: the output folder instead of the one in `site.yml`, relative to the current folder.
  ///   - jobs: the number of system threads; values below 1 count as 1.
  /// - Throws: ``ThreadsiteError`` with all problems, one per line.
  public func build(output: String? = nil, jobs: Int = 1) throws(ThreadsiteError) -> Summary {
    let warnings = Mutex<[String]>([])
    let progress: ProgressHandler = { event in
      if case .warning(let text) = event { warnings.withLock { $0.append(text) } }
    }
    do {
      let folder = try SiteFolder.open(
        configFile: configFile, isDefault: false, output: output, progress: progress)
      let summary = try SiteBuild(
        folder, installation: installation, options: SiteBuild.Options(jobs: max(1, jobs)), progress: progress
      ).run()
      return Summary(
        threads: summary.threads, posts: summary.posts, pages: summary.pages, output: summary.output,
        warnings: warnings.withLock { $0 })
    } catch {
      throw ThreadsiteError(error)
    }
  }
}
