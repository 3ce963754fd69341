import Files
import MediaMirror
import NetworkSources
import ThreadModel
import ThreadStore

extension ArchiveImport {
  /// Copies the files of media that the plan wants, but for those that were copied from an archive before.
  ///
  /// - Returns: what became of each, by its name in the archive; what is damaged or no media is reported, and left out.
  func copyMedia(
    _ plan: any PlannedExport, _ known: StoredPosts, _ summary: inout ArchiveSummary
  ) throws -> [String: ArchivedMedia] {
    guard !plan.mediaWanted.isEmpty else { return [:] }
    let vault = try MediaVault(store: store)
    var files: [String: ArchivedMedia] = [:]
    var wanted = plan.mediaWanted
    for name in plan.mediaWanted {
      guard let file = known.files[name], isStored(file.file) else { continue }
      files[name] = file
      wanted.remove(name)
    }
    summary.mediaKnown = files.count
    let counter = ProgressCounter("Copying media", total: wanted.count, place.progress)
    var disk: MediaError?
    try plan.readMedia(wanted) { name, content in
      defer { counter.advance() }
      guard disk == nil else { return }
      switch Self.keep(content, in: vault) {
      case .success(let stored):
        if stored.isNew {
          summary.mediaCopied += 1
          summary.newMedia.insert(stored.name)
        } else {
          summary.mediaKnown += 1
        }
        files[name] = ArchivedMedia(
          file: stored.name, width: stored.shape.width, height: stored.shape.height,
          durationMilliseconds: stored.shape.durationMilliseconds)
      case .failure(.media(let error)) where error.isOfDisk: disk = error
      case .failure(.media(let error)): summary.mediaRefused.append("\(archive.path): \(name): \(error)")
      case .failure(.archive(let error)): summary.mediaRefused.append(error.description)
      }
    }
    if let disk { throw PipelineError(.io, disk) }
    try vault.flush()
    return files
  }

  /// Whether the store still has a copy; a symbolic link is none.
  private func isStored(_ name: String) -> Bool {
    guard let path = try? store.mediaPath(name) else { return false }  // no name of a copy
    return FileSystem.kind(of: path) == .file
  }

  private enum CopyFailure: Error {
    case archive(ExportError)
    case media(MediaError)
  }

  private static func keep(
    _ content: any EntryBytes, in vault: MediaVault
  ) -> Result<StoredMedia, CopyFailure> {
    do throws(MediaError) {
      var writer = try vault.begin()
      while true {
        let piece: UnsafeRawBufferPointer?
        do throws(ExportError) {
          piece = try content.next()
        } catch {
          return .failure(.archive(error))
        }
        guard let piece else { return .success(try writer.finish()) }
        try writer.write(piece)
      }
    } catch {
      return .failure(.media(error))
    }
  }
}

extension MediaError {
  /// Whether the store's disk is to blame, and not the file.
  fileprivate var isOfDisk: Bool {
    switch self {
    case .file, .store: true
    default: false
    }
  }
}
