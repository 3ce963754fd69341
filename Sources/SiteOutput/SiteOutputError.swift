package import Basics
package import SiteConfig

/// The errors of writing a site.
package enum SiteOutputError: Error, Sendable {
  case badPermalinks(file: String, problem: String)
  /// A theme that was not found. The suggestion is a phrase, or empty.
  case noTheme(name: String, suggestion: String, searched: [String])
  /// A theme.yml that is invalid.
  case badDescription(SiteConfigError)
  case badTheme(file: String, problem: String)
  case template(String)
  case notOurs(folder: String)
  case busy(folder: String)
  /// A build was killed while it moved its site into place.
  case unfinished(folder: String)
  case unsafeOutput(folder: String, problem: String)
  case file(FileError)
  /// The new site is complete, but a file could not be moved into place.
  case halfInPlace(folder: String, FileError)
  case samePage(path: String, first: String, second: String)
  /// A thread has the path of a page that the site itself needs.
  case takenPage(path: String, thread: String)
  case writtenTwice(path: String)
  /// Two paths that some disks treat as equal.
  case alikePaths(String, String)
}

extension SiteOutputError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badPermalinks(let file, let problem):
      "\(file): error: this record of permalinks cannot be used: \(problem)"
    case .badDescription(let error): error.description
    case .noTheme(let name, let suggestion, let searched):
      "error: there is no theme \"\(name)\"\(suggestion.isEmpty ? "." : suggestion) Looked in: \(searched.joined(separator: ", ")). "
        + "Set `theme:` in site.yml to one that exists, or put yours in themes/\(name)/."
    case .badTheme(let file, let problem):
      "\(file): error: \(problem)"
    case .template(let text):
      text
    case .notOurs(let folder):
      "\(folder): error: this folder holds files that threadsite did not write, and a build replaces the whole of it. "
        + "Choose another `output:`, empty the folder, or say --force."
    case .busy(let folder):
      "\(folder): error: another build is writing this site, or it is being published. Wait until that is done."
    case .unfinished(let folder):
      "\(folder): error: a build that was stopped left parts of the old site and parts of the new one here. `threadsite build` puts the rest in its "
        + "place."
    case .unsafeOutput(let folder, let problem):
      "\(folder): error: this cannot be the output folder: \(problem)"
    case .file(let error): error.description
    case .halfInPlace(let folder, let error):
      "\(error)\n\(folder) holds parts of the old site and parts of the new one. Mend this and build again, which goes on from there."
    case .samePage(let path, let first, let second):
      "\(path): error: two threads would be written to this page: \(first) and \(second). "
        + "Change one of them in the store's permalinks.json."
    case .takenPage(let path, let thread):
      "\(path): error: the thread \(thread) would be written over a page of the site's own. "
        + "Change its address in the store's permalinks.json."
    case .alikePaths(let first, let second):
      "\(second): error: this path differs from \(first) in nothing but letter case or the way its letters are composed, so that many disks "
        + "would keep one file for both. If they are folders of authors, give the one in the store another name; if they are pages of "
        + "threads, change one in the store's permalinks.json; else rename the file."
    case .writtenTwice(let path):
      "\(path): error: two things of the site have this one name. Change the permalink of a thread or rename the file that "
        + "a theme brings."
    }
  }
}

/// Runs file operations and converts their errors to errors of this module.
func withFiles<Result>(_ work: () throws(FileError) -> Result) throws(SiteOutputError) -> Result {
  do {
    return try work()
  } catch {
    throw .file(error)
  }
}
