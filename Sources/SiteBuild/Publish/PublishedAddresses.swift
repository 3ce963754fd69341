import Basics
import SiteOutput
package import SiteWorkspace

/// The URLs of a built site's threads, which become permanent when the site is published.
///
/// A build notes them beside its cache (``SiteFolder/builtPermalinksFile``). They are added to the store's record, which is committed with
/// the store, so that every clone and every CI machine builds the same URLs.
package struct PublishedAddresses {
  private let site: SiteFolder
  private let progress: ProgressHandler

  package init(_ site: SiteFolder, progress: @escaping ProgressHandler) {
    self.site = site
    self.progress = progress
  }

  /// Returns the number of threads whose URLs are not recorded yet.
  func count() throws(PipelineError) -> Int {
    guard let new = newRecord() else { return 0 }
    let old = try site.threadStore.permalinks()
    return old.adding(new).count(besides: old)
  }

  /// Records the URLs of all threads that the site shows.
  ///
  /// Existing entries stay, whether or not their threads are on the site.
  ///
  /// - Parameter isRequired: whether the record is what the user asked for. After publishing, it is not: the site is already published, so a
  ///   store that is not writable causes only a warning. A full disk is always an error.
  /// - Returns: the number of threads with new URLs.
  package func record(isRequired: Bool) throws(PipelineError) -> Int {
    guard let new = newRecord() else {
      let text =
        "the URLs of the site's threads were not recorded as published, because data of its build are missing. They can still change with "
        + "the titles; run `threadsite build` and publish again."
      guard !isRequired else { throw PipelineError(.content, ["error: \(text)"]) }
      progress(.warning(text))
      return 0
    }
    AtomicFile.removeAbandoned(in: site.store)
    let old = try site.threadStore.permalinks()
    let merged = old.adding(new)
    guard merged != old else { return 0 }
    do {
      try AtomicFile.write(merged.bytes, to: "\(site.store)/\(Permalinks.fileName)")
    } catch {
      let text =
        "The URLs of the site's threads were not recorded as published, so they can still change with the titles."
      guard error.kind == .forbidden, !isRequired else { throw PipelineError(.io, ["\(error)\n\(text)"]) }
      progress(.warning("\(error)\n\(text)"))
      return 0
    }
    return merged.count(besides: old)
  }

  /// Returns the URLs of the threads that the output folder shows. After a build that was killed, the noted URLs may belong to another site
  /// than the one in the folder.
  private func newRecord() -> Permalinks? {
    site.builtPermalinks?.filtered { FileSystem.kind(of: "\(site.output)/\($0.file)") == .file }
  }
}
