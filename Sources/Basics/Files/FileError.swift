#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An error of reading, writing or creating a file or folder: the operation, the path, and the reason.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause of an error.
  package enum Kind: Hashable, Sendable {
    /// A part of the path is a symbolic link. `path` is that part.
    case link
    /// A pipe, a socket, a device or a folder in place of a file.
    case notRegular
    /// The file is longer than allowed.
    case tooLarge
    /// The file or folder does not exist.
    case missing
    /// The two paths are on different disks, so that a file cannot be renamed from one to the other.
    case otherDisk
    /// The user lacks the permission, or the file system is read-only.
    case forbidden
    /// Any other error, such as a disk error.
    case system
  }

  /// The operation, as the end of "could not …": `write the file`.
  package let operation: String
  package let path: String
  /// The reason in words for the user.
  package let reason: String
  package let kind: Kind

  package init(operation: String, path: String, reason: String, kind: Kind = .system) {
    self.operation = operation
    self.path = path
    self.reason = reason
    self.kind = kind
  }

  /// Creates an error from the `errno` of a system call. For ELOOP, the error's `path` is the part of the path up to the symbolic link.
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

  /// Whether the cause is the file at the path, and not the disk or the user's permissions.
  package var isAboutTheFile: Bool {
    switch kind {
    case .link, .notRegular, .tooLarge: true
    case .missing, .otherDisk, .forbidden, .system: false
    }
  }

  package var description: String { "\(shownPath): error: \(message)" }

  /// The path for messages, without control characters.
  package var shownPath: String { TextControls.shownOnOneLine(path) }

  /// The message without the path.
  package var message: String {
    guard kind == .link else { return "could not \(operation): \(reason)." }
    return
      "this is a symbolic link, and threadsite does not follow links: replace it with the file or folder."
  }
}
