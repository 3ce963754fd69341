import Basics
import Foundation
import HTTPTransport
package import InterfaceText
package import SiteConfig
package import ThreadMarkdown
package import ThreadModel
package import ThreadStore

/// A site's folder: its configuration and the paths in it, made absolute.
///
/// The user is responsible for the path of the site's folder itself, and for folders outside of it that site.yml or the command line names.
/// Links in these paths are resolved once, here. The contents of the site's folder may have been cloned, so links in them are never
/// followed.
package struct SiteFolder: Sendable {
  package let path: String
  package let config: SiteConfig
  package let store: String
  package let output: String
  /// The networks that its threads may come from.
  package let networks: NetworkRegistry
  package let decoded: DecodedSiteConfig?
  /// The accounts that are completely left out of it.
  package let leftOut: LeftOutAccounts
  /// When the site was opened. Threads with a later time of publication wait.
  package let openedAt: Timestamp

  /// Opens the site of a configuration file.
  ///
  /// A folder with a store but without `site.yml` is a site with default settings, so that imported threads can be built at once.
  ///
  /// - Parameters:
  ///   - configFile: as specified by the user; relative paths are relative to the current folder.
  ///   - isDefault: whether the user did not name the file.
  ///   - needsStore: whether a folder without `site.yml` must have a store to be a site; `false` for commands that only read the installation.
  ///   - environment: the environment variables, whose credentials must not be in the file.
  ///   - networks: the supported networks.
  ///   - output: replaces the configured output, relative to the current folder.
  package static func open(
    configFile: String, isDefault: Bool, needsStore: Bool = true, output: String? = nil,
    baseURL: String? = nil, environment: [String: String] = [:], networks: NetworkRegistry = .all,
    progress: ProgressHandler
  ) throws(PipelineError) -> SiteFolder {
    let folder = FileSystem.withoutLinks(
      URL(filePath: configFile).absoluteURL.deletingLastPathComponent().path)
    var config: SiteConfig
    var decoded: DecodedSiteConfig?
    if isDefault, !hasConfiguration(configFile) {
      config = try defaults(in: folder, needsStore: needsStore, progress: progress)
    } else {
      let read = try load(configFile, in: folder, environment, networks)
      for warning in read.warnings { progress(.warning(warning.description)) }
      config = read.config
      decoded = read
    }
    progress(.credentials(credentials(of: config, networks, in: folder, environment).map(Secret.init)))
    try apply(baseURL: baseURL, to: &config)
    let now = try now(environment)
    holdBack(threadsIn: &config, at: now)
    let site = SiteFolder(
      folder: folder, config: config, decoded: decoded, output: output, networks: networks, openedAt: now)
    try site.checkOutput()
    try site.checkPrivateFiles()
    return site
  }

  /// Returns the configuration file for a command whose user named none: `site.yml` in the current folder, or in the nearest folder above
  /// it that has one, such as `../site.yml`. Returns `nil` outside of all sites.
  ///
  /// A folder above is used only if its site.yml belongs to the user of this process: in a shared folder such as `/tmp`, another user's
  /// file could name a command that `publish` runs.
  package static func nearestConfiguration() -> String? {
    let name = "site.yml"
    // A store without site.yml is also a site.
    if hasConfiguration(name) || FileSystem.kind(of: SiteConfig.defaults.store) != .nothing { return name }
    let depth = FileManager.default.currentDirectoryPath.utf8.count { $0 == UInt8(ascii: "/") }
    for level in 0..<depth {
      let file = String(repeating: "../", count: level + 1) + name
      if FileSystem.kind(of: file) == .file { return FileSystem.belongsToUser(file) ? file : nil }
    }
    return nil
  }

  /// Whether the configuration exists. A `site.yaml` also counts, so that reading the configuration reports its correct name.
  private static func hasConfiguration(_ file: String) -> Bool {
    FileSystem.kind(of: file) != .nothing
      || file.without(byteSuffix: ".yml").map { FileSystem.kind(of: $0 + ".yaml") != .nothing } ?? false
  }

  private static func load(
    _ file: String, in folder: String, _ environment: [String: String], _ networks: NetworkRegistry
  ) throws(PipelineError) -> DecodedSiteConfig {
    do {
      return try SiteConfig.load(path: file, addresses: networks.addresses) {
        credentials(of: $0, networks, in: folder, environment)
      }
    } catch {
      throw PipelineError(.configuration, error)
    }
  }

  /// Returns the values of all credentials that a configuration names.
  private static func credentials(
    of config: SiteConfig, _ networks: NetworkRegistry, in folder: String, _ environment: [String: String]
  ) -> [String] {
    let variables = networks.credentialVariables(of: config).compactMap { environment[$0] }
    let files = networks.credentialFiles(of: config).compactMap { file in
      // An unreadable file is reported where it is used.
      (try? FileBytes.read(absolute(file, in: folder), atMost: 16_384)).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    return (variables + files).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter {
      !$0.isEmpty
    }
  }

  /// Checks that no credential and no archive of an account is in a folder whose files a build publishes.
  private func checkPrivateFiles() throws(PipelineError) {
    let published = [staticFolder, pagesFolder, path + "/themes", output]
    func folder(of file: String) -> String? {
      let file = FileSystem.withoutLinks(absolute(file))
      return published.first { file.hasBytePrefix(FileSystem.withoutLinks($0) + "/") }
    }
    func message(_ file: String, _ folder: String) -> String {
      "\(quoted(file)) is private, and a build publishes the files in \(PathText.name(of: folder))/; move it to another folder"
    }
    var problems: [String] = []
    for file in networks.credentialFiles(of: config) {
      if let folder = folder(of: file) { problems.append("site.yml: error: \(message(file, folder))") }
    }
    for (position, source) in config.sources.enumerated() {
      guard case .archive(let archive) = source, let folder = folder(of: archive.path) else { continue }
      problems.append(configProblem("sources[\(position)]", message(archive.path, folder)))
    }
    guard problems.isEmpty else { throw PipelineError(.configuration, problems) }
  }

  /// Returns the nearest parent folder with a site.yml.
  private static func parentWithSite(_ folder: String) -> String? {
    var folder = folder
    while let parent = PathText.folder(of: folder).map(String.init), !parent.isEmpty {
      if FileSystem.kind(of: parent + "/site.yml") == .file { return parent }
      folder = parent
    }
    return nil
  }

  private static func defaults(
    in folder: String, needsStore: Bool, progress: ProgressHandler
  ) throws(PipelineError) -> SiteConfig {
    let config = SiteConfig.defaults
    guard needsStore else { return config }
    guard FileSystem.kind(of: folder + "/" + config.store) != .nothing else {
      throw PipelineError(
        .configuration,
        [
          "error: there is no site here: this folder has no site.yml and no \(config.store)/. "
            + (parentWithSite(folder).map {
              "The site.yml in \($0) belongs to another user; use it with -C \($0)."
            }
              ?? "Create a site with `threadsite init my-threads`, or run the command in another folder with -C FOLDER.")
        ])
    }
    progress(
      .warning("there is no site.yml here, so default settings are used; create one with `threadsite init`"))
    return config
  }

  /// Marks the threads whose time of publication has not come.
  private static func holdBack(threadsIn config: inout SiteConfig, at now: Timestamp) {
    let calendar = SiteCalendar(zone: config.zone)
    for position in config.threads.indices {
      guard let time = config.threads[position].publishAt else { continue }
      config.threads[position].isWaiting = calendar.moment(of: time) > now
    }
  }

  private static func now(_ environment: [String: String]) throws(PipelineError) -> Timestamp {
    try fixedTime(environment) ?? Timestamp(seconds: Int64(Date().timeIntervalSince1970))
  }

  /// Returns the time of `SOURCE_DATE_EPOCH`, with which builds can be repeated
  /// (https://reproducible-builds.org/specs/source-date-epoch/); `nil` if the variable is not set.
  package static func fixedTime(_ environment: [String: String]) throws(PipelineError) -> Timestamp? {
    guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return nil }
    // Up to the end of the year 9999.
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
      throw PipelineError(
        .configuration,
        [
          "error: the environment variable SOURCE_DATE_EPOCH is \(quoted(text)); expected the seconds since 1970, such as 1700000000"
        ])
    }
    return Timestamp(seconds: seconds)
  }

  /// The threads that wait for their time of publication: their number, and the time of the next one in UTC (RFC 3339) and in the site's
  /// time zone, such as `2026-12-01 08:00`.
  package var waitingThreads: (count: Int, next: String, nextLocal: String)? {
    let times = config.threads.filter(\.isWaiting).compactMap(\.publishAt).map(calendar.moment(of:))
    return times.min().map { (times.count, $0.iso8601, calendar.isoMinute($0)) }
  }

  private static func apply(baseURL: String?, to config: inout SiteConfig) throws(PipelineError) {
    guard let baseURL else { return }
    do {
      config.baseURL = try SiteURL(baseURL)
    } catch {
      throw PipelineError(.configuration, ["--base-url: error: \(error)"])
    }
  }

  /// Returns the same site with another output folder and, unless it is `nil`, another URL.
  ///
  /// - Parameter time: replaces the time at which the site was opened.
  package func reopened(
    output: String, baseURL: String?, at time: Timestamp?
  ) throws(PipelineError) -> SiteFolder {
    var config = config
    try Self.apply(baseURL: baseURL, to: &config)
    let time = time ?? openedAt
    Self.holdBack(threadsIn: &config, at: time)
    let site = SiteFolder(
      folder: path, config: config, decoded: decoded, output: output, networks: networks, openedAt: time)
    try site.checkOutput()
    return site
  }

  private init(
    folder: String, config: SiteConfig, decoded: DecodedSiteConfig?, output: String?,
    networks: NetworkRegistry, openedAt: Timestamp
  ) {
    self.openedAt = openedAt
    path = folder
    self.networks = networks
    self.config = config
    self.decoded = decoded
    let store = Self.reached(Self.absolute(config.store, in: folder), from: folder)
    self.store = store
    let addresses = networks.addresses
    leftOut = LeftOutAccounts(
      config.leaveOut.map { account in
        LeftOutAccounts.Account(
          platform: account.platform, name: account.authorID == nil ? account.name : nil, id: account.authorID
        )
      },
      isFrontEnd: { addresses.isFrontEnd($1, of: $0) },
      known: { LeftOutSurvey(store: store, site: folder, accounts: $0).names() })
    // The last component is checked when the site is written, because a build would replace a link by a folder.
    let place = URL(
      filePath: output.map { Self.absolute($0, in: FileManager.default.currentDirectoryPath) }
        ?? Self.absolute(config.output, in: folder))
    let above = Self.reached(place.deletingLastPathComponent().path, from: folder)
    self.output =
      place.pathComponents.count < 2 ? "/" : (above == "/" ? "" : above) + "/" + place.lastPathComponent
  }

  /// The store, without the accounts that are left out.
  package var threadStore: ThreadStore { ThreadStore(folder: store, leavingOut: leftOut) }

  /// Whether the site has neither threads in its store nor pages of its owner. A folder that cannot be listed counts as not empty, because
  /// reading it reports the error.
  package var isEmpty: Bool {
    let hasPages = FileTree(pagesFolder).files.contains { $0.path.hasByteSuffix(".md") }
    return !hasPages && (try? threadStore.list().isEmpty) ?? false
  }

  /// The folder of the owner's files that are copied unchanged.
  package var staticFolder: String { path + "/static" }

  /// The folder of the owner's own pages.
  package var pagesFolder: String { path + "/pages" }

  /// The calendar in the site's time zone.
  package var calendar: SiteCalendar { SiteCalendar(zone: config.zone) }

  /// How media are shown.
  package var mediaMode: ThreadMarkdown.MediaMode {
    switch config.media {
    case .mirror: .mirror
    case .link: .link
    case .none: .none
    }
  }

  /// Reads a conversation of the store.
  ///
  /// - Throws: an error of that thread alone.
  package func read(_ file: StoredFile) throws(PipelineError) -> Conversation {
    do {
      return try threadStore.read(file)
    } catch {
      throw PipelineError(error).ofOneThread
    }
  }

  /// Reads a conversation of the store, and the SHA-256 digest of its file.
  ///
  /// - Throws: an error of that thread alone.
  package func readWithDigest(
    _ file: StoredFile
  ) throws(PipelineError) -> (conversation: Conversation, digest: [UInt8]) {
    do {
      return try threadStore.readWithDigest(file)
    } catch {
      throw PipelineError(error).ofOneThread
    }
  }

  /// A problem with an entry of site.yml's list, with its line.
  package func listProblem(_ entry: Int, _ text: String, severity: ConfigProblem.Severity = .error) -> String
  {
    configProblem("threads[\(entry)]", text, severity: severity)
  }

  /// A problem with an entry of one of site.yml's lists, with its line.
  package func configProblem(
    _ keyPath: String, _ text: String, severity: ConfigProblem.Severity = .error
  ) -> String {
    guard let decoded else { return text }
    return decoded.problem(at: keyPath, text, severity: severity).description
  }

  /// Removes temporary files that killed programs left in the folders where the program keeps data between runs.
  package func removeAbandonedFiles() {
    let folder = path + "/.threadsite"
    // A folder that is missing or cannot be listed contains no removable files.
    let inner = (try? FileSystem.entries(of: folder))?.filter { $0.kind == .folder }.map {
      "\(folder)/\($0.name)"
    }
    for place in [folder] + (inner ?? []) { AtomicFile.removeAbandoned(in: place) }
  }

  /// Whether the file is one of those that operating systems create in folders on their own.
  package static func isLitter(_ path: String) -> Bool {
    let name = String(PathText.name(of: path))
    return [".DS_Store", "Thumbs.db", "desktop.ini", ".gitkeep"].contains(name) || name.hasPrefix("._")
  }

  /// Returns a path of site.yml, relative to the site's folder, as an absolute path.
  package func absolute(_ path: String) -> String {
    Self.reached(Self.absolute(path, in: self.path), from: self.path)
  }

  /// Returns a path unchanged if it is below the site's folder, and otherwise with links resolved.
  private static func reached(_ path: String, from folder: String) -> String {
    path == folder || path.hasBytePrefix(folder == "/" ? "/" : folder + "/") ? path : FileSystem.named(path)
  }

  private static func absolute(_ path: String, in folder: String) -> String {
    URL(
      filePath: path, directoryHint: .inferFromPath,
      relativeTo: URL(filePath: folder, directoryHint: .isDirectory)
    )
    .standardizedFileURL.path
  }

  /// Checks that the output is not the site's folder or its store, and contains neither. This also applies to the command line and to
  /// symbolic links.
  private func checkOutput() throws(PipelineError) {
    var resolved = config
    resolved.output = FileSystem.withoutLinks(output)
    resolved.store = FileSystem.withoutLinks(store)
    guard let problem = resolved.outputProblem(inFolder: FileSystem.withoutLinks(path)) else { return }
    throw PipelineError(.configuration, ["\(output): error: \(problem)"])
  }
}

extension SiteConfig {
  fileprivate var zone: TimeZone { TimeZone(identifier: timezone) ?? .gmt }
}
