import Basics
import Foundation
import SiteConfig
import SiteOutput

/// `threadsite init`: creates the files of a new site.
package struct NewSite: Sendable {
  private let folder: String
  private let title: String
  private let forge: CIFiles.Forge?
  private let isBesideFiles: Bool

  /// - Parameters:
  ///   - forge: the forge that will build the site. site.yml gets the publishing settings, unless the forge publishes the site itself.
  ///   - isBesideFiles: whether the folder may contain other files, such as the archive that will be imported.
  package init(
    folder: String, title: String, forge: CIFiles.Forge? = nil, isBesideFiles: Bool = false
  ) {
    self.isBesideFiles = isBesideFiles
    self.folder = FileSystem.withoutLinks(URL(filePath: folder).standardizedFileURL.path)
    self.title = title
    self.forge = forge
  }

  /// Writes the files into a folder that is empty except for hidden files such as `.git`.
  ///
  /// - Returns: the names of the files.
  package func create() throws(PipelineError) -> [String] {
    if !isBesideFiles { try checkEmpty() }
    let starter = SiteConfig.starter(title: title) + (forge?.configuration.map { "\n" + $0 } ?? "")
    do {
      _ = try SiteConfig.decode(
        yaml: starter, file: "site.yml", addresses: NetworkRegistry.all.addresses)
    } catch {
      throw PipelineError(.configuration, ["--title: error: this is not a valid title.\n\(error)"])
    }
    var files: [(String, String)] = []
    if FileSystem.kind(of: folder + "/.gitignore") == .nothing {
      files.append(
        (
          ".gitignore",
          "# The built site and threadsite's working files.\n"
            + "/site/\n/.site.staging/\n/.threadsite/\n\n"
            + "# Archives contain direct messages and addresses, and tokens are secret: keep them out of version control.\n"
            + "/*.zip\n/*.tar.gz\n/*.tgz\n/*.car\n/twitter-*/\n/archive-*/\n/outbox.json\n.env\n.env.*\n*.token\n/token*\n"
        ))
    }
    // site.yml is written last, because a folder with a site.yml counts as a site.
    files.append(("site.yml", starter))
    do {
      try FileSystem.makeFolders(folder + "/threads")
      AtomicFile.removeAbandoned(in: folder)
      for (name, text) in files { try AtomicFile.write(Array(text.utf8), to: folder + "/" + name) }
    } catch {
      throw PipelineError(.io, error)
    }
    return files.map(\.0) + ["threads/"]
  }

  /// Whether the entry is an empty folder for threads, which an interrupted `init` leaves.
  private func isEmptyStore(_ name: String) -> Bool {
    name == "threads" && (try? FileSystem.names(in: "\(folder)/\(name)").isEmpty) == true
  }

  private func checkEmpty() throws(PipelineError) {
    if FileSystem.kind(of: folder) == .file {
      throw PipelineError(
        .io, ["\(folder): error: this is a file. Use the path of a new folder: `threadsite init my-threads`."]
      )
    }
    // If the folder cannot be listed, writing the first file fails with the reason.
    let names = ((try? FileSystem.names(in: folder)) ?? []).filter {
      !PathText.isHidden($0) && !isEmptyStore($0)
    }
    guard names.isEmpty else {
      throw PipelineError(
        .io,
        [
          "\(folder): error: this folder is not empty (\(names.sorted().prefix(3).joined(separator: ", "))). "
            + "Use a new folder: `threadsite init my-threads`."
        ])
    }
  }
}
