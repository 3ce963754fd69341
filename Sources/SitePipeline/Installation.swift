import Basics
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

  /// - Parameter share: `nil` comes of a folder that has none of them.
  package init?(share: String) {
    guard Self.isShare(share) else { return nil }
    self.share = FileSystem.withoutLinks(share)
  }

  /// Looks where they may be, from where the binary is.
  ///
  /// In this order: `THREADSITE_SHARE` in the environment; `../share/threadsite` beside the binary's folder, which is where
  /// `make install` puts them; a folder above the binary that holds `templates` and `themes`, as in a checkout.
  ///
  /// - Returns: `nil` where there are none.
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
