import Basics
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadModel
import ThreadStore

/// The checks of the threads of a site against each other: entries of site.yml that match no thread, and URLs that two files share.
struct SiteValidator: Sendable {
  let site: SiteFolder

  /// Returns all problems: threads that failed, pages that two threads share, and entries that match no thread.
  ///
  /// - Parameters:
  ///   - samePages: the result of ``samePages(_:pageCount:)``.
  ///   - leftOut: threads that are left out of the site; their entries are not reported as missing.
  func problems(
    of failures: [ThreadFailure], _ found: FoundEntries, samePages: [PipelineError] = [],
    beside leftOut: [StoredFile] = [], selection: ThreadSelection
  ) -> [PipelineError] {
    let failures = failures.sorted { $0.position < $1.position }
    var problems = failures.map(\.error) + samePages
    // A damaged file is not a missing one.
    let damaged = StoreListing(failures.map(\.file) + leftOut)
    let entries = found.entries.union(selection.entriesNaming(damaged))
    for entry in selection.missingEntries(found: entries) {
      problems.append(
        site.error(
          at: "threads[\(entry)]", notInStore("add", on: site.config.threads[entry].url.platform), .content
        ).ofOneThread)
    }
    problems += self.problems(ofHidden: found.unknownHidden)
    let sources = found.sources.union(selection.sourcesNaming(damaged))
    for source in selection.missingSources(found: sources) {
      problems.append(site.error(at: "sources[\(source)]", problem(of: source), .content).ofOneThread)
    }
    return problems
  }

  /// Returns a problem for each hidden post that is not in its thread.
  func problems(ofHidden places: Set<ThreadSelection.HiddenPlace>) -> [PipelineError] {
    places.sorted().map { place in
      site.error(
        at: "threads[\(place.entry)].hide[\(place.position)]",
        "this post is not part of the thread; check the URL")
    }
  }

  /// Warns of parts of site.yml that match threads and have no effect.
  func warn(
    of found: FoundEntries, in files: [StoredFile], selection: ThreadSelection, _ progress: ProgressHandler
  ) throws(PipelineError) {
    for note in found.unknownNotes.sorted(by: { ($0.entry, $0.name) < ($1.entry, $1.name) }) {
      progress(
        site.warning(
          at: "threads[\(note.entry)].notes.\(note.name)",
          "the thread's page has no such post of the author, so the note is not shown\(note.suggestion)"))
    }
    for (entry, position) in found.described.sorted(by: { $0.key < $1.key }) {
      for warning in unusedDescriptions(of: entry, in: try site.read(files[position])) {
        progress(.warning(warning))
      }
    }
    // The page links to threads under `same_as` that are not in the store, but nothing redirects from them to the page.
    for place in selection.missingSameThreads(found: found.sameThreads) {
      progress(
        site.warning(
          at: "threads[\(place.entry)].same_as[\(place.position)]",
          "this thread is not in the store, so the page only links to it; check the URL, or fetch the thread")
      )
    }
  }

  /// Returns a warning for each text under `alt` in an entry of site.yml that describes no image of the entry's thread.
  private func unusedDescriptions(of entry: Int, in conversation: Conversation) -> [String] {
    let thread = site.config.threads[entry]
    let posts = conversation.posts + conversation.related
    let images = posts.flatMap(\.media)
    func isDescribed(_ image: Media) -> Bool { !(image.altText ?? "").allSatisfy(\.isWhitespace) }
    let path = "threads[\(entry)].alt"
    var problems: [(key: String, text: String)] = []
    for name in thread.alt.keys.sorted() {
      let found = images.filter { $0.file == name }
      if found.isEmpty {
        problems.append(
          (
            "\(path).\(clipped(name))",
            "the thread has no image with this file name, so the text is not used"
              + Suggestion.phrase(for: name, among: images.compactMap(\.file))
          ))
      } else if found.allSatisfy(isDescribed) {
        problems.append(
          (
            "\(path).\(clipped(name))",
            "the author described this image, so this text is not used; remove the entry"
          ))
      }
    }
    for post in thread.altOfPosts.keys.sorted(by: { $0.identity < $1.identity }) {
      let reference = PostReferences([post])
      let found = posts.filter { candidate in
        reference.position(
          of: candidate.id, called: candidate.urlID,
          by: conversation.authors.first { $0.id == candidate.authorID }) != nil
      }
      let hasPlace = found.contains {
        $0.media.contains { !isDescribed($0) && thread.alt[$0.file ?? ""] == nil }
      }
      guard !hasPlace else { continue }
      // The key as the owner wrote it.
      let key = site.decoded?.locations.keys.sorted().first { key in
        guard key.hasBytePrefix(path + ".") else { return false }
        let name = String(decoding: key.utf8.dropFirst(path.utf8.count + 1), as: UTF8.self)
        return (try? site.networks.addresses.post(name, besides: thread.url))?.identity == post.identity
      }
      problems.append(
        (
          key ?? path,
          found.isEmpty
            ? "this post is not part of the thread, so the text is not used; check the URL"
            : "this post has no image without alt text, so the text is not used; remove the entry"
        ))
    }
    return problems.map { site.configProblem($0.key, $0.text, severity: .warning) }
  }

  /// Returns a problem for each account in `authors` of site.yml without threads: a mistyped account would give one person two pages.
  func unknownAccounts(_ authors: AuthorDirectory) -> [PipelineError] {
    var problems: [PipelineError] = []
    for (position, person) in site.config.authors.enumerated() {
      for (place, account) in person.accounts.enumerated()
      where !authors.accounts(of: account).contains(where: { authors[$0] != nil }) {
        problems.append(
          site.error(
            at: "authors[\(position)].accounts[\(place)]",
            "no thread of \(account) is in the store; check the URL, fetch the account's threads, or remove it",
            .content
          ).ofOneThread)
      }
    }
    return problems
  }

  /// Returns the reason why the store has no thread of a source, and the solution.
  private func problem(of source: Int) -> String {
    switch site.config.sources[source] {
    case .post(let post): notInStore("fetch", on: post.post.platform)
    case .account(let account):
      "no thread of @\(account.account.handle) is in the store; check the URL, "
        + site.networks.advice("fetch them", "fetch", on: account.account.platform) + ", or remove the entry"
    case .search(let search):
      "the store has no results of this search (\(SourceState.fileName)); "
        + site.networks.advice("run it", "fetch", on: search.platform) + ", or remove the entry"
    case .archive:
      "this archive was not imported; import it with `threadsite fetch`, or remove the entry"
    }
  }

  private func notInStore(_ command: String, on platform: Platform) -> String {
    let ways = site.networks.waysToGetThread(by: command, on: platform) + ["or remove the entry"]
    return "this thread is not in the store; \(ways.joined(separator: ", "))"
  }

  /// Returns a problem for each thread that has the same page as another thread.
  ///
  /// - Parameter pageCount: the number of pages, with each path counted once.
  func samePages(_ threads: ThreadSummaries, pageCount: Int) -> [PipelineError] {
    // Equal counts mean that all pages differ, as they nearly always do.
    guard pageCount < threads.count else { return [] }
    var problems: [PipelineError] = []
    var pages: [SitePath: ThreadSummary] = [:]
    for summary in threads.sorted(by: ThreadSummary.isNewer) {
      if let other = pages.updateValue(summary, forKey: summary.path) {
        problems.append(
          PipelineError(.samePage(path: summary.path.text, first: "\(other.id)", second: "\(summary.id)")))
      }
    }
    return problems
  }

  /// Checks the paths of a site's files for conflicts.
  ///
  /// - Parameters:
  ///   - own: the files of `static/`.
  ///   - media: the files of the store's media folder that pages show.
  func check(
    _ indexed: IndexedSite, _ inputs: LoadedSite, own: [SitePath], media: Set<String>
  ) throws(PipelineError) {
    let (pages, index) = (indexed.pages, indexed.index)
    try checkPages(pages, beside: index)
    try checkFolders(pages, beside: index, own: own)
    try checkAlike(
      pages, beside: index,
      files: media.map(ThreadWorker.mediaPath) + inputs.theme.assets.map(\.path) + own + inputs.pages.paths
        + (indexed.facts.baseURL == nil ? [] : pages.compactMap { FeedList(of: $0, in: index)?.path }))
  }

  /// Checks that no thread has the URL of a page that threadsite generates. This is possible because URLs can be edited by hand.
  private func checkPages(_ pages: [IndexPage], beside index: SiteIndex) throws(PipelineError) {
    let own = Set((pages.map(\.path) + [SearchPage.path]).map(\.file))
    let problems = index.threads.filter { own.contains($0.path.file) }.map { thread in
      PipelineError(.takenPage(path: thread.path.text, thread: "\(thread.id)"))
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
  }

  /// Checks that no file of the owner has the path of a folder that generated pages need.
  ///
  /// - Parameter own: the files of `static/`.
  private func checkFolders(
    _ pages: [IndexPage], beside index: SiteIndex, own: [SitePath]
  ) throws(PipelineError) {
    guard !own.isEmpty else { return }
    let needed = StagedSite.folders(of: (index.threads.map(\.path) + pages.map(\.path)).map(\.file))
      .union(["assets", "media", SearchPage.path.text.without(byteSuffix: "/").map(String.init) ?? ""])
    let problems = own.filter { needed.contains($0.text) }.map {
      PipelineError(
        .configuration,
        ["\(site.staticFolder)/\($0.text): error: the site needs a folder with this name; rename the file."])
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
  }

  /// Checks for paths that differ on this disk but are equal on file systems that ignore case, such as the paths of two authors `Ada` and
  /// `ada`.
  ///
  /// - Parameter files: the paths of all other files, such as media and the theme's assets.
  private func checkAlike(
    _ pages: [IndexPage], beside index: SiteIndex, files: [SitePath]
  ) throws(PipelineError) {
    let paths = (index.threads.map(\.path) + pages.map(\.path) + [SearchPage.path] + files).sorted()
    var known: [String: SitePath] = [:]
    known.reserveCapacity(paths.count)
    var problems: [PipelineError] = []
    for path in paths {
      let folded = PathText.folded(path.text)
      guard let other = known[folded] else {
        known[folded] = path
        continue
      }
      // Equal paths are reported when the files are written.
      if other != path { problems.append(PipelineError(.alikePaths(other.text, path.text))) }
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
  }
}
