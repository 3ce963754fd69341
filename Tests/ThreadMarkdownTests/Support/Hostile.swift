import Basics
import Foundation
import TestSupport

/// Collections of hostile strings, kept beside the repository.
enum Hostile {
  /// A JSON array of strings.
  static func strings(_ path: String) throws -> [String] {
    guard let folder = ProjectFolders.sharedFixtures else { return [] }
    let data = try Data(contentsOf: folder.appending(path: path))
    return try JSONDecoder().decode([String].self, from: data)
  }
}
