import Basics
import SiteOutput
import SiteWorkspace

/// A build after changes that only concern style sheets. Nothing is rendered.
///
/// The published name of a style sheet depends on its content, and every page contains the name. The pages are written again with the new names.
/// In a preview, the names stay the same, and no page changes. The style sheets are then put in place before the other files of the site are
/// compared with the previous build, which takes longer.
struct StyleUpdate {
  let site: SiteFolder
  let installation: Installation?
  let options: SiteBuild.Options
  let cache: BuildCache
  /// The state of the previous build, whose files may have been changed.
  let state: BuildCache.State
  let inputs: BuildInputs
  /// The digests of the inputs; `nil` if an input might have changed undetected.
  let digests: InputDigests?

  /// A style sheet that differs from that of the site.
  private struct Sheet {
    let old: SitePath
    let new: SitePath
    let bytes: [UInt8]
  }

  /// Updates the site.
  ///
  /// - Parameter whenInPlace: called when the files are in place, before the data for the next build are saved.
  /// - Returns: the outcome; `nil` if more than style sheets may have changed. Another build is then necessary, which also reports all problems.
  func run(_ whenInPlace: (BuildSummary) -> Void) throws(PipelineError) -> BuildCache.Outcome? {
    guard cache.hasOnlyRecords(of: state), let digests,
      state.digests?.differOnlyInStyleSheets(from: digests) == true, cache.isPublished(state, inputs),
      let theme = theme(), let sheets = changedSheets(of: theme)
    else { return nil }
    let environment = environment(of: theme)
    guard let names = RenamedSheets(from: state.environment, to: environment) else { return nil }
    let isKnownIntact = cache.isKnownIntact(state)
    var changes = BuildCache.Changes()
    changes.written = Set(sheets.map(\.new.file))
    changes.removed = Set(sheets.filter { $0.old != $0.new }.map(\.old.file))
    if !names.isEmpty { changes.environment = environment }
    let changed = changes.written.union(StagedSite.folders(of: changes.written))
    let isCompared: @Sendable (String) -> Bool = { !names.isEmpty || changed.contains($0) }
    guard cache.isIntact(state, jobs: options.jobs, where: isCompared) else { return nil }
    return try StagingFolder(of: site, options).use { (staged) throws(PipelineError) -> BuildCache.Outcome? in
      if !names.isEmpty {
        guard let pages = try writePages(with: names, to: staged) else { return nil }
        changes.written.formUnion(pages)
      }
      try withOutput { () throws(SiteOutputError) in
        cache.noteChange()
        for sheet in sheets { try staged.write(sheet.bytes, to: sheet.new) }
        try staged.update(removing: changes.removed.sorted())
      }
      let outcome = cache.outcome(of: state, inputs)
      whenInPlace(outcome.summary)
      guard isKnownIntact || cache.isIntact(state, jobs: options.jobs, where: { !isCompared($0) }) else {
        return nil
      }
      cache.save(changes, to: state, digests, records: nil)
      return outcome
    }
  }

  private var loader: ThemeLoader {
    ThemeLoader(
      site: site, installation: installation,
      namesStyleSheetsByContent: options.namesStyleSheetsByContent, progress: { _ in })
  }

  /// The theme with the changed style sheets; `nil` if it cannot be loaded, which a whole build reports.
  private func theme() -> Theme? { try? loader.load().theme }

  /// Returns the common inputs of all pages. Only the names of style sheets differ from those of the previous build.
  private func environment(of theme: Theme) -> BuildEnvironment {
    BuildEnvironment(
      threads: state.environment.threads, pages: state.environment.pages, sheets: theme.sheetPaths)
  }

  /// Returns the style sheets that differ from those of the site; `nil` if more than their contents and their names changes.
  private func changedSheets(of theme: Theme) -> [Sheet]? {
    let assets = state.files.lazy.filter { $0.path.hasByteSuffix(".css") }.map { SitePath($0.path) }
    let known = Dictionary(assets.map { ($0.urlText, $0) }) { first, _ in first }
    let sheets = theme.styleSheets
    guard Set(sheets.map(\.name)) == Set(state.environment.sheets.keys) else { return nil }
    var changed: [Sheet] = []
    for sheet in sheets {
      guard case .text(let new) = sheet.content,
        let path = state.environment.sheets[sheet.name].flatMap({ known[$0] }),
        !isOwned(sheet.path), !isOwned(path), let old = try? FileBytes.read("\(site.output)/\(path.file)")
      else { return nil }
      guard !old.elementsEqual(new) || path != sheet.path else { continue }
      // Other warnings do not depend on style sheets.
      let uses = loader.blockedUses
      guard uses.inStyleSheet(Array(old)) == uses.inStyleSheet(new) else { return nil }
      changed.append(Sheet(old: path, new: sheet.path, bytes: new))
    }
    return changed
  }

  /// Whether the owner provides the file at a path.
  private func isOwned(_ path: SitePath) -> Bool {
    [site.staticFolder, site.pagesFolder].contains { FileSystem.kind(of: "\($0)/\(path.file)") != .nothing }
  }

  /// Whether the owner's pages contain former names, which must stay. A file that cannot be read may contain one.
  private func areInOwnPages(_ names: RenamedSheets) -> Bool {
    [site.staticFolder, site.pagesFolder].contains { folder in
      let files = FileTree(folder).files.map(\.path)
      return files.contains { file in
        guard file.hasByteSuffix(".html") || file.hasByteSuffix(".md") else { return false }
        return (try? FileBytes.read("\(folder)/\(file)")).map { names.occur(in: Array($0)) } ?? true
      }
    }
  }

  /// Writes all pages that contain the former name of a style sheet, with the new name.
  ///
  /// - Returns: the paths of the written pages; `nil` if a page has to be rendered, because a name is elsewhere than in the link of its layout.
  private func writePages(
    with names: RenamedSheets, to staged: StagedSite
  ) throws(PipelineError) -> [String]? {
    guard !areInOwnPages(names) else { return nil }
    let pages = state.files.filter { $0.path.hasByteSuffix(".html") }
    let parts = ParallelWork.run(
      count: pages.count, jobs: options.jobs,
      makeState: { (written: [String](), needsRendering: false, failure: SiteOutputError?.none) }
    ) { position, part in
      guard !part.needsRendering, part.failure == nil else { return }
      let path = SitePath(pages[position].path)
      guard let old = try? FileBytes.read("\(site.output)/\(path.file)"), let new = names.replaced(in: old)
      else { return part.needsRendering = true }
      guard new != old else { return }
      do throws(SiteOutputError) {
        try staged.replace(path, with: new)
        part.written.append(path.file)
      } catch {
        part.failure = error
      }
    }
    if let failure = parts.lazy.compactMap(\.failure).first { throw PipelineError(failure) }
    return parts.contains(where: \.needsRendering) ? nil : parts.flatMap(\.written)
  }
}
