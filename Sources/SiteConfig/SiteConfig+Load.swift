import Foundation
import UTF8Text

extension SiteConfig {
  /// Reads the site.yml at `path`, which also is its name in messages, so that they hold no path that the
  /// caller did not give.
  ///
  /// The output folder is checked against the folder that the file is in.
  ///
  /// - Throws: ``SiteConfigError``, also where the file is missing or cannot be read.
  package static func load(path: String) throws(SiteConfigError) -> DecodedSiteConfig {
    let decoded = try decode(bytes: try contents(ofFile: path), file: path)
    let folder = URL(filePath: path).absoluteURL.deletingLastPathComponent().path
    if let problem = decoded.config.outputProblem(inFolder: folder) {
      let key = decoded.locations["output"] == nil ? "store" : "output"
      throw SiteConfigError(problems: [decoded.problem(at: key, problem, severity: .error)])
    }
    return decoded
  }

  /// The file's bytes, at most one more than is allowed.
  private static func contents(ofFile path: String) throws(SiteConfigError) -> Data {
    func failure(_ message: String) -> SiteConfigError {
      SiteConfigError(problems: [ConfigProblem(file: path, location: nil, message: message)])
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      let other =
        path.without(byteSuffix: ".yml").map { $0 + ".yaml" }
        ?? path.without(byteSuffix: ".yaml").map { $0 + ".yml" }
      if let other, FileManager.default.fileExists(atPath: String(other)) {
        throw failure("there is no such file, but there is \(other); rename it, or name it with --config")
      }
      throw failure(
        "there is no such file; start a site with `threadsite init`, or name the file with --config")
    }
    guard !isFolder.boolValue else { throw failure("this is a folder; name the site.yml in it") }
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? handle.close() }  // Nothing was written, so nothing is lost if closing fails.
      return try handle.read(upToCount: largestFile + 1) ?? Data()
    } catch {
      throw failure("the file cannot be read: \(error.localizedDescription)")
    }
  }
}
