import Foundation
package import SiteConfig

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
  package static func open(
    configFile: String, isDefault: Bool, needsStore: Bool = true, output: String? = nil, baseURL: String? = nil,
    progress: ProgressHandler
  ) throws(PipelineError) -> SiteFolder {
    let folder = URL(filePath: configFile).absoluteURL.deletingLastPathComponent().path
    let files = FileManager.default
    if isDefault, !files.fileExists(atPath: configFile) {
      var config = SiteConfig.defaults
      guard !needsStore || files.fileExists(atPath: folder + "/" + config.store) else {
        throw PipelineError(
          .configuration,
          [
            "error: there is no site.yml and no \(config.store)/ here. "
              + "Start a site with `threadsite init`, or name its file with --config."
          ])
      }
      if needsStore {
        progress(.warning("there is no site.yml here, so default settings are used; `threadsite init` writes one"))
      }
      try apply(baseURL: baseURL, to: &config)
      return SiteFolder(folder: folder, config: config, decoded: nil, output: output)
    }
    do {
      var decoded = try SiteConfig.load(path: configFile)
      for warning in decoded.warnings { progress(.warning(warning.description)) }
      try apply(baseURL: baseURL, to: &decoded.config)
      return SiteFolder(folder: folder, config: decoded.config, decoded: decoded, output: output)
    } catch let error as PipelineError {
      throw error
    } catch {
      throw PipelineError(.configuration, error)
    }
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
    self.output = output.map { Self.absolute($0, in: FileManager.default.currentDirectoryPath) }
      ?? Self.absolute(config.output, in: folder)
  }

  private static func absolute(_ path: String, in folder: String) -> String {
    URL(filePath: path, directoryHint: .inferFromPath, relativeTo: URL(filePath: folder, directoryHint: .isDirectory))
      .standardizedFileURL.path
  }
}
