import Localization
import SiteConfig
import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore

extension SiteBuild {
  /// What a build is made from beside the configuration; the conversations themselves are read one by one.
  struct Inputs: Sendable {
    let localization: Localization
    let components: ThreadComponents
    let theme: Theme
    let themeOptions: ThemeOptionValues
    /// The owner's own.
    let pages: OwnPages
    /// What pages without a picture are shown with elsewhere.
    let image: PreviewImage?
    /// What the navigation leads to.
    let menu: [MenuEntry]
    let permalinks: Permalinks
    /// Of the store's listing, those that are not left out.
    var files: [StoredFile]
    /// Who wrote them, as each says it.
    var writers: ThreadAuthors
    /// Who these are.
    var authors: AuthorDirectory
    /// What the build goes on without.
    var leftOut: [WrittenThreads.Failure] = []
  }

  /// Loads all of it.
  ///
  /// - Parameter last: what the last build knew.
  /// - Throws: one error with everything that is wrong. What is found wrong here stops the build before a page is rendered, so
  ///   the store is looked through as well: whoever mends a template should not find a damaged thread behind it.
  func load(after last: LastBuild? = nil) throws(PipelineError) -> Inputs {
    let ((looks, permalinks), files) = ParallelWork.both(
      jobs: options.jobs,
      {
        (
          Result { () throws(PipelineError) in try loadLooks() },
          Result { () throws(PipelineError) in try loadPermalinks() }
        )
      }, { Result { () throws(PipelineError) in try listStore() } })
    let pages = Result { () throws(PipelineError) in
      let pages = try OwnPages(in: site.pagesFolder, withDrafts: options.includesDrafts)
      return (pages: pages, menu: try menu(pages))
    }
    let words = Result { () throws(PipelineError) in try checkOwnersWords() }
    let image = Result { () throws(PipelineError) in try siteImage() }
    var problems = [
      looks.problem, permalinks.problem, files.problem, pages.problem, words.problem, image.problem,
    ]
    .compactMap(\.self)
    if problems.isEmpty {
      let looks = try looks.get()
      warn(of: looks)
      warnOfRobots()
      let (own, menu) = try pages.get()
      for warning in own.warnings { progress(.warning(warning)) }
      var listed = try files.get()
      // What the last build knew of people may name those who are left out now.
      let last = namedAddresses.isEmpty ? last : nil
      var writers = threadAuthors(listed, after: last)
      let leftOut = threadsLeftOut(writers)
      if !leftOut.isEmpty {
        listed.removeAll { leftOut.contains($0) }
        writers = threadAuthors(listed, after: last)
      }
      return Inputs(
        localization: looks.words.localization, components: looks.components, theme: looks.theme,
        themeOptions: looks.options, pages: own, image: try image.get(), menu: menu,
        permalinks: try permalinks.get(), files: listed,
        writers: writers, authors: authorDirectory(writers))
    }
    if case .success(let files) = files {
      do throws(PipelineError) {
        problems += storeProblems(
          files, selection: try threadSelection(authorDirectory(threadAuthors(files, after: last))))
      } catch {
        problems.append(error)
      }
    }
    throw PipelineError(problems)
  }

  /// Threads of accounts that site.yml leaves out: a store that may be written to has none.
  private func threadsLeftOut(_ writers: ThreadAuthors) -> Set<StoredFile> {
    guard !site.leftOut.isEmpty else { return [] }
    let authors = writers.seen.map { site.leftOut.holds($0.id, handle: $0.record?.handle) }
    return Set(writers.ofFiles.filter { authors[$0.author] }.map(\.file))
  }

  /// What is asked of crawlers where they do not hear it.
  private func warnOfRobots() {
    let config = site.config
    guard config.robots != .defaults else { return }
    if let base = config.baseURL, SiteFacts.path(of: base.description) != "/" {
      let text =
        "crawlers look for robots.txt at the top of a host alone, and this site is below it (\(base)): put its lines into the host's own"
        + " file"
      progress(.warning(configProblem("robots", text, severity: .warning)))
    }
    if config.noindex, config.robots.crawlers == .none {
      let text =
        "a page that crawlers may not read cannot ask them to leave it out (noindex): search engines may list its address all the same;"
        + " keep one of the two"
      progress(.warning(configProblem("robots", text, severity: .warning)))
    }
  }

  /// What is wrong with the conversations, without rendering one.
  private func storeProblems(_ files: [StoredFile], selection: ThreadSelection) -> [PipelineError] {
    let store = site.threadStore
    let results = ParallelWork.run(count: files.count, jobs: options.jobs, makeState: WrittenThreads.init) {
      position, written in
      do throws(PipelineError) {
        written.note(selection.settings(for: try read(files[position], from: store)))
      } catch {
        written.failures.append(
          WrittenThreads.Failure(position: position, file: files[position], error: error))
      }
    }
    var written = WrittenThreads()
    for result in results { written.add(result) }
    return problems(of: written, selection: selection)
  }
}
