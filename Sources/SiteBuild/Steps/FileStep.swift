import Basics
import SiteConfig
import SiteOutput
import SiteWorkspace

/// The step that writes files other than pages and lists: the owner's files, the theme's assets, media, and files for servers and browsers.
struct FileStep: Sendable {
  let context: BuildContext

  /// Copies the owner's files under their names: `static/CNAME` becomes `CNAME`. Hidden files such as `.env` are skipped with a warning.
  ///
  /// - Returns: their paths.
  func copyOwnFiles() throws(PipelineError) -> [SitePath] {
    let folder = context.site.staticFolder
    var paths: [SitePath] = []
    let tree = try withFiles(about: .configuration) { () throws(FileError) in try FileTree(whole: folder) }
    let files = tree.files.map(\.path).filter { !SiteFolder.isLitter($0) }.sorted()
    if let warning = HiddenFiles.warning(about: files, in: folder) { context.progress(.warning(warning)) }
    try AccountArchives.refuse(
      files.filter(HiddenFiles.arePublished), in: folder, networks: context.site.networks)
    for file in files where HiddenFiles.arePublished(file) {
      let path = SitePath(file)
      do {
        try context.staged.copyOwn(from: folder + "/" + file, to: path)
      } catch .writtenTwice {
        throw PipelineError(
          .configuration,
          ["\(folder)/\(file): error: threadsite generates a file with this name; rename this one."])
      } catch {
        throw PipelineError(error)
      }
      paths.append(path)
    }
    return paths
  }

  /// Generated files for hosts, crawlers and browsers that owners often replace.
  private static let replaceable = [
    "404.html", ".nojekyll", "_headers", "_redirects", "opensearch.xml", "robots.txt", "site.webmanifest",
    "sitemap.xml",
  ]

  /// Warns of generated pages and feeds that files of the owner replace. Replaced files for hosts are a note.
  func reportReplaced() {
    for path in context.staged.replaced {
      let file = "\(context.site.staticFolder)/\(path.text)"
      context.progress(
        Self.replaceable.contains(path.text)
          ? .note("\(file) replaces the generated \(path.text).")
          : .warning(
            "\(file): warning: this file replaces the generated \(path.text); to publish the generated one, rename or remove this file"
          ))
    }
  }

  /// Copies the theme's assets and the media that pages show.
  func copyFiles(
    of theme: Theme, media names: Set<String>, of store: PublishedMedia
  ) throws(PipelineError) {
    try copyAssets(of: theme)
    try copyMedia(names, of: store)
  }

  /// Writes the files for servers and browsers.
  ///
  /// - Parameters:
  ///   - files: the files of `static/`.
  ///   - mediaHosts: the hosts of external media on the pages.
  func writeServerFiles(
    _ indexed: IndexedSite, _ inputs: LoadedSite, own files: [SitePath], mediaHosts: Set<String>
  ) throws(PipelineError) {
    let (pages, index, facts) = (indexed.pages, indexed.index, indexed.facts)
    let (theme, own) = (inputs.theme, inputs.pages)
    try context.write(WebManifest.file(of: facts, in: theme))
    try context.write(SearchDescription.file(of: facts, in: theme))
    try Sitemap.write(site: facts, index: index, pages: pages, own: own.pages.map(\.path)) {
      (path, content) throws(PipelineError) in try context.write([(path, content)])
    }
    try context.write(facts.standardSite?.files ?? [])
    if DataIndex.isPublished(by: facts) {
      try withOutput { () throws(SiteOutputError) in
        try context.staged.write(inPieces: DataIndex.threadsPath) { append throws(SiteOutputError) in
          try DataIndex.writeList(site: facts, index: index, append: append)
        }
      }
      try context.write([
        (path: DataIndex.textPath, content: DataIndex.text(site: facts, index: index, pages: pages))
      ])
    }
    try context.write(
      ServerFiles.files(
        site: facts, mediaHosts: mediaHosts.sorted(), inline: theme.inlineScript(on: facts),
        additions: theme.policyAdditions(on: facts),
        own: files + own.paths))
  }

  private func copyAssets(of theme: Theme) throws(PipelineError) {
    try withOutput { () throws(SiteOutputError) in
      for asset in theme.assets {
        switch asset.content {
        case .file(let source): try context.staged.copy(from: source, to: asset.path)
        case .text(let bytes): try context.staged.write(bytes, to: asset.path)
        }
      }
    }
  }

  /// Copies the media that pages show. Files that the last build copied and that have not changed since are kept.
  ///
  /// - Throws: one error with all files that are missing or are not media.
  private func copyMedia(_ names: Set<String>, of media: PublishedMedia) throws(PipelineError) {
    let names = names.sorted()
    let results = ParallelWork.run(
      count: names.count, jobs: context.jobs, makeState: { [(position: Int, error: PipelineError)]() }
    ) { position, failures in
      let path = ThreadWorker.mediaPath(names[position])
      do throws(PipelineError) {
        if let last = context.last,
          let known = last.build?.site.signature(
            ofMedia: names[position], last.inputs.signature(ofMedia: names[position]), at: path)
        {
          return try context.keep(path, known)
        }
        try media.copy(names[position], to: context.staged)
      } catch {
        failures.append((position, error))
      }
    }
    let failures = results.joined().sorted { $0.position < $1.position }.map(\.error)
    guard let worst = PipelineError.worst(failures) else { return }
    throw PipelineError(worst.kind, PipelineError(failures).messages)
  }
}
