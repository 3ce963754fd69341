import Basics
package import NetworkSources
package import SiteWorkspace

/// `threadsite import --likes` and `--bookmarks`: reads the posts of others that accounts marked, from the accounts' archives.
///
/// The list is only returned: the store and the site are unchanged.
package struct ReadingListImport: Sendable {
  private let networks: NetworkRegistry

  package init(networks: NetworkRegistry = .all) { self.networks = networks }

  /// Returns the lists of all archives as one list, and the errors of archives without such a list.
  package func run(
    _ kind: ReadingList.Kind, in paths: [String]
  ) -> (list: ReadingList, errors: [PipelineError]) {
    var list = ReadingList()
    var errors: [PipelineError] = []
    for path in paths.map(FileSystem.named) {
      do throws(SourceError) {
        guard let export = try networks.export(at: path) else {
          throw SourceError(export: path, "is not an archive of a network")
        }
        list.append(try export.readingList(kind))
      } catch {
        errors.append(PipelineError(error))
      }
    }
    return (list, errors)
  }
}
