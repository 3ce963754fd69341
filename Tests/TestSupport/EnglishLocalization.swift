import Foundation
import SiteConfig
package import ThreadModel

extension Localization {
  /// The interface's words as they are installed.
  package static let english = installed("en")

  /// The words of an installed language.
  package static func installed(_ language: String) -> Localization {
    let folder = ProjectFolders.repository.appending(path: "templates/strings").path
    do {
      return try LoadedLocalization(language: language, folders: [folder]).localization
    } catch {
      // No test means anything without them.
      fatalError("\(error)")
    }
  }
}
