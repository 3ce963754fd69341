import Basics
import Foundation

/// The templates, themes and documentation that are installed with threadsite.
package struct Installation: Sendable {
  /// The folder with `templates/`, `themes/` and `docs/`; without links.
  package let share: String

  /// The folder of the documentation; `nil` if the program was installed without it.
  package var docs: String? {
    let folder = share + "/docs"
    return FileSystem.isFolder(folder) ? folder : nil
  }

  /// - Parameter share: the folder. The result is `nil` if it has no templates and themes.
  package init?(share: String) {
    guard Self.isShare(share) else { return nil }
    self.share = FileSystem.withoutLinks(share)
  }

  /// Searches for the installation, based on the path of the binary.
  ///
  /// The places are, in this order: `THREADSITE_SHARE` in the environment; `../share/threadsite` relative to the binary's folder, where
  /// `make install` puts the files; a folder above the binary that contains `templates` and `themes`, as in a checkout.
  ///
  /// - Returns: `nil` if none of the places has the files.
  package static func find(executable: String, environment: [String: String]) -> Installation? {
    if let share = environment["THREADSITE_SHARE"], !share.isEmpty {
      return Installation(share: share)
    }
    let binary = URL(filePath: executable).resolvingSymlinksInPath()
    var folder = binary.deletingLastPathComponent()
    let installed = folder.deletingLastPathComponent().appending(path: "share/threadsite").path
    if let found = Installation(share: installed) { return found }
    while folder.path != "/" {
      if let found = Installation(share: folder.path) { return found }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }

  private static func isShare(_ path: String) -> Bool {
    let files = FileManager.default
    return files.fileExists(atPath: path + "/templates") && files.fileExists(atPath: path + "/themes")
  }
}
