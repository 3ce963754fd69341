import ArgumentParser
import Basics
import Foundation
import Intake
import SiteConfig
import SiteWorkspace

/// The threads with which `threadsite init` begins a site.
enum InitSource {
  /// The path of an archive or another file that `threadsite import` reads.
  case archive(String)
  /// The URL of a thread, or the URL or the name of an account.
  case address(String)

  /// - Throws: `ValidationError` for a text that is neither, and for a missing file.
  init(_ text: String) throws {
    let path = text.hasPrefix("~/") ? NSHomeDirectory() + text.dropFirst() : text
    if FileSystem.kind(of: path) != .nothing {
      self = .archive(path)
      return
    }
    let endings = [".zip", ".tar.gz", ".tgz", ".tar", ".car", ".json", ".jsonl"]
    let isPath =
      !text.contains("://")
      && (["/", "./", "../", "~"].contains(where: text.hasPrefix)
        || endings.contains(where: text.lowercased().hasSuffix))
    guard !isPath else {
      throw ValidationError("there is no file \(quoted(text)); check the path of the archive.")
    }
    do {
      _ = try FetchTargets([text])
    } catch let error as ValidationError {
      throw ValidationError(
        "\(error.message) Give the path of an archive, the URL of a thread, or the URL or the name of an account, such as @ada@social.example."
      )
    }
    self = .address(text)
  }

  /// The command that adds these threads later.
  var command: String {
    switch self {
    case .archive(let path):
      "threadsite import '\(URL(filePath: path).standardizedFileURL.path.replacing("'", with: #"'\''"#))'"
    case .address(let address): "threadsite add \(address)"
    }
  }

  /// Limits the process, and imports or fetches the threads.
  func bring(into site: SiteFolder, configFile: String, _ console: Console) throws {
    switch self {
    case .archive(let path):
      try AccessLimit.importing([path], into: site).apply(console)
      var options = ArchiveOptions(limits: ThreadSource.Limits())
      options.copiesMedia = site.config.media != .none
      let summary = try SiteImport(site, jobs: Machine.cores, progress: console.progress).run(
        [path], input: nil, archives: options, files: FileOptions())
      try ImportReport(console).show(summary, isPart: true)
      if summary.failures > 0 { throw ExitCode(PipelineError.Kind.content.exitCode) }
    case .address(let address):
      let targets = try FetchTargets([address])
      try ThreadAddition(
        configFile: configFile, flags: try FetchFlags.parse([]), withReplies: false, console: console,
        isPart: true
      ).run(site, posts: targets.posts, accounts: targets.accounts)
    }
  }
}
