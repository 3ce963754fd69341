#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file or folder that could not be read, written or made: what was tried, on what, and why not.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is to blame.
  package enum Kind: Hashable, Sendable {
    /// A part of the path is a symbolic link: `path` is that part.
    case link
    /// A pipe, a socket, a device or a folder where a file should be.
    case notRegular
    /// More bytes than it may have.
    case tooLarge
    /// There is nothing of that name.
    case missing
    /// Two places are not on one disk, where one name cannot become the other.
    case otherDisk
    /// Whoever runs the program may not.
    case forbidden
    /// The disk, and anything else.
    case system
  }

  /// Completes "could not …": `write the file`.
  package let operation: String
  package let path: String
  /// In words for the user.
  package let reason: String
  package let kind: Kind

  package init(operation: String, path: String, reason: String, kind: Kind = .system) {
    self.operation = operation
    self.path = path
    self.reason = reason
    self.kind = kind
  }

  /// What a system call said by `errno`. Where a link was met, the error is about that link, wherever in the path it is.
  package init(operation: String, path: String, code: Int32) {
    let link = code == ELOOP ? FileSystem.firstLink(in: path) ?? path : nil
    let kind: Kind =
      switch code {
      case ELOOP: .link
      case ENOENT: .missing
      case EXDEV: .otherDisk
      case EACCES, EPERM, EROFS: .forbidden
      default: .system
      }
    self.init(operation: operation, path: link ?? path, reason: FileSystem.reason(code), kind: kind)
  }

  static func notRegular(_ path: String) -> FileError {
    FileError(
      operation: "read the file", path: path, reason: "it is not a regular file", kind: .notRegular)
  }

  /// Whether what stands at the path is to blame, rather than the disk or who runs the program.
  package var isAboutTheFile: Bool {
    switch kind {
    case .link, .notRegular, .tooLarge: true
    case .missing, .otherDisk, .forbidden, .system: false
    }
  }

  package var description: String {
    let path = TextControls.shownOnOneLine(path)
    guard kind == .link else { return "\(path): error: could not \(operation): \(reason)." }
    return "\(path): error: this is a symbolic link, and nothing is read or written through one: "
      + "put the file or folder itself there."
  }
}
