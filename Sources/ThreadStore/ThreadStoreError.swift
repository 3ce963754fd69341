package import JSONText

/// Why a conversation could not be read or kept. Each says which file, and what to do.
package enum ThreadStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is no JSON, or no conversation.
  case damaged(file: String, JSONError)
  /// The file says that it is of a format that this version does not know.
  case newerFormat(file: String, found: Int)
  /// The file holds another conversation than its name says.
  case misnamed(file: String, holds: String)
  /// The file is bigger than any conversation.
  case tooLarge(file: String, bytes: Int)
  /// A symbolic link where a folder or file of the store should be.
  case symbolicLink(String)
  /// A name that cannot be one of the store's files.
  case unsafeName(String)
  /// The system refused: what was tried, on which file, and the system's words.
  case system(action: String, file: String, reason: String)

  package var description: String {
    switch self {
    case .damaged(let file, let error): error.description(file: file)
    case .newerFormat(let file, let found):
      "\(file): error: written by a newer threadsite (format \(found); this one reads "
        + "\(ConversationCoding.format)): update threadsite to read it"
    case .misnamed(let file, let holds):
      "\(file): error: holds \(holds), which is not what its name says: move it to where it belongs"
    case .tooLarge(let file, let bytes):
      "\(file): error: \(bytes) bytes is more than the \(ThreadStore.maximumFileSize) that a conversation may have"
    case .symbolicLink(let file):
      "\(file): error: a symbolic link, which threadsite does not follow inside the store: "
        + "put the file or folder itself there"
    case .unsafeName(let name):
      "error: \"\(name)\" cannot be the name of a file in the store"
    case .system(let action, let file, let reason): "\(file): error: could not \(action): \(reason)"
    }
  }
}
