import Basics
import SiteWorkspace

/// The check that the owner's files contain no archive of an account, which a build would publish with its private messages.
enum AccountArchives {
  /// The extensions of archives.
  private static let extensions = [".zip", ".tar", ".tar.gz", ".tgz", ".car"]

  /// The names of exports in single files. Other JSON files are not read.
  private static func mayBeExport(_ file: String) -> Bool {
    let name = (file.split(separator: "/").last ?? "").lowercased()
    return ["outbox.json", "pixelfed-statuses.json"].contains(name)
      || name.hasBytePrefix("notes-") && name.hasByteSuffix(".json")
      || extensions.contains { name.hasByteSuffix($0) }
  }

  /// Throws one error that names all archives that a network recognizes as its own.
  ///
  /// - Parameter files: paths in the folder.
  static func refuse(_ files: [String], in folder: String, networks: NetworkRegistry) throws(PipelineError) {
    let archives = files.filter { file in
      // A file that no network can read is not an archive of an account.
      mayBeExport(file) && (try? networks.export(at: "\(folder)/\(file)")) != nil
    }
    guard !archives.isEmpty else { return }
    throw PipelineError(
      .configuration,
      archives.map {
        "\(folder)/\($0): error: this is the archive of an account, and a build would publish it with all private data; move it to another folder"
      })
  }
}
