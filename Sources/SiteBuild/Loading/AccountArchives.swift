import Basics
import SiteWorkspace

/// The check that the owner's files contain no archive of an account, which a build would publish with its private messages.
enum AccountArchives {
  /// The extensions of archives and of lists of posts. Other files are not read.
  private static let extensions = [".zip", ".tar", ".tar.gz", ".tgz", ".car", ".json"]

  /// Throws one error that names all archives that a network recognizes as its own.
  ///
  /// - Parameter files: paths in the folder.
  static func refuse(_ files: [String], in folder: String, networks: NetworkRegistry) throws(PipelineError) {
    let archives = files.filter { file in
      // A file that no network can read is not an archive of an account.
      extensions.contains { file.lowercased().hasByteSuffix($0) }
        && (try? networks.export(at: "\(folder)/\(file)")) != nil
    }
    guard !archives.isEmpty else { return }
    throw PipelineError(
      .configuration,
      archives.map {
        "\(folder)/\($0): error: this is the archive of an account, and a build would publish it with all private data; move it to another folder"
      })
  }
}
