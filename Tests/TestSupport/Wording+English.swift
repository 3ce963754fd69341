import Foundation
import SiteConfig
package import Wording

extension Wording {
  /// The interface's words as they are installed.
  package static let english = installed("en")

  /// The words of an installed language.
  package static func installed(_ language: String) -> Wording {
    let folder = ProjectFolders.repository.appending(path: "templates/strings").path
    do {
      return try LoadedWording(language: language, folders: [folder]).wording
    } catch {
      // No test means anything without them.
      fatalError("\(error)")
    }
  }
}
