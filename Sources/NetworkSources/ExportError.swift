package import Files
package import JSONText

/// Why an export of a network, or a file in it, is not imported.
package struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// There is no such export here: what there is instead, and what to do.
    case noArchive(String)
    /// What no export has, and an attacker's may.
    case refused(String)
    /// The zip file is broken, in libarchive's words or ours.
    case damaged(String)
    case notJSON(JSONError)
    case file(FileError)
  }

  /// The zip file or folder, as the user gave it.
  package var archive: String
  /// The file within, where one is to blame.
  package var entry: String?
  package var reason: Reason

  package init(_ archive: String, _ entry: String? = nil, _ reason: Reason) {
    self.archive = archive
    self.entry = entry
    self.reason = reason
  }

  private var place: String { entry.map { "\(archive)/\($0)" } ?? archive }

  package var description: String {
    switch reason {
    case .noArchive(let words), .refused(let words): "\(place): error: \(words)"
    case .damaged(let words):
      "\(place): error: the file is damaged or incomplete (\(words)): download the archive again"
    case .notJSON(let error): error.description(file: place)
    case .file(let error): error.description
    }
  }

  /// Whether the disk is to blame and not what is on it.
  package var isOfDisk: Bool { if case .file(let error) = reason { !error.isAboutTheFile } else { false } }
}
