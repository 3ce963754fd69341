package import Foundation

/// The folders of the repository and of the data beside it, relative to the path of this source file.
package enum ProjectFolders {
  /// The repository's top folder.
  package static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of real data, which is kept beside the repository, never in it; `nil` if it is missing.
  package static let sharedFixtures: URL? = {
    let folder = repository.deletingLastPathComponent().appending(path: "shared/fixtures")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The folder of documents of the networks, which is kept beside the repository, never in it; `nil` if it is missing.
  package static let sharedReference: URL? = {
    let folder = repository.deletingLastPathComponent().appending(path: "shared/reference")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The condition in `@Test(.enabled(if: ProjectFolders.hasSharedFixtures, …))`: without the data, the test is reported as skipped.
  package static var hasSharedFixtures: Bool { sharedFixtures != nil }

  /// Returns the folder of the fixtures of a test target: `Tests/<target>/Fixtures`.
  package static func fixtures(of testTarget: String) -> URL {
    repository.appending(path: "Tests/\(testTarget)/Fixtures")
  }
}
