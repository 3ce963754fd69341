import Basics
package import SiteConfig
import SiteOutput

/// A folder on another machine, which rsync reaches, usually through ssh.
///
/// rsync compares and copies the files, because only rsync has access to both sides. A dry run determines the changes first, because
/// rsync's own limit on deletions deletes files up to the limit before it fails (rsync 3.5).
package struct RsyncTarget: PublishTarget {
  private let options: SiteConfig.Publish.Rsync
  private let siteFolder: String
  private let environment: [String: String]

  /// - Parameter environment: the environment for rsync and ssh; `RSYNC_RSH` defines how ssh is started.
  package init(_ options: SiteConfig.Publish.Rsync, siteFolder: String, environment: [String: String]) {
    self.options = options
    self.siteFolder = siteFolder
    self.environment = environment.merging(["LC_ALL": "C"]) { _, own in own }
  }

  package var name: String { options.to }

  /// Files are compared by content, because builds on different machines give them different times. New files are moved into place together
  /// at the end, and then old files are deleted.
  private var arguments: [String] {
    [
      "--recursive", "--perms", "--times", "--checksum", "--delay-updates", "--delete-after",
      // A web server must be able to read the files, whatever the umask on this machine is.
      "--chmod=D755,F644", "--exclude=/\(StagedSite.markerName)",
    ] + Self.hiddenFiles + options.keep.map { "--filter=protect \($0)" }
  }

  /// Hides unpublished files from rsync, on this side only. So the destination loses the ones that an earlier version published.
  ///
  /// The first matching filter decides. A published name is the name of a file: a folder with that name is hidden.
  private static let hiddenFiles =
    ["--filter=show /\(HiddenFiles.publishedFolder)/", "--filter=hide .*/"]
    + HiddenFiles.publishedNames.map { "--filter=show \($0)" } + ["--filter=hide .*"]

  package func compare(_ site: PublishedSite) async throws(PublishError) -> PublishWork {
    let rsync = try ChildProgram(
      "rsync", in: siteFolder, environment: environment,
      advice: "Install rsync.")
    let listing = try site.listing(.sha256)
    let places = ["--", site.folder + "/", options.to]
    let planned = try await rsync.run(
      ["--dry-run", "--8-bit-output", "--out-format=%i %n"] + arguments + places, in: siteFolder,
      environment: environment)
    guard planned.code == 0 else { throw failure(planned) }
    let (difference, deletions) = Self.difference(planned.text, listing)
    return PublishWork(difference) { () async throws(PublishError) in
      site.progress("Copying by rsync", 0, difference.added.count + difference.changed.count)
      // The limit guards against changes at the destination between the two runs.
      let done = try await rsync.run(
        ["--max-delete=\(deletions)"] + arguments + places, in: siteFolder, environment: environment)
      guard done.code == 0 else { throw failure(done) }
    }
  }

  /// Parses rsync's output: each line has eleven letters for the kind of change, a space, and the path; paths of folders end with a slash.
  ///
  /// - Returns: the difference, and the number of files and folders to delete.
  static func difference(_ text: String, _ listing: SiteListing) -> (SiteDifference, deletions: Int) {
    let files = Dictionary(listing.files.map { ($0.path, $0) }) { first, _ in first }
    var (added, changed): ([ListedFile], [ListedFile]) = ([], [])
    var removed: [SitePath] = []
    var deletions = 0
    for line in text.split(separator: "\n") {
      if let path = line.without(bytePrefix: "*deleting") {
        deletions += 1
        let path = path.drop { $0 == " " }
        if !path.hasByteSuffix("/") { removed.append(SitePath(String(path))) }
        continue
      }
      let letters = Array(line.utf8.prefix(11))
      guard letters.count == 11, let file = files[SitePath(String(line.utf8.dropFirst(12)) ?? "")],
        letters[0] == UInt8(ascii: "<") || letters[0] == UInt8(ascii: ">")
      else { continue }
      if letters[2] == UInt8(ascii: "+") { added.append(file) } else { changed.append(file) }
    }
    let unchanged = listing.files.count - added.count - changed.count
    let difference = SiteDifference(
      added: added, changed: changed, removed: removed.sorted(), unchanged: unchanged)
    return (difference, deletions)
  }

  private func failure(_ outcome: ChildProgram.Outcome) -> PublishError {
    let said = outcome.complaint
    let lowered = said.lowercased()
    func says(_ parts: String...) -> Bool { parts.contains { lowered.contains($0) } }
    let kind: PublishError.Kind
    let advice: String
    if says(
      "permission denied (", "host key verification failed", "auth failed", "too many authentication failures"
    ) {
      kind = .access
      advice = "Check that `ssh` connects without a prompt, or that the module grants you access."
    } else if outcome.code == 25 {
      kind = .conflict
      advice =
        "The folder was changed in the meantime, and rsync stopped while deleting files. Publish again to compare with its files."
    } else if says("permission denied", "read-only file system", "no such file or directory", "no space left")
    {
      kind = .configuration
      advice = "Check publish.rsync.to in site.yml and your write permission there."
    } else {
      kind = .network
      advice = "Fix the problem and publish again to resume."
    }
    return PublishError(
      kind, "\(options.to): error: rsync ended with exit code \(outcome.code):\n\(said)\n\(advice)")
  }
}
