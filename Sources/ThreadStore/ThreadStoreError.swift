package import Basics
import ThreadModel

/// An error of reading or writing the store. Its description names the file and the solution.
package enum ThreadStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is not JSON, or not a conversation.
  case damaged(file: String, JSONError)
  /// The file has a format that is unknown to this version.
  case newerFormat(file: String, found: Int)
  /// The file contains a different conversation than its name indicates.
  case misnamed(file: String, holds: String)
  /// A symbolic link in the place of a folder or file of the store.
  case symbolicLink(String)
  /// A name that no file of the store can have.
  case unsafeName(String)
  /// The file would be larger than the limit for reading, and was not written.
  case tooLarge(file: String, bytes: Int)
  /// The record of removed threads cannot be read.
  case badRemovals(file: String, problem: String)
  /// The file of webmentions cannot be read.
  case badWebMentions(file: String, problem: String)
  /// The system refused access, or the file is larger than any conversation.
  case file(FileError)

  init(_ error: FileError) {
    self = error.kind == .link ? .symbolicLink(error.path) : .file(error)
  }

  /// Returns advice on a file that is not valid JSON. Errors in single fields of valid JSON contain their advice.
  private static func advice(on error: JSONError) -> String {
    let restoring =
      "restore it from version control or a backup, or delete it and fetch or import the thread again"
    if error.isOfEnd { return "; the file is truncated: \(restoring)" }
    if error.message.hasSuffix("found '<'") {
      return
        "; if this is a merge conflict marker of git, resolve the conflict; otherwise the file is damaged: \(restoring)"
    }
    // The file as a whole is not an object.
    let isWhole = error.line == 1 && error.column == 1 && error.message.hasPrefix("expected ")
    return isWhole ? "; the file is damaged: \(restoring)" : ""
  }

  package var description: String {
    switch self {
    case .damaged(let file, let error):
      error.description(file: TextControls.shownOnOneLine(file))
        + Self.advice(on: error)
    case .newerFormat(let file, let found):
      "\(TextControls.shownOnOneLine(file)): error: written by a newer threadsite (format \(found); this one reads "
        + "\(StoreFormat.current)): update threadsite to read it"
    case .misnamed(let file, let holds):
      "\(TextControls.shownOnOneLine(file)): error: contains \(holds), which does not match its name: rename or move the file, or delete it if it is a copy"
    case .symbolicLink(let file):
      "\(TextControls.shownOnOneLine(file)): error: threadsite does not follow symbolic links in the store: "
        + "replace the link with the file or folder"
    case .unsafeName(let name):
      "error: \"\(TextControls.shownOnOneLine(name))\" cannot be the name of a file in the store"
    case .tooLarge(let file, let bytes):
      "\(TextControls.shownOnOneLine(file)): error: not saved, because its \(bytes) bytes exceed the limit of \(ThreadStore.maximumFileSize) bytes "
        + "per file; the stored thread is unchanged. Fetch fewer posts of the conversation, such as without the "
        + "replies of others"
    case .badRemovals(let file, let problem):
      "\(TextControls.shownOnOneLine(file)): error: this record of removed threads is not valid: \(problem). Fix it or restore it from "
        + "version control; without it, removed threads could return"
    case .badWebMentions(let file, let problem):
      "\(TextControls.shownOnOneLine(file)): error: not a file of webmentions: \(problem). Restore it from version control, or delete "
        + "it and run `threadsite fetch`"
    case .file(let error): error.description
    }
  }
}
