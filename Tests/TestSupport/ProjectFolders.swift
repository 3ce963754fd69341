package import Foundation

/// Where tests find the repository and the data beside it, from the path of this source file.
package enum ProjectFolders {
  /// The repository's top folder.
  package static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Real data kept beside the repository, never in it; `nil` where it is missing.
  package static let sharedFixtures: URL? = {
    let folder = repository.deletingLastPathComponent().appending(path: "shared/fixtures")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// Networks' own documents kept beside the repository, never in it; `nil` where they are missing.
  package static let sharedReference: URL? = {
    let folder = repository.deletingLastPathComponent().appending(path: "shared/reference")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// For `@Test(.enabled(if: ProjectFolders.hasSharedFixtures, …))`: the test is reported as skipped elsewhere.
  package static var hasSharedFixtures: Bool { sharedFixtures != nil }

  /// The project's own fixtures of one test target: `Tests/<target>/Fixtures`.
  package static func fixtures(of testTarget: String) -> URL {
    repository.appending(path: "Tests/\(testTarget)/Fixtures")
  }
}
