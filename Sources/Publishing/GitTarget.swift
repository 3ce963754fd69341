import Basics
import Foundation
package import HTTPTransport
package import SiteConfig
import SiteOutput

/// A branch of a git repository, such as one that a forge publishes.
///
/// The commit is made in a separate bare repository and pushed from there, so the owner's work tree, index, branches and stashes are never
/// touched. Only the tip of the branch is fetched, and only if it is not known yet. Files that the branch already contains are referenced
/// by their ids and not read.
package struct GitTarget: PublishTarget {
  private let options: SiteConfig.Publish.Git
  private let siteFolder: String
  private let environment: [String: String]
  private let token: Secret?
  private let announce: @Sendable ([Secret]) -> Void

  /// - Parameters:
  ///   - siteFolder: the folder of site.yml, whose repository defines the remote's name and how to reach it.
  ///   - environment: the environment for git and the programs that it starts, without credentials for other services.
  ///   - token: the token for https; `nil` for none.
  ///   - announce: receives the credentials that are found in git's settings, so that they are masked wherever messages are printed.
  package init(
    _ options: SiteConfig.Publish.Git, siteFolder: String, environment: [String: String],
    token: Secret? = nil,
    announce: @escaping @Sendable ([Secret]) -> Void = { _ in }
  ) {
    self.options = options
    self.siteFolder = siteFolder
    self.environment = environment
    self.token = token
    self.announce = announce
  }

  package var name: String { "the branch \(options.branch) of \(options.remote)" }

  private var branchReference: String { "refs/heads/\(options.branch)" }
  /// The reference to the tip of the branch in our repository.
  private static let tip = "refs/threadsite/tip"
  /// The reference to the new commit until it is pushed.
  private static let next = "refs/threadsite/next"

  package func compare(_ site: PublishedSite) async throws(PublishError) -> PublishWork {
    let git = try ChildProgram(
      "git", in: siteFolder, environment: environment,
      advice: "Install git.")
    let owner = Git(program: git, folder: siteFolder, repository: nil, environment: ownEnvironment)
    let settings = try await settings(of: owner)
    let remote = try await resolveRemote(owner, settings)
    let connection = try GitConnection(to: remote.url, settings, token: token)
    announce(connection.secrets)
    let repository = "\(site.state)/git"
    guard let lock = try withFiles({ () throws(FileError) in try FolderLock.take(repository) }) else {
      throw PublishError(
        .conflict, "error: this site is already being published. Try again when that has finished.")
    }
    var connected = ownEnvironment
    connection.apply(to: &connected)
    let ours = Git(program: git, folder: remote.folder, repository: repository, environment: connected)
    try await refuseBranchOfOwner(owner, remote)
    let tip = try await fetchTip(ours, connection, repository)
    let digest: FileDigest =
      try await ours.line("rev-parse", "--show-object-format") == "sha256" ? .gitSHA256 : .gitSHA1
    let listing = try site.listing(digest)
    var there = try await tree(of: tip, ours)
    // A forge keeps the site's domain in this file of the branch; a push without it would remove the domain.
    let isKept: (SitePath) -> Bool = { $0 == "CNAME" && !listing.files.contains { $0.path == "CNAME" } }
    let kept = there.filter { isKept($0.key) }
    for path in kept.keys { there[path] = nil }
    let difference = SiteDifference(of: listing, from: there)
    let commit = GitCommit(
      parent: options.history ? tip : nil, author: try await author(owner), message: options.message,
      listing: listing, kept: kept, known: Set(there.values))
    return PublishWork(difference) { () throws(PublishError) in
      defer { withExtendedLifetime(lock) {} }
      let made = try await make(commit, ours, site.progress)
      try await push(made, over: tip, ours, connection)
    }
  }

  // MARK: Settings

  /// The environment without variables, set by a hook or an outer git, that would make git work on a different repository.
  private var ownEnvironment: [String: String] {
    var result = environment
    for name in [
      "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
      "GIT_ALTERNATE_OBJECT_DIRECTORIES",
      "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_QUARANTINE_PATH",
    ] { result[name] = nil }
    // English messages, because they are searched for known errors.
    result["LC_ALL"] = "C"
    if isatty(STDIN_FILENO) == 0, result["GIT_TERMINAL_PROMPT"] == nil { result["GIT_TERMINAL_PROMPT"] = "0" }
    return result
  }

  private struct Remote {
    /// The URL, which may contain a password.
    let url: String
    /// The base folder of a relative path.
    let folder: String
    /// Whether `url` comes from a named remote of the owner's repository.
    let isNamed: Bool
  }

  /// Returns git's settings for the owner's repository, or those of the user and the system outside of a repository.
  private func settings(of owner: Git) async throws(PublishError) -> GitSettings {
    let list = try await owner.run("config", "--list", "--show-scope", "-z")
    return GitSettings(list.code == 0 ? list.output : [])
  }

  private func resolveRemote(_ owner: Git, _ settings: GitSettings) async throws(PublishError) -> Remote {
    let remote = options.remote
    if remote.contains(":") || remote.contains("/") || remote == "." || remote == ".." {
      // A text that is neither a URL nor `host:path` is a path relative to the site's folder.
      let isPath = !remote.contains("://") && !remote.prefix { $0 != "/" }.contains(":")
      let url = isPath && !remote.hasPrefix("/") ? "\(siteFolder)/\(remote)" : remote
      return Remote(url: settings.rewritten(url), folder: siteFolder, isNamed: false)
    }
    let top = try await owner.run("rev-parse", "--show-toplevel")
    let url = try await owner.run("remote", "get-url", "--push", "--", remote)
    guard top.code == 0, url.code == 0, !url.text.isEmpty else {
      throw PublishError(
        .configuration,
        "site.yml: error: publish.git.remote is \(quoted(remote)), but \(siteFolder) is not in a git repository with a remote of that name. "
          + "Use a URL or a path, or add the remote with `git remote add \(remote) …`.")
    }
    return Remote(url: url.line, folder: top.line, isNamed: true)
  }

  /// Throws if the branch is the one that contains the sources of the site.
  private func refuseBranchOfOwner(_ owner: Git, _ remote: Remote) async throws(PublishError) {
    guard remote.isNamed else { return }
    let head = try await owner.run("symbolic-ref", "--quiet", "--short", "HEAD")
    guard head.code != 0 || head.line != options.branch else { throw isBranchOfSources() }
  }

  private func isBranchOfSources() -> PublishError {
    PublishError(
      .configuration,
      "site.yml: error: publish.git.branch is \(quoted(options.branch)), the branch with the sources of the site, which publishing would replace. "
        + "Use a separate branch, such as gh-pages.")
  }

  private func author(_ owner: Git) async throws(PublishError) -> String {
    if let author = options.author { return author }
    func setting(_ variable: String, _ key: String) async throws(PublishError) -> String? {
      if let value = environment[variable], !value.isEmpty { return value }
      let found = try await owner.run("config", key)
      return found.code == 0 && !found.line.isEmpty ? found.line : nil
    }
    guard let name = try await setting("GIT_COMMITTER_NAME", "user.name"),
      let address = try await setting("GIT_COMMITTER_EMAIL", "user.email")
    else { return "threadsite <threadsite@localhost>" }
    let isPlain: (Character) -> Bool = { !"<>\n\0".contains($0) }
    return "\(name.filter(isPlain)) <\(address.filter(isPlain))>"
  }

  // MARK: The published files

  /// - Returns: the commit at the tip of the branch, which our repository then contains; `nil` if the branch does not exist.
  private func fetchTip(
    _ git: Git, _ remote: GitConnection, _ repository: String
  ) async throws(PublishError) -> String? {
    let listed = try await git.run(withoutRepository: "ls-remote", "--", remote.url, branchReference)
    guard listed.code == 0 else { throw failure(listed, doing: "read", remote) }
    var tip: String?
    for line in listed.text.split(separator: "\n") {
      let words = line.split(separator: "\t").map(String.init)
      if words.count == 2, words[1] == branchReference { tip = words[0] }
    }
    let format = tip?.utf8.count == 64 ? "sha256" : "sha1"
    if FileSystem.kind(of: repository + "/HEAD") == .file,
      try await git.run("rev-parse", "--show-object-format").line != format, tip != nil
    {
      try withFiles { () throws(FileError) in try Self.empty(repository) }
    }
    if FileSystem.kind(of: repository + "/HEAD") != .file {
      try await git.done(
        "init", "--quiet", "--bare", "--template=", "--object-format=\(format)",
        for: "make the repository \(repository)")
    }
    guard let tip else { return nil }
    if try await git.run("cat-file", "-e", "\(tip)^{tree}").code == 0 { return tip }
    let fetched = try await git.run(
      "fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", "--", remote.url,
      "+\(branchReference):\(Self.tip)")
    guard fetched.code == 0 else { throw failure(fetched, doing: "fetch from", remote) }
    // The branch may have moved since it was listed.
    return try await git.line("rev-parse", "--verify", Self.tip)
  }

  private func tree(of tip: String?, _ git: Git) async throws(PublishError) -> [SitePath: String] {
    guard let tip else { return [:] }
    let listed = try await git.done("ls-tree", "-r", "-z", tip, for: "list the branch \(options.branch)")
    var files: [SitePath: String] = [:]
    for entry in listed.output.split(separator: 0) {
      // The format is `<mode> <type> <object>`, a tab, and the path.
      guard let tab = entry.firstIndex(of: 9) else { continue }
      let words = entry[..<tab].split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 3 else { continue }
      let path = SitePath(String(decoding: entry[(tab + 1)...], as: UTF8.self))
      // For a symbolic link or a submodule the mode is stored, which never equals a file's digest.
      files[path] = words[0].hasPrefix("100") ? words[2] : words[0]
      if path == "site.yml" { throw isBranchOfSources() }
    }
    return files
  }

  // MARK: Publishing

  /// - Returns: the id of the new commit.
  private func make(_ commit: GitCommit, _ git: Git, _ progress: @escaping PublishProgress)
    async throws(PublishError) -> String
  {
    // If an earlier run left this reference, it would become the parent of the commit.
    _ = try await git.run("update-ref", "-d", Self.next)
    let reference = Self.next
    let imported = try await git.run(["fast-import", "--quiet", "--done", "--date-format=raw"]) { handle in
      try commit.write(to: reference, handle, progress)
    }
    guard imported.code == 0 else {
      throw PublishError(.io, "error: git could not make the commit: \(imported.complaint)")
    }
    let made = try await git.line("rev-parse", "--verify", Self.next)
    // The digest of a file that was changed while it was read differs from the listing.
    let tree = try await tree(of: made, git)
    for file in commit.listing.files where tree[file.path] != file.digest {
      throw PublishError.changedMeanwhile(commit.listing.location(of: file))
    }
    return made
  }

  private func push(
    _ commit: String, over tip: String?, _ git: Git, _ remote: GitConnection
  ) async throws(PublishError) {
    let pushed = try await git.run(
      "push", "--porcelain", "--force-with-lease=\(branchReference):\(tip ?? "")", "--", remote.url,
      "\(commit):\(branchReference)")
    guard pushed.code == 0 else {
      if pushed.text.contains("(stale info)") || pushed.text.contains("(fetch first)")
        || pushed.text.contains("(non-fast-forward)")
      {
        throw PublishError(
          .conflict,
          "\(remote.url): error: the branch \(options.branch) was changed while the site was being published, so it was not updated. Publish again "
            + "to compare with its files.")
      }
      throw failure(pushed, doing: "push to", remote)
    }
    try await git.done("update-ref", Self.tip, commit, for: "record the published commit")
    _ = try await git.run("update-ref", "-d", Self.next)
    try await deleteFormerSites(before: commit, git)
  }

  /// Deletes the objects of earlier sites from our repository, because they may contain texts that were removed since. The next commit needs
  /// only the latest one.
  ///
  /// - Throws: if the contents of the repository cannot be deleted either. Failures and interruptions of git are ignored, because the site is
  ///   published.
  private func deleteFormerSites(before commit: String, _ git: Git) async throws(PublishError) {
    guard let repository = git.repository else { return }
    do {
      // From now on, git considers the commit to have no parents here.
      try AtomicFile.write(Array("\(commit)\n".utf8), to: repository + "/shallow")
      // The user's settings might keep objects.
      let outcome = try await git.run(
        "-c", "gc.reflogExpire=now", "-c", "gc.reflogExpireUnreachable=now", "-c", "gc.bigPackThreshold=0",
        "gc", "--quiet", "--prune=now")
      if outcome.code == 0 { return }
    } catch {
      // The repository is emptied instead.
    }
    try withFiles { () throws(FileError) in try Self.empty(repository) }
  }

  /// Deletes the contents of our repository. The next run creates it again.
  private static func empty(_ repository: String) throws(FileError) {
    for name in try FileSystem.names(in: repository) { try FileSystem.remove(repository + "/" + name) }
  }

  /// Returns an error with git's messages and advice.
  private func failure(
    _ outcome: ChildProgram.Outcome, doing: String, _ remote: GitConnection
  ) -> PublishError {
    let rejected = outcome.text.split(separator: "\n").filter { $0.hasPrefix("!") }.map { line in
      String(line.split(separator: "\t").last ?? "")
    }
    let said = remote.redaction(
      ([outcome.complaint] + rejected).filter { !$0.isEmpty }.joined(separator: "\n"))
    let lowered = said.lowercased()
    func says(_ parts: String...) -> Bool { parts.contains { lowered.contains($0) } }
    let kind: PublishError.Kind
    let advice: String
    if says(
      "permission denied", "authentication failed", "could not read username", "could not read password")
      || says("terminal prompts disabled", "error: 401", "error: 403", "host key verification")
    {
      kind = .access
      advice = "Check that git may push there, or set publish.git.token_env."
    } else if ["301", "302", "303", "307", "308"].contains(where: { says("returned error: \($0)") }) {
      kind = .configuration
      advice =
        "The server redirects to another URL, and credentials are sent only to the URL of the remote. Use the new URL in publish.git.remote or `git remote set-url`."
    } else if says("hook declined", "remote rejected", "protected branch", "pre-receive") {
      kind = .access
      advice = "The server rejected the branch \(options.branch); its message is above."
    } else if says("could not resolve host", "connection", "timed out", "unable to access") {
      kind = .network
      advice = "Check the connection to the server and publish again."
    } else if says("not found", "does not appear to be a git repository", "does not exist") {
      kind = .configuration
      advice = "Check publish.git.remote in site.yml."
    } else {
      kind = .network
      advice = "Fix the problem and publish again."
    }
    return PublishError(kind, "\(remote.url): error: git could not \(doing) the remote:\n\(said)\n\(advice)")
  }
}

/// Runs git in one repository.
private struct Git: Sendable {
  let program: ChildProgram
  /// The working directory.
  let folder: String
  /// The path of the repository; `nil` for the repository that contains the folder.
  let repository: String?
  let environment: [String: String]

  func run(_ arguments: String...) async throws(PublishError) -> ChildProgram.Outcome {
    try await run(arguments, input: nil)
  }

  func run(
    _ arguments: [String], input: ChildProgram.Input?
  ) async throws(PublishError) -> ChildProgram.Outcome {
    // Objects of our repository are deleted after a publication, and not meanwhile.
    let options = repository.map {
      [
        "--git-dir=\($0)", "-c", "core.logAllRefUpdates=false", "-c", "gc.auto=0", "-c",
        "maintenance.auto=false",
      ]
    }
    return try await program.run(
      (options ?? []) + arguments, in: folder, environment: environment, input: input)
  }

  /// Runs a command that does not need a repository and would fail with one that does not exist yet.
  func run(withoutRepository arguments: String...) async throws(PublishError) -> ChildProgram.Outcome {
    try await program.run(arguments, in: folder, environment: environment)
  }

  @discardableResult
  func done(_ arguments: String..., for purpose: String) async throws(PublishError) -> ChildProgram.Outcome {
    let outcome = try await run(arguments, input: nil)
    guard outcome.code == 0 else {
      throw PublishError(.io, "error: git could not \(purpose): \(outcome.complaint)")
    }
    return outcome
  }

  func line(_ arguments: String...) async throws(PublishError) -> String {
    let outcome = try await run(arguments, input: nil)
    guard outcome.code == 0 else {
      throw PublishError(.io, "error: git \(arguments.joined(separator: " ")) failed: \(outcome.complaint)")
    }
    return outcome.line
  }
}

extension ChildProgram.Outcome {
  fileprivate var line: String { String(text.prefix { $0 != "\n" }) }
}

/// A commit whose tree consists of the site and the kept files, written as a stream for `git fast-import`.
private struct GitCommit: Sendable {
  let parent: String?
  /// In the form `Name <address>`.
  let author: String
  let message: String
  let listing: SiteListing
  /// Files of the branch that are kept, with their object ids.
  let kept: [SitePath: String]
  /// Ids of objects that the repository contains.
  let known: Set<String>

  func write(to reference: String, _ handle: FileHandle, _ progress: PublishProgress) throws {
    var text =
      "commit \(reference)\nauthor \(author) \(seconds) +0000\ncommitter \(author) \(seconds) +0000\n"
    text += "data \(message.utf8.count)\n\(message)\n"
    if let parent { text += "from \(parent)\n" }
    text += "deleteall\n"
    for (path, object) in kept.sorted(by: { $0.key < $1.key }) {
      text += "M 100644 \(object) \(Self.name(path))\n"
    }
    var known = known
    let total = listing.files.count { !known.contains($0.digest) }
    var done = 0
    for file in listing.files {
      if known.contains(file.digest) {
        text += "M 100644 \(file.digest) \(Self.name(file.path))\n"
      } else {
        let path = listing.location(of: file)
        let bytes = try withFiles { () throws(FileError) in try FileBytes.read(path) }
        guard bytes.count == file.size else { throw PublishError.changedMeanwhile(path) }
        try handle.write(
          contentsOf: Data("\(text)M 100644 inline \(Self.name(file.path))\ndata \(bytes.count)\n".utf8))
        try handle.write(contentsOf: Data(bytes))
        text = "\n"
        known.insert(file.digest)
        done += 1
        progress("Adding files", done, total)
      }
      if text.utf8.count > 60_000 {
        try handle.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    try handle.write(contentsOf: Data((text + "\ndone\n").utf8))
  }

  private var seconds: Int { Int(Date().timeIntervalSince1970) }

  /// Returns a path for `fast-import`; paths that contain a line break or begin with a quotation mark are quoted.
  private static func name(_ path: SitePath) -> String {
    guard path.text.hasPrefix("\"") || path.text.utf8.contains(0x0A) else { return path.text }
    let escaped = path.text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
      "\n", with: "\\n")
    return "\"\(escaped)\""
  }
}
