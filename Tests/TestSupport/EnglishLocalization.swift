import Foundation
package import InterfaceText
import SiteConfig

extension Localization {
  /// The installed words of the interface in English.
  package static let english = installed("en")

  /// Returns the words of an installed language.
  package static func installed(_ language: String) -> Localization {
    let folder = ProjectFolders.repository.appending(path: "templates/strings").path
    do {
      return try LoadedLocalization(language: language, folders: [folder]).localization
    } catch {
      // Without the words, no test is meaningful.
      fatalError("\(error)")
    }
  }
}
