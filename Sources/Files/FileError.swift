/// A file or folder that could not be read, written or made: what was tried, on what, and why not.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Completes "could not …": `write the file`.
  package let operation: String
  package let path: String
  /// In words for the user.
  package let reason: String

  package init(operation: String, path: String, reason: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  package var description: String { "\(path): error: could not \(operation): \(reason)." }
}
