import Basics

/// Decides which files with a hidden name, or in a hidden folder, are part of a site.
///
/// A folder of files often contains `.git`, `.env` or `.ssh`, which their owner does not see and must not publish. So the only hidden names
/// that are published are those that a web server or a host reads.
package enum HiddenFiles {
  /// `.htaccess` is read by Apache, `.nojekyll` by GitHub Pages, and `.domains` by Codeberg Pages.
  package static let publishedNames: [String] = [".domains", ".htaccess", ".nojekyll"]
  /// The folder at the top of a site whose contents are meant for requests (RFC 8615).
  package static let publishedFolder = ".well-known"

  /// Returns the hidden folder or file in a path (relative to the site's folder) that keeps the file from being published; `nil` if the
  /// file is published.
  package static func unpublishedPart(of path: String) -> String? {
    let names = path.split(atBytes: "/")
    for (place, name) in names.enumerated() where PathText.isHidden(name) {
      let isFile = place == names.count - 1
      if isFile ? publishedNames.contains(String(name)) : place == 0 && name == publishedFolder { continue }
      return names[...place].joined(separator: "/")
    }
    return nil
  }

  package static func arePublished(_ path: String) -> Bool { unpublishedPart(of: path) == nil }

  /// Returns a warning about files of a folder that are not published; `nil` if all are published.
  package static func warning(about paths: some Sequence<String>, in folder: String) -> String? {
    let parts = Set(paths.compactMap(unpublishedPart)).sorted()
    guard !parts.isEmpty else { return nil }
    let shown =
      parts.prefix(5).joined(separator: ", ") + (parts.count > 5 ? " and \(parts.count - 5) more" : "")
    return
      "\(folder): warning: hidden files are not published, except \(publishedNames.joined(separator: ", ")) and \(publishedFolder)/: skipped \(shown). Move them elsewhere, or rename the files to publish."
  }
}
