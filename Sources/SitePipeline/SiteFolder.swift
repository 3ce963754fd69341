import Foundation
package import SiteConfig
import ThreadModel
import UTF8Text

/// A site's own folder: its configuration and the paths that this names, made absolute.
package struct SiteFolder: Sendable {
  package let path: String
  package let config: SiteConfig
  package let store: String
  package let output: String
  let decoded: DecodedSiteConfig?

  /// Opens the site that a configuration file stands for.
  ///
  /// A folder that has a store and no `site.yml` is a site with default settings: imported threads can be built at once.
  ///
  /// - Parameters:
  ///   - configFile: as the user gave it; relative paths are seen from the current folder.
  ///   - isDefault: whether the user left the file's name to us.
  ///   - needsStore: whether a folder without `site.yml` has to have a store to count as a site.
  ///   - output: in place of the configured one, seen from the current folder.
  package static func open(
    configFile: String, isDefault: Bool, needsStore: Bool = true, output: String? = nil,
    baseURL: String? = nil,
    progress: ProgressHandler
  ) throws(PipelineError) -> SiteFolder {
    let folder = URL(filePath: configFile).absoluteURL.deletingLastPathComponent().path
    var config: SiteConfig
    var decoded: DecodedSiteConfig?
    if isDefault, !hasConfiguration(configFile) {
      config = try defaults(in: folder, needsStore: needsStore, progress: progress)
    } else {
      let read = try load(configFile)
      for warning in read.warnings { progress(.warning(warning.description)) }
      config = read.config
      decoded = read
    }
    try apply(baseURL: baseURL, to: &config)
    let site = SiteFolder(folder: folder, config: config, decoded: decoded, output: output)
    try site.checkOutput()
    return site
  }

  /// A `site.yaml` counts, too: reading the configuration then says what it should be called.
  private static func hasConfiguration(_ file: String) -> Bool {
    let files = FileManager.default
    return files.fileExists(atPath: file)
      || file.without(byteSuffix: ".yml").map { files.fileExists(atPath: $0 + ".yaml") } ?? false
  }

  private static func load(_ file: String) throws(PipelineError) -> DecodedSiteConfig {
    do {
      return try SiteConfig.load(path: file)
    } catch {
      throw PipelineError(.configuration, error)
    }
  }

  private static func defaults(
    in folder: String, needsStore: Bool, progress: ProgressHandler
  ) throws(PipelineError) -> SiteConfig {
    let config = SiteConfig.defaults
    guard needsStore else { return config }
    guard FileManager.default.fileExists(atPath: folder + "/" + config.store) else {
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

  private init(folder: String, config: SiteConfig, decoded: DecodedSiteConfig?, output: String?) {
    path = folder
    self.config = config
    self.decoded = decoded
    store = Self.absolute(config.store, in: folder)
    self.output =
      output.map { Self.absolute($0, in: FileManager.default.currentDirectoryPath) }
      ?? Self.absolute(config.output, in: folder)
  }

  /// Days as the site counts them.
  var calendar: SiteCalendar { SiteCalendar(zone: TimeZone(identifier: config.timezone) ?? .gmt) }

  /// A path of site.yml, seen from the site's folder.
  func absolute(_ path: String) -> String { Self.absolute(path, in: self.path) }

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
    resolved.output = Self.withoutLinks(output)
    resolved.store = Self.withoutLinks(store)
    guard let problem = resolved.outputProblem(inFolder: Self.withoutLinks(path)) else { return }
    throw PipelineError(.configuration, ["\(output): error: \(problem)"])
  }

  /// The path with all symbolic links of what exists of it followed.
  static func withoutLinks(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let url = URL(filePath: path)
    guard url.pathComponents.count > 1 else { return path }
    return withoutLinks(url.deletingLastPathComponent().path) + "/" + url.lastPathComponent
  }
}
