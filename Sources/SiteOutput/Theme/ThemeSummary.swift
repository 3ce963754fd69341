import Basics
package import SiteConfig

/// The description of a theme that a site can use, without its templates.
package struct ThemeSummary: Sendable {
  /// The name of its folder.
  package let name: String
  /// One paragraph; `nil` if no theme.yml has a description.
  package let description: String?
  package let version: String?
  /// The themes that it extends, the nearest first.
  package let bases: [String]
  /// Its folders, the installed one first. A file in a later folder replaces the same file of an earlier one.
  package let folders: [String]
  /// Its options, including those that it inherits.
  package let options: [ThemeOptionDeclaration]
  package let colors: ThemeColors?

  /// - Parameter roots: folders that contain themes, as for ``ThemeLayers``.
  package init(of name: String, in roots: [String]) throws(SiteOutputError) {
    let layers = try ThemeLayers(of: name, in: roots)
    let own = layers.layers.filter { $0.theme == name }
    self.name = name
    description = own.reversed().compactMap { $0.description?.description.summary }.first
    version = own.reversed().compactMap { $0.description?.description.version }.first
    var bases: [String] = []
    for layer in layers.layers.reversed() where layer.theme != name && bases.last != layer.theme {
      bases.append(layer.theme)
    }
    self.bases = bases
    folders = own.map(\.folder)
    options = layers.options
    colors = layers.last(\.colors)
  }

  /// Returns the names of all themes in folders that contain themes, sorted. A folder without a theme.yml is not a theme, unless it adds
  /// to a theme of another folder.
  package static func names(in roots: [String]) throws(SiteOutputError) -> [String] {
    var names: Set<String> = []
    for root in roots {
      for name in try folderNames(in: root) where FileSystem.kind(of: "\(root)/\(name)/theme.yml") != .nothing
      {
        names.insert(name)
      }
    }
    return names.sorted()
  }

  private static func folderNames(in root: String) throws(SiteOutputError) -> [String] {
    do throws(FileError) {
      return try FileSystem.names(in: root).filter { !PathText.isHidden($0) }
    } catch {
      // A site of its own has no themes/ until it needs one.
      if error.kind == .missing { return [] }
      throw .file(error)
    }
  }
}
