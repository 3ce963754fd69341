import SitePipeline
import Synchronization

/// A folder with `site.yml` and a store, as `threadsite init` makes it, and the site that is built of it.
public struct ThreadSite: Sendable {
  /// What a build has done.
  public struct Summary: Sendable {
    public let threads: Int
    public let posts: Int
    /// HTML pages.
    public let pages: Int
    /// The site's folder.
    public let output: String
    /// What is doubtful and stopped nothing, each with its place.
    public let warnings: [String]
  }

  private let configFile: String
  private let installation: Installation

  /// - Parameters:
  ///   - configFile: the site's `site.yml`.
  ///   - resources: The folder that holds threadsite's `templates` and `themes`: a checkout, or `share/threadsite` of an installation.
  /// - Throws: where `resources` is no such folder.
  public init(configFile: String, resources: String) throws(ThreadsiteError) {
    guard let installation = Installation(share: resources) else {
      throw ThreadsiteError("\(resources): error: there are no folders templates and themes in it.")
    }
    self.configFile = configFile
    self.installation = installation
  }

  /// Builds what has changed. Nothing is fetched; on an error the site stays as it was.
  ///
  /// - Parameters:
  ///   - output: the folder to write to, in place of the one in `site.yml`; seen from the current folder.
  ///   - jobs: threads rendered at once, at least 1.
  /// - Throws: with all that is wrong, a line each.
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
      throw ThreadsiteError(error.messages.joined(separator: "\n"))
    }
  }
}
