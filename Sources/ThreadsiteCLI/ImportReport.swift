import Basics
import Intake
import SiteWorkspace

/// The report on an import.
struct ImportReport {
  private let console: Console

  init(_ console: Console) { self.console = console }

  /// - Parameter isPart: whether the import is part of another command, which writes the summary.
  func show(_ summary: ImportSummary, isPart: Bool = false) throws {
    for archive in summary.archives { warn(archive) }
    for reason in summary.refusals { console.error(reason) }
    var lines = summary.archives.map(Self.words)
    lines += summary.leftOut.words.map { "skipped in files: \($0)" }
    let counts = "\(summary.added) new, \(summary.updated) updated, \(summary.unchanged) unchanged"
    let files = summary.files > 0 ? [Count.text(summary.files, "file")] : []
    let archives = summary.archives.isEmpty ? [] : [Count.text(summary.archives.count, "archive")]
    let sources = (files + archives).joined(separator: " and ")
    lines.append(
      "\(Count.text(summary.posts, "post")) read from \(sources.isEmpty ? "no file" : sources); "
        + "\(Count.text(summary.conversations, "conversation")) (\(counts)) in \(summary.store)")
    if summary.stayRemoved > 0 { lines.append(FetchReport.removed(summary.stayRemoved)) }
    if !summary.archives.isEmpty, summary.added + summary.updated > 0 {
      lines.append(
        "Before you publish these threads, look for personal data with `threadsite review`.")
    }
    guard !isPart else { return console.inform(lines.joined(separator: "\n")) }
    try console.finish(lines.joined(separator: "\n"), json: Self.json(summary))
  }

  // MARK: Messages

  private func warn(_ archive: ArchiveSummary) {
    if !archive.mediaMissing.isEmpty {
      console.progress(
        .warning(
          "\(Count.text(archive.mediaMissing.count, "media file")) of these threads "
            + "\(archive.mediaMissing.count == 1 ? "is" : "are") not in the archive (\(Self.some(archive.mediaMissing))): "
            + archive.withoutMedia))
    }
    if archive.shortfalls.isEmpty, !archive.unexplained.isEmpty {
      console.progress(
        .warning(
          "\(Count.text(archive.unexplained.count, "post")) of an older archive "
            + "\(archive.unexplained.count == 1 ? "is" : "are") not in this one (\(Self.some(archive.unexplained))), and "
            + "whether \(archive.unexplained.count == 1 ? "it was" : "they were") deleted is unknown: "
            + archive.doubts.joined(separator: "; ")))
    }
    if !archive.vanished.isEmpty, !archive.isPruned {
      console.progress(
        .warning(
          "\(Count.text(archive.vanished.count, "post")) of an older archive "
            + "\(archive.vanished.count == 1 ? "is" : "are") not in this one (\(Self.some(archive.vanished))), which means that "
            + "\(archive.vanished.count == 1 ? "it was" : "they were") deleted in the meantime; remove "
            + "\(archive.vanished.count == 1 ? "it" : "them") from the store with --prune"))
    }
    // These are last, because there may be more of them than the console prints.
    for message in archive.mediaRefused { console.progress(.warning("\(message); skipped")) }
  }

  private static func some(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
  }

  private static func words(_ archive: ArchiveSummary) -> String {
    var lines = [
      "\(archive.path): \(Count.text(archive.posts, "post")), "
        + "\(Count.text(archive.threads, "thread")) of \(Count.text(archive.postsInThreads, "post"))"
    ]
    lines.append(
      "  media: \(Count.grouped(archive.mediaCopied)) copied, \(Count.grouped(archive.mediaKnown)) already here, "
        + "\(Count.grouped(archive.mediaMissing.count)) missing, \(Count.grouped(archive.mediaRefused.count)) refused"
    )
    if archive.isPruned {
      lines.append("  removed: \(Count.text(archive.vanished.count, "post")) that the archive no longer has")
    }
    for reason in archive.leftOut { lines.append("  skipped: \(reason)") }
    if let unread = archive.neverOpened { lines.append("  not read: \(unread)") }
    return lines.joined(separator: "\n")
  }

  // MARK: JSON output

  private static func json(_ summary: ImportSummary) -> [String: JSONValue] {
    [
      "files": .integer(Int64(summary.files)), "posts": .integer(Int64(summary.posts)),
      "conversations": .integer(Int64(summary.conversations)), "added": .integer(Int64(summary.added)),
      "updated": .integer(Int64(summary.updated)), "unchanged": .integer(Int64(summary.unchanged)),
      "stay_removed": .integer(Int64(summary.stayRemoved)),
      "left_out": strings(summary.refusals + summary.leftOut.words),
      "reposts": .integer(Int64(summary.leftOut.reposts)),
      "originals": .integer(Int64(summary.leftOut.originals)), "store": .string(summary.store),
      "archives": .array(summary.archives.map(json)),
    ]
  }

  private static func json(_ archive: ArchiveSummary) -> JSONValue {
    [
      "path": .string(archive.path), "posts": .integer(Int64(archive.posts)),
      "threads": .integer(Int64(archive.threads)),
      "posts_in_threads": .integer(Int64(archive.postsInThreads)),
      "long_posts": .integer(Int64(archive.notes)), "media_copied": .integer(Int64(archive.mediaCopied)),
      "media_known": .integer(Int64(archive.mediaKnown)), "media_missing": strings(archive.mediaMissing),
      "media_refused": strings(archive.mediaRefused), "left_out": strings(archive.leftOut),
      "whole": .bool(archive.shortfalls.isEmpty),
      "expected_posts": archive.expectedPosts.map { .integer(Int64($0)) } ?? .null,
      "shortfalls": strings(archive.shortfalls), "doubts": strings(archive.doubts),
      "unexplained": strings(archive.unexplained), "vanished": strings(archive.vanished),
      "pruned": .bool(archive.isPruned),
    ]
  }

  private static func strings(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
}
