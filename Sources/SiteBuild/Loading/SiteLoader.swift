import Basics
import MarkdownHTML
import SiteConfig
import SiteOutput
package import SiteWorkspace
import ThreadMarkdown
import ThreadModel
package import ThreadStore

/// The loader of a site's inputs besides the configuration: the store's listing, the theme, the owner's pages, and the authors.
///
/// All commands that render threads of a site load them first: a build, an export, a check.
package struct SiteLoader: Sendable {
  let site: SiteFolder
  private let installation: Installation?
  private let options: SiteBuild.Options
  private let progress: ProgressHandler
  /// URLs in the record that the site must not use, because they contain the names of accounts that site.yml leaves out.
  private let namedAddresses: LeftOutCleaning.NamedAddresses

  package init(
    _ site: SiteFolder, installation: Installation?, options: SiteBuild.Options,
    namedAddresses: LeftOutCleaning.NamedAddresses = [], progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.installation = installation
    self.options = options
    self.progress = progress
    self.namedAddresses = namedAddresses
  }

  /// The loader of the theme and the words.
  package var themeLoader: ThemeLoader {
    ThemeLoader(
      site: site, installation: installation, namesStyleSheetsByContent: options.namesStyleSheetsByContent,
      progress: progress)
  }

  /// Loads all inputs.
  ///
  /// - Parameter last: the state of the last build.
  /// - Throws: one error with all problems. A problem here stops the build before a page is rendered, so the threads in the store are also
  ///   checked. Otherwise a user who corrects a template would find out about a damaged thread only afterwards.
  package func load(after last: LastBuild? = nil) throws(PipelineError) -> LoadedSite {
    let ((resources, permalinks), files) = ParallelWork.both(
      jobs: options.jobs,
      {
        (
          Result { () throws(PipelineError) in try themeLoader.load() },
          Result { () throws(PipelineError) in try loadPermalinks() }
        )
      }, { Result { () throws(PipelineError) in try listStore(after: last) } })
    let pages = Result { () throws(PipelineError) in
      let pages = try OwnPages(in: site.pagesFolder, withDrafts: options.includesDrafts)
      try AccountArchives.refuse(pages.files, in: site.pagesFolder, networks: site.networks)
      return (pages: pages, menu: try pages.menu(of: site))
    }
    let words = Result { () throws(PipelineError) in try checkOwnerTexts() }
    let archived = Result { () throws(PipelineError) in try archivedLinks() }
    let pictures = SitePictures(site: site, progress: progress)
    let image = Result { () throws(PipelineError) in try pictures.previewImage() }
    let mentions = Result { () throws(PipelineError) in try loadWebMentions() }
    let icons = Result { () throws(PipelineError) -> SiteIcons? in
      // A theme that could not be loaded is reported by itself.
      guard let theme = resources.value?.theme else { return nil }
      return try pictures.icons(of: theme)
    }
    var problems = [
      resources.problem, permalinks.problem, files.problem, pages.problem, words.problem, image.problem,
      mentions.problem, icons.problem, archived.problem,
    ]
    .compactMap(\.self)
    if problems.isEmpty {
      let resources = try resources.get()
      var theme = resources.theme
      if let icons = try icons.get() { theme.icons = icons }
      themeLoader.warn(of: resources)
      warnOfRobots()
      warnOfEmptyList()
      let (own, menu) = try pages.get()
      for warning in own.warnings { progress(.warning(warning)) }
      var listed = try files.get()
      // The state of the last build may contain names of accounts that are left out now.
      let last = namedAddresses.isEmpty ? last : nil
      var writers = threadAuthors(listed, after: last)
      warnOfUnknownLeftOut(writers)
      let leftOut = threadsLeftOut(writers)
      if !leftOut.isEmpty {
        listed.removeAll { leftOut.contains($0) }
        writers = threadAuthors(listed, after: last)
      }
      return LoadedSite(
        localization: resources.words.localization, components: resources.components, theme: theme,
        themeOptions: resources.options, pages: own, image: try image.get(), menu: menu,
        permalinks: try permalinks.get(), archived: try archived.get(), webMentions: try mentions.get(),
        files: listed,
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

  /// Returns the links to archived copies; `nil` if site.yml does not ask for them. The record may have been edited, so the pages of networks
  /// are excluded here and not only when it is written.
  private func archivedLinks() throws(PipelineError) -> ArchivedLinks? {
    guard site.config.archivedLinks else { return nil }
    let dead = try DeadLinks.load(store: site.store)
    return ArchivedLinks(dead: dead.urls.filter { !site.networks.mayShowPosts($0) })
  }

  /// Returns the threads of accounts that site.yml leaves out; a writable store no longer contains any.
  private func threadsLeftOut(_ writers: ThreadAuthors) -> Set<StoredFile> {
    guard !site.leftOut.isEmpty else { return [] }
    let authors = writers.seen.map { site.leftOut.holds($0.id, handle: $0.record?.handle) }
    return Set(writers.ofFiles.filter { authors[$0.author] }.map(\.file))
  }

  /// Warns of accounts in `leave_out` that were never found and resemble an account of the store, because a misspelled name leaves out
  /// nothing. Other accounts without posts in the store are normal: their posts were left out.
  private func warnOfUnknownLeftOut(_ writers: ThreadAuthors) {
    guard !site.config.leaveOut.isEmpty else { return }
    let found = Set(site.leftOut.knownNames.map(\.handle))
    for (position, account) in site.config.leaveOut.enumerated()
    where account.authorID == nil && !found.contains(account.name) {
      let names = writers.seen.filter { $0.id.platform == account.platform }.compactMap { author in
        author.record?.handle.map { LeftOutAccounts.KnownName(id: author.id, handle: $0).handle }
      }
      guard !names.contains(account.name),
        let meant = Suggestion.nearest(to: account.name, among: names.sorted())
      else { continue }
      let text = "no thread of \(account) is in the store; did you mean \(quoted(meant))?"
      progress(site.warning(at: "leave_out[\(position)]", text))
    }
  }

  /// Warns of instructions for crawlers that have no effect.
  private func warnOfRobots() {
    let config = site.config
    guard config.robots != .defaults else { return }
    if let base = config.baseURL, SiteFacts.path(of: base.description) != "/" {
      let text =
        "crawlers read robots.txt only at the root of a host, and this site is in a subfolder (\(base)): add its lines to the host's own"
        + " robots.txt"
      progress(site.warning(at: "robots", text))
    }
    if config.noindex, config.robots.crawlers == .none {
      let text =
        "crawlers cannot read noindex on pages that robots.txt blocks, so search engines may still list their URLs;"
        + " use only one of the two settings"
      progress(site.warning(at: "robots", text))
    }
  }

  /// Warns of a site that has only the listed threads, and lists none.
  private func warnOfEmptyList() {
    guard site.config.include == .listed, site.config.threads.isEmpty else { return }
    let text = "the site has no threads, because `threads` lists none; list threads, or use include: all"
    progress(site.warning(at: "include", text))
  }

  /// Returns the problems of the conversations, without rendering them.
  private func storeProblems(_ files: [StoredFile], selection: ThreadSelection) -> [PipelineError] {
    struct Results: Sendable {
      var found = FoundEntries()
      var failures: [ThreadFailure] = []
    }
    let parts = ParallelWork.run(count: files.count, jobs: options.jobs, makeState: { Results() }) {
      position, results in
      do throws(PipelineError) {
        results.found.add(selection.settings(for: try site.read(files[position])), at: position)
      } catch {
        results.failures.append(ThreadFailure(position: position, file: files[position], error: error))
      }
    }
    let found = parts.reduce(into: FoundEntries()) { $0.add($1.found) }
    return SiteValidator(site: site).problems(of: parts.flatMap(\.failures), found, selection: selection)
  }

  /// Checks that the owner's texts in site.yml are valid, and contain no block or comment without an end, which would include the following
  /// content of the page. Warns of HTML, which is left out, and of relative links.
  ///
  /// - Throws: one error that names all such texts.
  private func checkOwnerTexts() throws(PipelineError) {
    var problems: [String] = []
    for (number, entry) in site.config.threads.enumerated() {
      let texts =
        [("intro", entry.intro), ("afterword", entry.afterword)]
        + entry.notes.map { ("notes.\($0.name)", $0.text) }
      for (key, text) in texts {
        guard let problem = text.flatMap(problem(withWords:)) else { continue }
        problems.append(site.configProblem("threads[\(number)].\(key)", problem))
      }
    }
    guard problems.isEmpty else { throw PipelineError(.configuration, problems) }
    for (number, entry) in site.config.threads.enumerated() {
      warn(of: entry.intro, at: "threads[\(number)].intro")
      warn(of: entry.afterword, at: "threads[\(number)].afterword")
      for note in entry.notes { warn(of: note.text, at: "threads[\(number)].notes.\(note.name)") }
    }
    for (number, collection) in site.config.collections.enumerated() {
      warn(of: collection.introduction, at: "collections[\(number)].introduction")
    }
  }

  /// Warns of HTML in a text of site.yml, and of links that have another target on each page with the text.
  private func warn(of text: String?, at keyPath: String) {
    guard let markdown = text.map({ Array($0.utf8) }) else { return }
    func warn(_ message: String) {
      progress(site.warning(at: keyPath, message))
    }
    // Invalid texts are errors, which their checks report.
    if let line = try? MarkdownHTML.firstDroppedHTML(in: markdown) {
      warn("the HTML in line \(line) of this text is left out; write it as Markdown")
    }
    // The text of a collection is on a single page.
    guard keyPath.hasBytePrefix("threads") else { return }
    for link in (try? MarkdownHTML.destinations(of: markdown)) ?? [] where OwnPages.isRelative(link.url) {
      warn(
        "the link \(quoted(link.url)) is relative, but the text appears on several pages; write the full URL")
    }
  }

  private func problem(withWords text: String) -> String? {
    func error(_ markdown: String) -> MarkdownHTMLError? {
      do throws(MarkdownHTMLError) {
        _ = try MarkdownHTML.render(Array(markdown.utf8))
        return nil
      } catch {
        return error
      }
    }
    if let problem = error(text) { return "this cannot become HTML: \(problem)" }
    guard error("<!-- remark -->\n\n\(text)\n\n<!-- /remark -->\n") != nil else { return nil }
    return
      "a block of code or a comment begins here that does not end; end it, so that it does not take in the thread"
  }

  /// Returns the inputs of a site without threads that could not be built.
  func inputs(
    _ inputs: LoadedSite, without failed: FailedThreads, after last: LastBuild?
  ) -> LoadedSite {
    let positions = Set(failed.failures.map(\.position))
    var inputs = inputs
    inputs.files = inputs.files.enumerated().filter { !positions.contains($0.offset) }.map(\.element)
    inputs.leftOut += failed.failures
    inputs.writers = threadAuthors(inputs.files, after: last)
    inputs.authors = authorDirectory(inputs.writers)
    return inputs
  }

  package func threadSelection(_ authors: AuthorDirectory) throws(PipelineError) -> ThreadSelection {
    ThreadSelection(
      site.config, sourceState: try SourceState.load(store: site.store), authors: authors,
      calendar: site.calendar
    )
  }

  /// Returns the authors of these threads, with their accounts joined as site.yml specifies.
  package func authorDirectory(_ threads: ThreadAuthors) -> AuthorDirectory {
    var authors = AuthorDirectory(threads)
    authors.join(site.config.authors)
    return authors
  }

  package func threadAuthors(_ files: [StoredFile], after last: LastBuild? = nil) -> ThreadAuthors {
    guard let last, let previous = last.build else {
      return ThreadAuthors(of: files, in: site.threadStore, jobs: options.jobs)
    }
    return ThreadAuthors(
      of: files, in: site.threadStore, known: previous.authors,
      authorOf: { previous.entry(of: $0, in: last.inputs)?.author }, jobs: options.jobs)
  }

  /// Lists the threads of the store.
  ///
  /// - Parameter last: the inputs of the build, which include the names of the store's files.
  /// - Throws: an error if site.yml names a folder that does not exist, because a mistyped name would build an empty site.
  package func listStore(after last: LastBuild? = nil) throws(PipelineError) -> [StoredFile] {
    let kind = FileSystem.kind(of: site.store)
    if site.config.store != SiteConfig.defaults.store, kind != .folder, kind != .link {
      let folders = ((try? FileSystem.entries(of: site.path)) ?? []).filter { $0.kind == .folder }.map(\.name)
      throw site.error(
        at: "store",
        "there is no folder \(site.store)"
          + (Suggestion.nearest(to: site.config.store, among: folders).map { "; did you mean \(quoted($0))?" }
            ?? "; correct the path, or fetch or import threads first"))
    }
    if let threads = last?.inputs.threads { return threads }
    return try withStore { () throws(ThreadStoreError) in try site.threadStore.list() }
  }

  private func loadPermalinks() throws(PipelineError) -> Permalinks {
    var published = try site.threadStore.permalinks()
    for stem in namedAddresses { published.forget(stem, where: site.leftOut.isNamed(inAddress:)) }
    guard let own = options.permalinksFile else { return published }
    return published.adding(try Permalinks(inFile: own))
  }

  /// Returns the stored webmentions without blocked sites and people; empty if site.yml names no inbox.
  private func loadWebMentions() throws(PipelineError) -> [WebMention] {
    let settings = site.config.webmention
    guard settings.inbox != nil else { return [] }
    return try withStore { () throws(ThreadStoreError) in
      try site.threadStore.webMentions().all.filter { !settings.blocks($0) }
    }
  }
}
