import Basics
import SiteOutput
import SiteWorkspace

/// A build after changes that only concern style sheets whose published names do not depend on their contents. No page changes.
///
/// The style sheets are put in place before the other files of the site are compared with the previous build, which takes longer.
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

  /// Updates the site.
  ///
  /// - Parameter whenInPlace: called when the files are in place, before the data for the next build are saved.
  /// - Returns: the outcome; `nil` if more than style sheets may have changed. Another build is then necessary, which also reports all problems.
  func run(_ whenInPlace: (BuildSummary) -> Void) throws(PipelineError) -> BuildCache.Outcome? {
    guard !options.namesStyleSheetsByContent, cache.hasOnlyRecords(of: state), let digests,
      state.digests?.differOnlyInStyleSheets(from: digests) == true, cache.isPublished(state, inputs),
      let sheets = changedSheets()
    else { return nil }
    let isKnownIntact = cache.isKnownIntact(state)
    let written = Set(sheets.map(\.path.file))
    let places = written.union(StagedSite.folders(of: written))
    guard cache.isIntact(state, jobs: options.jobs, where: { places.contains($0) }) else { return nil }
    return try StagingFolder(of: site, options).use { (staged) throws(PipelineError) -> BuildCache.Outcome? in
      try withOutput { () throws(SiteOutputError) in
        cache.noteChange()
        for sheet in sheets { try staged.write(sheet.bytes, to: sheet.path) }
        try staged.update(removing: [])
      }
      let outcome = cache.outcome(of: state, inputs)
      whenInPlace(outcome.summary)
      var changes = BuildCache.Changes()
      changes.written = written
      guard isKnownIntact || cache.isIntact(state, jobs: options.jobs, where: { !places.contains($0) }) else {
        return nil
      }
      cache.save(changes, to: state, digests, records: nil)
      return outcome
    }
  }

  /// Returns the style sheets that differ from those of the site; `nil` if more than their contents changes, or if the theme cannot be
  /// loaded.
  private func changedSheets() -> [(path: SitePath, bytes: [UInt8])]? {
    let loader = ThemeLoader(
      site: site, installation: installation, namesStyleSheetsByContent: false, progress: { _ in })
    guard let theme = try? loader.load().theme else { return nil }
    let sheets = theme.assets.filter { $0.name.hasByteSuffix(".css") }
    guard Set(sheets.map(\.path.urlText)) == Set(state.environment.sheets.values) else { return nil }
    var changed: [(path: SitePath, bytes: [UInt8])] = []
    for sheet in sheets {
      guard case .text(let new) = sheet.content,
        FileSystem.kind(of: "\(site.staticFolder)/\(sheet.path.file)") == .nothing,
        let old = try? FileBytes.read("\(site.output)/\(sheet.path.file)")
      else { return nil }
      guard !old.elementsEqual(new) else { continue }
      // Other warnings do not depend on style sheets.
      let uses = loader.blockedUses
      guard uses.inStyleSheet(Array(old)) == uses.inStyleSheet(new) else { return nil }
      changed.append((sheet.path, new))
    }
    return changed
  }
}
