import Files
import Foundation
import UTF8Text

extension SiteConfig {
  /// Reads the site.yml at `path`, which also is its name in messages, so that they hold no path that the
  /// caller did not give.
  ///
  /// The output folder is checked against the folder that the file is in.
  ///
  /// - Parameters:
  ///   - addresses: how the addresses in the file are understood.
  ///   - secrets: gives the credentials that the program uses with such settings: none of them may stand in the file, and none
  ///     is shown in a message.
  /// - Throws: ``SiteConfigError``, also where the file is missing or cannot be read.
  package static func load(
    path: String, addresses: AddressBook, secrets: (SiteConfig) -> [String] = { _ in [] }
  ) throws(SiteConfigError) -> DecodedSiteConfig {
    let bytes = try contents(ofFile: path)
    // Where they are is for the file itself to say, even where something else in it is wrong.
    let settings = StrictYAML<SiteConfig>.readable(in: Array(bytes)) ?? .defaults
    let decoded = try decode(bytes: bytes, file: path, addresses: addresses, secrets: secrets(settings))
    let folder = URL(filePath: path).absoluteURL.deletingLastPathComponent().path
    if let problem = decoded.config.outputProblem(inFolder: folder) {
      let key = decoded.locations["output"] == nil ? "store" : "output"
      throw SiteConfigError(problems: [decoded.problem(at: key, problem, severity: .error)])
    }
    return decoded
  }

  /// The environment variables that may hold credentials of networks and of the place that the site is published to.
  package var credentialVariables: [String] {
    [x.tokenEnv, x.keyEnv, x.secretEnv] + mastodon.servers.compactMap(\.tokenEnv)
      + (publish?.credentialVariables ?? [])
  }

  /// The files that may hold them, as they stand in the configuration.
  package var credentialFiles: [String] {
    [x.tokenFile, x.keyFile, x.secretFile].compactMap(\.self) + mastodon.servers.compactMap(\.tokenFile)
      + (publish?.credentialFiles ?? [])
  }

  /// The file's bytes, at most as many as are allowed.
  ///
  /// The folder may be reached through a link, as home folders are; the file itself may have been cloned from anybody.
  private static func contents(ofFile path: String) throws(SiteConfigError) -> [UInt8] {
    func failure(_ message: String) -> SiteConfigError {
      SiteConfigError(problems: [ConfigProblem(file: path, location: nil, message: message)])
    }
    let url = URL(filePath: path).absoluteURL
    let folder = FileSystem.withoutLinks(url.deletingLastPathComponent().path)
    let file = folder + "/" + url.lastPathComponent
    switch FileSystem.kind(of: file) {
    case .nothing:
      let other =
        path.without(byteSuffix: ".yml").map { $0 + ".yaml" }
        ?? path.without(byteSuffix: ".yaml").map { $0 + ".yml" }
      if let other, FileSystem.kind(of: String(other)) != .nothing {
        throw failure("there is no such file, but there is \(other); rename it, or name it with --config")
      }
      throw failure(
        "there is no such file; start a site with `threadsite init`, or name the file with --config")
    case .folder: throw failure("this is a folder; name the site.yml in it")
    case .link:
      throw failure("this is a symbolic link, and nothing is read through one: put the file itself there")
    case .other: throw failure("this is no file, but a pipe, a socket or a device")
    case .file: break
    }
    do {
      // One more than is allowed, for the error that says so.
      let open = try OpenFile(file)
      return try open.bytes(min(open.count, largestFile + 1), at: 0)
    } catch {
      throw failure("the file cannot be read: \(error.reason)")
    }
  }
}
