import Basics
import Foundation
package import HTTPTransport
import NetworkSources
package import Publishing
package import SiteConfig
import SiteOutput
package import SiteWorkspace

/// `threadsite publish`: publishes the built site to the targets in site.yml: the site's files to one place, and records about its threads
/// to a repository of the AT Protocol.
///
/// Before anything is changed at the target, three things are checked: whether the site is complete and free of errors, which files would
/// change, and how many would be deleted.
package struct SitePublication: Sendable {
  package struct Options: Sendable {
    /// Whether only the differences are reported.
    package var isDryRun = false
    /// Whether a site is not published if `threadsite check` finds errors in it.
    package var checks = true
    /// A limit that replaces `publish.max_deletes`.
    package var deletionLimit: DeletionLimit?
    /// Whether a site with drafts is published.
    package var allowsDrafts = false
    /// Whether files in a folder that were not published by threadsite are replaced.
    package var replacesForeign = false
    package var jobs: Int

    package init(jobs: Int) { self.jobs = jobs }
  }

  /// The result of publishing, or of a dry run.
  package struct Report: Sendable {
    /// The description of the target.
    package let place: String
    /// The name of one item at the target.
    package let unit: String
    /// `nil` if the target cannot determine the difference.
    package let difference: SiteDifference?
    /// Whether the site was published, or there was nothing to do.
    package let isPublished: Bool
    /// The number of threads whose URLs were recorded as published; in a dry run, of those that would be.
    package let recorded: Int
  }

  /// More files would be deleted than the limit allows. Nothing was changed.
  package struct TooManyDeletions: Error, Sendable {
    /// A complete message.
    package let message: String
    package let removed: [String]
  }

  private let site: SiteFolder
  private let installation: Installation?
  private let options: Options
  private let environment: [String: String]
  private let transport: any HTTPTransport
  private let records: @Sendable () throws -> SiteRecords
  private let progress: ProgressHandler

  /// - Parameters:
  ///   - environment: the variables with the credentials, also used for child programs.
  ///   - transport: for targets that are accessed by HTTP.
  ///   - records: makes the records about the site's threads; called only if a target needs them.
  package init(
    _ site: SiteFolder, installation: Installation?, options: Options, environment: [String: String],
    transport: any HTTPTransport, records: @escaping @Sendable () throws -> SiteRecords,
    progress: @escaping ProgressHandler
  ) {
    self.records = records
    self.site = site
    self.installation = installation
    self.options = options
    self.environment = environment
    self.transport = RetryingTransport(
      transport, announce: { progress(.waiting($0.reason, secondsLeft: $0.secondsLeft)) })
    self.progress = progress
  }

  /// - Returns: a report for each target, the site's files first.
  /// - Throws: `PipelineError` or `TooManyDeletions`.
  package func run() async throws -> [Report] {
    let place = try target()
    let password = try password()
    let hold = try held()
    defer { withExtendedLifetime(hold) {} }
    site.removeAbandonedFiles()
    warnOfHiddenFiles()
    guard options.allowsDrafts || !BuiltDrafts(of: site).includes(site.output) else {
      throw PipelineError(
        .content,
        [
          "\(site.output): error: the site has drafts, because it was built with --drafts. Run `threadsite build`, or publish the drafts with --drafts."
        ])
    }
    try checkSite()
    let published = PublishedSite(
      folder: site.output, basePath: site.config.baseURL?.path ?? "/", state: state, jobs: options.jobs
    ) { [progress] step, done, total in
      progress(.step(step, done: done, total: total))
    }
    var targets = [place].compactMap(\.self)
    if let atproto = site.config.publish?.atproto {
      targets.append(
        AtprotoTarget(atproto, records: try records(), password: password, transport: transport))
    }
    let addresses = PublishedAddresses(site, progress: progress)
    // All targets are compared before the first is changed: a mistake in the settings of one changes none.
    var works: [PublishWork] = []
    for target in targets { works.append(try await compare(published, with: target)) }
    var reports: [Report] = []
    for (target, work) in zip(targets, works) {
      let hasWork = work.difference?.isEmpty != true
      if hasWork, !options.isDryRun {
        do {
          try await carryOut(work, at: target)
        } catch {
          let done = reports.filter { $0.difference?.isEmpty != true }.map(\.place)
          if !done.isEmpty {
            progress(.note("\(done.joined(separator: " and ")) was published before this error."))
          }
          throw error
        }
      }
      // Pages are published once the first target has them.
      let recorded =
        reports.isEmpty
        ? try options.isDryRun ? addresses.count() : addresses.record(isRequired: false) : 0
      reports.append(
        Report(
          place: target.name, unit: target.unit, difference: work.difference,
          isPublished: !hasWork || !options.isDryRun, recorded: recorded))
    }
    return reports
  }

  /// Compares the site with a target, and checks the limits of its changes.
  private func compare(_ site: PublishedSite, with target: any PublishTarget) async throws -> PublishWork {
    do {
      let work = try await target.compare(site)
      if let difference = work.difference {
        try refuseEmptySite(difference)
        if !options.isDryRun { try allow(difference, at: target) }
      }
      return work
    } catch let error as PublishError {
      throw PipelineError(error)
    }
  }

  private func carryOut(_ work: PublishWork, at target: any PublishTarget) async throws {
    do {
      try Task.checkCancellation()
      try await work.carryOut().get()
    } catch let error as PublishError {
      throw PipelineError(error)
    } catch is CancellationError {
      throw PipelineError(.interrupted, ["error: nothing was published to \(target.name)."])
    }
  }

  /// Records the URLs of the site's threads as published, for a site that another program publishes.
  ///
  /// - Returns: the number of threads with new URLs; in a dry run, of those that would be recorded.
  package func recordAddresses() throws(PipelineError) -> Int {
    let hold = try held()
    defer { withExtendedLifetime(hold) {} }
    warnIfOutOfDate("Its URLs are recorded")
    let addresses = PublishedAddresses(site, progress: progress)
    return try options.isDryRun ? addresses.count() : addresses.record(isRequired: true)
  }

  /// The folder for data between runs, which may be deleted.
  private var state: String { site.path + "/.threadsite/publish" }

  // MARK: The site

  private func held() throws(PipelineError) -> SiteHold {
    guard FileSystem.kind(of: "\(site.output)/\(StagedSite.markerName)") == .file else {
      let exists = FileSystem.kind(of: site.output) != .nothing
      throw PipelineError(
        .content,
        [
          exists
            ? "\(site.output): error: threadsite did not build what is in this folder, so it is not published; `threadsite build` makes the site."
            : "\(site.output): error: there is no site to publish; run `threadsite build` first."
        ])
    }
    return try withOutput { () throws(SiteOutputError) in try StagedSite.hold(output: site.output) }
  }

  /// Warns of hidden files in the output folder, because builds do not put them there.
  private func warnOfHiddenFiles() {
    let paths = FileTree(site.output).files.lazy.map(\.path).filter { $0 != StagedSite.markerName }
    if let warning = HiddenFiles.warning(about: paths, in: site.output) { progress(.warning(warning)) }
  }

  private func checkSite() throws(PipelineError) {
    warnIfOutOfDate("It is published unchanged")
    guard options.checks, !wasChecked else { return }
    let check = SiteCheck(site, installation: installation, jobs: options.jobs, progress: progress)
    let report = check.settle(try check.run().report)
    let errors = report.findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      let shown = errors.prefix(10).map {
        "\($0.place): error: \($0.kind.rawValue): \($0.subject) \($0.message)"
      }
      let rest = errors.count - shown.count
      throw PipelineError(
        .content,
        shown + [
          "error: nothing was published because the site has \(errors.count) error\(errors.count == 1 ? "" : "s")"
            + "\(rest > 0 ? ", \(rest) of them not shown" : ""). `threadsite check` lists all errors. Exclude acceptable ones with check.ignore in site.yml, or "
            + "publish with --no-check."
        ])
    }
    // If the result cannot be saved, the next run checks again.
    try? AtomicFile.write(Array(fingerprint.utf8), to: checkedFile)
  }

  /// - Parameter consequence: what happens with the site.
  private func warnIfOutOfDate(_ consequence: String) {
    let build = SiteBuild(
      site, installation: installation, options: SiteBuild.Options(jobs: options.jobs), progress: { _ in })
    guard !build.isUpToDate else { return }
    progress(
      .warning(
        "\(site.output) is out of date: site.yml or the store was changed since the build, or it was built with other "
          + "options. \(consequence); `threadsite build` updates it."))
  }

  private var checkedFile: String { state + "/checked" }

  /// Whether a previous check of exactly this site, with these settings, found no errors.
  private var wasChecked: Bool {
    guard let bytes = try? FileBytes.read(checkedFile, atMost: 1024) else { return false }
    return String(decoding: bytes, as: UTF8.self) == fingerprint
  }

  private var fingerprint: String {
    var function = SHA256()
    for pattern in site.config.check.ignore { function.update("\(pattern)\n".utf8) }
    let tree = FileTree(site.output)
    for file in tree.files.sorted(by: { $0.path.precedesInBytes($1.path) }) {
      let signature = file.signature
      function.update(
        "\(file.path)\0\(signature.inode) \(signature.size) \(signature.modified) \(signature.changed)\n"
          .utf8)
    }
    return Hexadecimal.digits(function.finalize())
  }

  /// A wrong `store` in site.yml must not replace a published site by an empty one, whatever the limit of deletions.
  private func refuseEmptySite(_ difference: SiteDifference) throws(PipelineError) {
    guard !difference.removed.isEmpty, site.isEmpty else { return }
    throw PipelineError(
      .content,
      [
        "\(site.store): error: the store is empty, so nothing was published: the published site has files that would be deleted. Add threads, or check"
          + " `store` in site.yml."
      ])
  }

  private func allow(_ difference: SiteDifference, at target: any PublishTarget) throws {
    let limit = options.deletionLimit ?? site.config.publish?.maxDeletes ?? .percent(25)
    let count = difference.removed.count
    guard !limit.allows(count, of: difference.filesThere) else { return }
    let removed = difference.removed.map(\.text)
    let shown = removed.prefix(10).map { "\n  \($0)" }.joined()
    throw TooManyDeletions(
      message:
        "error: nothing was published: \(count) of the \(difference.filesThere) \(target.unit)s at \(target.name) would be deleted, but the limit is \(limit):"
        + "\(shown)\(count > 10 ? "\n  and \(count - 10) more" : "")\nTo delete them, use --max-deletes \(count); --dry-run lists all changes.",
      removed: removed)
  }

  // MARK: The target

  /// Returns the app password of the account that receives records; `nil` if nothing is sent.
  private func password() throws(PipelineError) -> Secret? {
    guard let atproto = site.config.publish?.atproto else { return nil }
    return try secret(
      atproto.passwordEnv, atproto.passwordFile, isNeeded: !options.isDryRun, "publish.atproto")
  }

  /// Returns the place of the site's files; `nil` if only records are published.
  private func target() throws(PipelineError) -> (any PublishTarget)? {
    guard let publish = site.config.publish else {
      throw PipelineError(
        .configuration,
        [
          "site.yml: error: `publish` is missing, so there is no place to publish to. Add a folder, a git branch or another target: see "
            + "`threadsite help publishing`. If another program publishes the site, use `threadsite publish --record`."
        ])
    }
    if let folder = publish.folder {
      return FolderTarget(try checked(folder: folder), replacesForeign: options.replacesForeign)
    }
    if let git = publish.git {
      let token = try secret(
        git.tokenEnv, git.tokenFile, isNeeded: git.tokenEnv != nil || git.tokenFile != nil, "publish.git")
      return GitTarget(git, siteFolder: site.path, environment: childEnvironment, token: token) {
        [progress] secrets in progress(.credentials(secrets))
      }
    }
    if let rsync = publish.rsync {
      return RsyncTarget(rsync, siteFolder: site.path, environment: childEnvironment)
    }
    if let s3 = publish.s3 { return try bucket(s3) }
    if let gitPages = publish.gitPages { return try target(gitPages) }
    if let neocities = publish.neocities {
      guard let key = try secret(neocities.keyEnv, neocities.keyFile, isNeeded: true, "publish.neocities")
      else { throw PipelineError(.access, ["error: there is no credential for publish.neocities."]) }
      return NeocitiesTarget(
        neocities, key: key, replacesForeign: options.replacesForeign, transport: transport)
    }
    guard publish.hasPlace else { return nil }
    return CommandTarget(publish.command ?? [], siteFolder: site.path, environment: childEnvironment)
  }

  private func target(_ gitPages: SiteConfig.Publish.GitPages) throws(PipelineError) -> GitPagesTarget {
    let section = "publish.git_pages"
    guard let url = gitPages.url ?? site.config.baseURL else {
      throw PipelineError(
        .configuration,
        ["site.yml: error: \(section).url and base_url are missing; set one of them to the URL of the site."])
    }
    guard url.scheme == "https" || url.isLoopback else {
      throw PipelineError(
        .configuration,
        [
          "site.yml: error: tokens are sent only to https:// URLs, and base_url begins with http://; set \(section).url."
        ])
    }
    guard let token = try secret(gitPages.tokenEnv, gitPages.tokenFile, isNeeded: true, section) else {
      throw PipelineError(.access, ["error: there is no credential for \(section)."])
    }
    return GitPagesTarget(url, gitPages.authorization, token: token, transport: transport)
  }

  private func bucket(_ options: SiteConfig.Publish.S3) throws(PipelineError) -> S3Target {
    let section = "publish.s3"
    guard let access = try secret(options.accessKeyEnv, options.accessKeyFile, isNeeded: true, section),
      let key = try secret(options.secretKeyEnv, options.secretKeyFile, isNeeded: true, section)
    else { throw PipelineError(.access, ["error: there is no credential for \(section)."]) }
    let token = try secret(options.sessionTokenEnv, nil, isNeeded: false, section)
    let credentials = AWSCredentials(accessKey: access.revealed, secretKey: key, sessionToken: token)
    return S3Target(options, credentials: credentials, transport: transport) {
      Int(Date().timeIntervalSince1970)
    }
  }

  /// Returns the path of a target folder. It must not be the site's folder, within the output or the store, or around one of these.
  private func checked(folder: String) throws(PipelineError) -> String {
    let path = FileSystem.withoutLinks(site.absolute(folder))
    let folders = [
      ("output", site.output), ("store", site.store), ("pages", site.pagesFolder),
      ("static", site.staticFolder),
      ("templates", site.path + "/templates"), ("themes", site.path + "/themes"), ("site's", site.path),
    ]
    for (name, own) in folders {
      let own = FileSystem.withoutLinks(own)
      let isInside = path == own || path.hasBytePrefix(own + "/")
      let isAround = own.hasBytePrefix(path == "/" ? "/" : path + "/")
      // A folder below the site's folder may be used, but not one in the output, the store or the folders of the owner's files.
      guard isAround || isInside && (name != "site's" || path == own) else { continue }
      throw PipelineError(
        .configuration,
        [
          "site.yml: error: publish.folder is \(path), which overlaps with the \(name) folder; use another folder."
        ])
    }
    return path
  }

  /// The environment of child programs, without the credentials for networks and targets, which they do not need.
  private var childEnvironment: [String: String] {
    let secrets = Set(site.networks.credentialVariables(of: site.config))
    return environment.filter { !secrets.contains($0.key) }
  }

  /// Reads a credential from a variable or a file.
  ///
  /// - Throws: if the credential is required and missing. The message names its place, never its value.
  private func secret(
    _ variable: String?, _ file: String?, isNeeded: Bool, _ section: String
  ) throws(PipelineError) -> Secret? {
    func missing(_ reason: String) -> PipelineError {
      var error = PipelineError(.access, ["error: there is no credential for \(section): \(reason)."])
      error.isMissingCredential = true
      return error
    }
    let found: CredentialPlace.Found?
    do {
      found = try CredentialPlace(variable: variable, file: file.map(site.absolute)).read(environment)
    } catch {
      throw missing("\(error)")
    }
    if found == nil, isNeeded {
      let name = variable ?? ""
      throw missing(
        "the environment variable \(name) is not set"
          + Suggestion.phrase(for: name, among: environment.keys.sorted()))
    }
    if let file = found?.openFile {
      progress(
        .warning(
          "\(file): warning: everybody on this machine can read the credential for \(section). Run `chmod 600` on the file."
        ))
    }
    return found?.secret
  }
}

extension PipelineError {
  init(_ error: PublishError) {
    let kind: Kind =
      switch error.kind {
      case .configuration: .configuration
      case .content: .content
      case .io, .conflict: .io
      case .network: .network
      case .access: .access
      case .interrupted: .interrupted
      }
    self.init(kind, [error.description])
  }
}
