package import Basics

/// Why a conversation could not be read or kept. Each says which file, and what to do.
package enum ThreadStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is no JSON, or no conversation.
  case damaged(file: String, JSONError)
  /// The file says that it is of a format that this version does not know.
  case newerFormat(file: String, found: Int)
  /// The file holds another conversation than its name says.
  case misnamed(file: String, holds: String)
  /// A symbolic link where a folder or file of the store should be.
  case symbolicLink(String)
  /// A name that cannot be one of the store's files.
  case unsafeName(String)
  /// The file would have more bytes than are read back, and was not written.
  case tooLarge(file: String, bytes: Int)
  /// The record of what was removed is none that can be read.
  case badRemovals(file: String, problem: String)
  /// The system refused, or the file is bigger than any conversation.
  case file(FileError)

  init(_ error: FileError) {
    self = error.kind == .link ? .symbolicLink(error.path) : .file(error)
  }

  package var description: String {
    switch self {
    case .damaged(let file, let error):
      error.description(file: TextControls.shownOnOneLine(file))
        + (error.isOfEnd
          ? "; the file was cut short: take it back from version control or a backup, or delete it and fetch or import the thread again"
          : "")
    case .newerFormat(let file, let found):
      "\(TextControls.shownOnOneLine(file)): error: written by a newer threadsite (format \(found); this one reads "
        + "\(ConversationCoding.format)): update threadsite to read it"
    case .misnamed(let file, let holds):
      "\(TextControls.shownOnOneLine(file)): error: holds \(holds), which is not what its name says: move it to where it belongs"
    case .symbolicLink(let file):
      "\(TextControls.shownOnOneLine(file)): error: a symbolic link, which threadsite does not follow inside the store: "
        + "put the file or folder itself there"
    case .unsafeName(let name):
      "error: \"\(TextControls.shownOnOneLine(name))\" cannot be the name of a file in the store"
    case .tooLarge(let file, let bytes):
      "\(TextControls.shownOnOneLine(file)): error: not saved, as its \(bytes) bytes would be more than the \(ThreadStore.maximumFileSize) that are read "
        + "back; what was stored before is as it was. Take fewer of the conversation's posts, such as those without the "
        + "replies of others"
    case .badRemovals(let file, let problem):
      "\(TextControls.shownOnOneLine(file)): error: this is no record of removed threads: \(problem). Put it right or take it back from "
        + "version control: without it, what was removed could come back"
    case .file(let error): error.description
    }
  }
}
