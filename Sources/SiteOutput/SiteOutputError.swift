package import Basics
package import SiteConfig

/// The errors of writing a site.
package enum SiteOutputError: Error, Sendable {
  case badPermalinks(file: String, problem: String)
  /// A theme that was not found. The problem is a sentence without a place.
  case noTheme(problem: String)
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
      "\(file): error: the record of permalinks is not valid: \(problem)"
    case .badDescription(let error): error.description
    case .noTheme(let problem): "error: \(problem)"
    case .badTheme(let file, let problem):
      "\(file): error: \(problem)"
    case .template(let text):
      text
    case .notOurs(let folder):
      "\(folder): error: this folder contains files that threadsite did not write, and a build replaces its whole content. "
        + "Set another `output`, empty the folder, or use --force."
    case .busy(let folder):
      "\(folder): error: the site is being built or published by another process. Try again when that has finished."
    case .unfinished(let folder):
      "\(folder): error: this folder contains a mix of the old and the new site, because a build was interrupted. Run `threadsite build` "
        + "to complete it."
    case .unsafeOutput(let folder, let problem):
      "\(folder): error: this cannot be the output folder: \(problem)"
    case .file(let error): error.description
    case .halfInPlace(let folder, let error):
      "\(error)\n\(folder) contains a mix of the old and the new site. Fix the problem and build again to complete it."
    case .samePage(let path, let first, let second):
      "\(path): error: two threads have this page: \(first) and \(second). "
        + "Change one of them in the store's permalinks.json."
    case .takenPage(let path, let thread):
      "\(path): error: the page of the thread \(thread) would replace a page of the site. "
        + "Change its path in the store's permalinks.json."
    case .alikePaths(let first, let second):
      "\(second): error: this path differs from \(first) only in letter case or Unicode composition, so many file systems "
        + "treat both as one file. Rename the author's folder in the store, change the page of a "
        + "thread in the store's permalinks.json, or rename the file."
    case .writtenTwice(let path):
      "\(path): error: two files of the site have this path. Change the permalink of a thread or rename the file of the "
        + "theme."
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
