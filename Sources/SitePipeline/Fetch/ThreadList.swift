import Files
package import SiteConfig
import ThreadModel
import ThreadStore

/// The list of threads in site.yml, which `threadsite add` adds to.
package struct ThreadList: Sendable {
  /// What became of the list.
  package enum Outcome: Sendable, Equatable {
    /// The site consists of the thread already.
    case hasIt
    /// The list has a new entry.
    case added
    /// The list is written in a way that only its owner should touch.
    case byHand(entry: String)
  }

  private let site: SiteFolder
  private let jobs: Int

  package init(_ site: SiteFolder, jobs: Int) {
    self.site = site
    self.jobs = jobs
  }

  /// Puts a thread that is in the store on the site, where it is not.
  package func add(_ post: PostReference) throws(PipelineError) -> Outcome {
    guard let decoded = site.decoded, site.config.threads != nil else { return .hasIt }
    if try isOnTheSite(post) { return .hasIt }
    do {
      let bytes = try FileBytes.read(decoded.file)
      // The file may have changed since it was read, or since the last entry was added.
      let now = try SiteConfig.decode(bytes: bytes, file: decoded.file)
      guard let text = now.adding(post.description, to: bytes) else {
        return .byHand(entry: "- \(post)")
      }
      try AtomicFile.write(text, to: decoded.file)
      return .added
    } catch let error as SiteConfigError {
      throw PipelineError(.configuration, error)
    } catch {
      throw PipelineError(.io, error)
    }
  }

  private func isOnTheSite(_ post: PostReference) throws(PipelineError) -> Bool {
    let id = PostID(post)
    let selection = ThreadSelection(
      site.config.threads, ledger: try SourceLedger.load(store: site.store), calendar: site.calendar)
    if selection.entry(of: id) != nil { return true }
    let store = ThreadStore(folder: site.store)
    let survey = try StoreSurvey.of(
      store, posts: [id], jobs: jobs, isDue: { _ in false }, lacksMedia: { _ in false })
    guard let file = survey.files[id] else { return false }
    do {
      return selection.settings(for: try store.read(file)).settings != nil
    } catch {
      throw PipelineError(error)
    }
  }
}
