import Basics
import Foundation
package import SiteConfig
import ThreadMarkdown
package import ThreadModel
import ThreadStore

/// A site's own folder: its configuration and the paths that this names, made absolute.
///
/// How the site's folder itself is reached, and folders outside of it that site.yml or the command line name, is the user's affair:
/// links on the way there are followed once, here. What lies below may have been cloned, and is never reached through a link.
package struct SiteFolder: Sendable {
  package let path: String
  package let config: SiteConfig
  package let store: String
  package let output: String
  /// Where its threads may come from.
  package let networks: NetworkRegistry
  let decoded: DecodedSiteConfig?
  /// Accounts of which it has nothing.
  package let leftOut: LeftOutAccounts

  /// Opens the site that a configuration file stands for.
  ///
  /// A folder that has a store and no `site.yml` is a site with default settings: imported threads can be built at once.
  ///
  /// - Parameters:
  ///   - configFile: as the user gave it; relative paths are seen from the current folder.
  ///   - isDefault: whether the user left the file's name to us.
  ///   - needsStore: whether a folder without `site.yml` has to have a store to count as a site.
  ///   - environment: the environment variables, whose credentials may not stand in the file.
  ///   - networks: where threads may come from.
  ///   - output: in place of the configured one, seen from the current folder.
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
    try apply(baseURL: baseURL, to: &config)
    let site = SiteFolder(
      folder: folder, config: config, decoded: decoded, output: output, networks: networks)
    try site.checkOutput()
    return site
  }

  /// A `site.yaml` counts, too: reading the configuration then says what it should be called.
  private static func hasConfiguration(_ file: String) -> Bool {
    FileSystem.kind(of: file) != .nothing
      || file.without(byteSuffix: ".yml").map { FileSystem.kind(of: $0 + ".yaml") != .nothing } ?? false
  }

  private static func load(
    _ file: String, in folder: String, _ environment: [String: String], _ networks: NetworkRegistry
  ) throws(PipelineError) -> DecodedSiteConfig {
    do {
      return try SiteConfig.load(path: file, addresses: networks.addresses) { config in
        let variables = config.credentialVariables.compactMap { environment[$0] }
        let files = config.credentialFiles.compactMap { file in
          // One that cannot be read is reported by whoever needs it.
          (try? FileBytes.read(absolute(file, in: folder), atMost: 16_384)).map {
            String(decoding: $0, as: UTF8.self)
          }
        }
        return (variables + files).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      }
    } catch {
      throw PipelineError(.configuration, error)
    }
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
          "error: there is no site.yml and no \(config.store)/ here. "
            + "Start a site with `threadsite init`, or name its file with --config."
        ])
    }
    progress(
      .warning("there is no site.yml here, so default settings are used; `threadsite init` writes one"))
    return config
  }

  private static func apply(baseURL: String?, to config: inout SiteConfig) throws(PipelineError) {
    guard let baseURL else { return }
    do {
      config.baseURL = try SiteURL(baseURL)
    } catch {
      throw PipelineError(.configuration, ["--base-url: error: \(error)"])
    }
  }

  private init(
    folder: String, config: SiteConfig, decoded: DecodedSiteConfig?, output: String?,
    networks: NetworkRegistry
  ) {
    path = folder
    self.networks = networks
    leftOut = LeftOutAccounts(config, networks.addresses)
    self.config = config
    self.decoded = decoded
    store = Self.reached(Self.absolute(config.store, in: folder), from: folder)
    // The last part is looked at when the site is written: a build would put a folder in the place of a link.
    let place = URL(
      filePath: output.map { Self.absolute($0, in: FileManager.default.currentDirectoryPath) }
        ?? Self.absolute(config.output, in: folder))
    let above = Self.reached(place.deletingLastPathComponent().path, from: folder)
    self.output =
      place.pathComponents.count < 2 ? "/" : (above == "/" ? "" : above) + "/" + place.lastPathComponent
  }

  /// The store, as far as the site has anything of it.
  var threadStore: ThreadStore { ThreadStore(folder: store, leavingOut: leftOut) }

  /// The owner's own files, which are copied as they are.
  var staticFolder: String { path + "/static" }

  /// The owner's own pages.
  var pagesFolder: String { path + "/pages" }

  /// Days as the site counts them.
  var calendar: SiteCalendar { SiteCalendar(zone: TimeZone(identifier: config.timezone) ?? .gmt) }

  /// How media are shown.
  var mediaMode: ThreadMarkdown.MediaMode {
    switch config.media {
    case .mirror: .mirror
    case .link: .link
    case .none: .none
    }
  }

  /// Reads a conversation of the store.
  ///
  /// - Throws: an error of that thread alone.
  func read(_ file: StoredFile) throws(PipelineError) -> Conversation {
    do {
      return try threadStore.read(file)
    } catch {
      throw PipelineError(error).ofOneThread
    }
  }

  /// A problem with an entry of site.yml's list, with its line.
  func listProblem(_ entry: Int, _ text: String, severity: ConfigProblem.Severity = .error) -> String {
    configProblem("threads[\(entry)]", text, severity: severity)
  }

  /// A problem with an entry of one of site.yml's lists, with its line.
  func configProblem(
    _ keyPath: String, _ text: String, severity: ConfigProblem.Severity = .error
  ) -> String {
    guard let decoded else { return text }
    return decoded.problem(at: keyPath, text, severity: severity).description
  }

  /// What systems leave in folders without being asked.
  static func isLitter(_ path: String) -> Bool {
    let name = String(PathText.name(of: path))
    return [".DS_Store", "Thumbs.db", "desktop.ini", ".gitkeep"].contains(name) || name.hasPrefix("._")
  }

  /// A path of site.yml, seen from the site's folder.
  func absolute(_ path: String) -> String {
    Self.reached(Self.absolute(path, in: self.path), from: self.path)
  }

  /// A path as it is below the site's folder, and with links followed elsewhere.
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

  /// The output may not be the site's own folder, its store, or around one of them: not by the command line either, and
  /// not by way of a symbolic link.
  private func checkOutput() throws(PipelineError) {
    var resolved = config
    resolved.output = FileSystem.withoutLinks(output)
    resolved.store = FileSystem.withoutLinks(store)
    guard let problem = resolved.outputProblem(inFolder: FileSystem.withoutLinks(path)) else { return }
    throw PipelineError(.configuration, ["\(output): error: \(problem)"])
  }
}
