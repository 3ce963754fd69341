import Files
import SiteConfig
import UTF8Text

extension SiteFetch {
  /// Reads the archives that site.yml lists, where they are new or have changed since they were read last.
  ///
  /// An archive that was read and is gone is no failure: its threads are in the store, and nobody commits gigabytes of zip.
  func importArchives(_ tasks: [FetchTask], tally: FetchTally) throws(PipelineError) {
    for task in tasks {
      guard case .archive(let source) = task.source, let key = task.key else { continue }
      let path = site.absolute(source.path)
      let known = tally.ledger[key]
      guard let version = ArchiveVersion.of(path) else {
        if known != nil { continue }
        tally.fail(noArchive(task, path), stops: false)
        continue
      }
      // Without a manifest nothing tells whether a folder changed; to import it again changes nothing.
      if !version.isEmpty, known?.version == version { continue }
      do throws(PipelineError) {
        // One that was not imported whole is read again the next time, as what it lacked may be there then.
        guard try importArchive(path, source, tally) else { continue }
        tally.record(SourceLedger.Entry(checkedAt: services.now(), version: version), for: key)
      } catch {
        tally.fail(error, stops: error.kind == .io)
      }
    }
  }

  /// - Returns: whether all of it came in.
  private func importArchive(
    _ path: String, _ source: ThreadSource.Archive, _ tally: FetchTally
  ) throws(PipelineError) -> Bool {
    var archiveOptions = ArchiveOptions(limits: source.limits)
    archiveOptions.copiesMedia = site.config.media != .none
    let place = SiteImport(
      store: site.store, calendar: site.calendar, jobs: jobs, networks: site.networks,
      leavingOut: site.leftOut, progress: progress)
    let summary = try place.importArchive(path, archiveOptions)
    for reason in summary.leftOut { progress(.note("\(path): left out: \(reason)")) }
    for refusal in summary.mediaRefused { progress(.warning(refusal)) }
    if !summary.mediaMissing.isEmpty {
      progress(.note("\(path): \(summary.mediaMissing.count) media files are not in the archive"))
    }
    tally.change {
      $0.added += summary.added
      $0.updated += summary.updated
      $0.unchanged += summary.unchanged
      $0.stayRemoved += summary.stayRemoved
      $0.mediaFetched += summary.mediaCopied
    }
    for failure in summary.problems { tally.fail(PipelineError(.content, [failure]), stops: false) }
    return summary.problems.isEmpty
  }

  private func noArchive(_ task: FetchTask, _ path: String) -> PipelineError {
    let text = "there is no file or folder \(path)"
    let message = task.entry.flatMap { entry in
      site.decoded?.problem(at: "sources[\(entry)]", text, severity: .error).description
    }
    return PipelineError(.content, [message ?? "\(path): error: \(text)"])
  }
}

/// What tells an archive from a newer one at the same place, without reading all of it.
private enum ArchiveVersion {
  /// The end of a zip file, which lists all that is in it with sizes and checksums, in bytes.
  private static let directoryReach = 1 << 20

  /// For a zip file its size and a digest of its end; for a folder one of the manifest that X puts into it. `nil` where there is
  /// neither.
  static func of(_ path: String) -> String? {
    switch FileSystem.kind(of: path) {
    case .nothing: return nil
    case .folder: return ofFolder(path)
    // What cannot be read is for the import to complain of.
    case .link, .other: return ""
    case .file:
      do throws(FileError) {
        let file = try OpenFile(path)
        let start = max(0, file.count - directoryReach)
        return "\(file.count)-\(ContentHash.of(try file.bytes(file.count - start, at: start)))"
      } catch {
        return ""
      }
    }
  }

  private static func ofFolder(_ path: String) -> String {
    for manifest in ["\(path)/data/manifest.js", "\(path)/manifest.js"] {
      if let bytes = try? FileBytes.read(manifest) { return ContentHash.of(bytes) }  // the next, or none
    }
    return ""
  }
}
