import Files
import Foundation

/// The templates, themes and documentation that come with threadsite.
package struct Installation: Sendable {
  /// Holds `templates/`, `themes/` and `docs/`; without links.
  package let share: String

  /// The documentation; `nil` where somebody installed the program without it.
  package var docs: String? {
    let folder = share + "/docs"
    return FileSystem.isFolder(folder) ? folder : nil
  }

  /// Looks where they may be, from where the binary is.
  ///
  /// In this order: `THREADSITE_SHARE` in the environment; `../share/threadsite` beside the binary's folder, which is where
  /// `make install` puts them; a folder above the binary that holds `templates` and `themes`, as in a checkout.
  ///
  /// - Returns: `nil` where there are none.
  package static func find(executable: String, environment: [String: String]) -> Installation? {
    if let share = environment["THREADSITE_SHARE"], !share.isEmpty {
      return isShare(share) ? Installation(share: FileSystem.withoutLinks(share)) : nil
    }
    let binary = URL(filePath: executable).resolvingSymlinksInPath()
    var folder = binary.deletingLastPathComponent()
    let installed = folder.deletingLastPathComponent().appending(path: "share/threadsite").path
    if isShare(installed) { return Installation(share: FileSystem.withoutLinks(installed)) }
    while folder.path != "/" {
      if isShare(folder.path) { return Installation(share: folder.path) }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }

  private static func isShare(_ path: String) -> Bool {
    let files = FileManager.default
    return files.fileExists(atPath: path + "/templates") && files.fileExists(atPath: path + "/themes")
  }
}
