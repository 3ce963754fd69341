import Basics
import SiteConfig

/// The folders that make up a theme. A file in a later folder replaces the same file in an earlier one.
///
/// The folders of a base theme come before the folders of the theme that extends it. For each theme, the installed folder comes before the
/// site's own.
package struct ThemeLayers {
  /// The name of the theme.
  let name: String
  struct Layer {
    let theme: String
    let folder: String
    let description: DecodedThemeDescription?
    /// Paths of all files below the folder, sorted.
    let files: [String]
  }

  let layers: [Layer]
  /// The layers that contain a file, by the file's path: indices of ``layers``; the last one is used.
  let holders: [String: [Int]]

  /// - Parameter roots: folders that contain themes, such as the installed folder and the site's own `themes`.
  package init(of name: String, in roots: [String]) throws(SiteOutputError) {
    var layers: [Layer] = []
    var chain: [String] = []
    var next: String? = name
    var asking: DecodedThemeDescription?
    while let theme = next {
      let folders = roots.map { "\($0)/\(theme)" }.filter {
        // Reading a symbolic link throws an error.
        [.folder, .link].contains(FileSystem.kind(of: $0))
      }
      if chain.contains(theme) { throw Self.circle(chain + [theme], asking) }
      guard !folders.isEmpty else { throw Self.missing(theme, roots, asking) }
      chain.append(theme)
      var own: [Layer] = []
      for folder in folders { own.append(try Self.read(theme, folder)) }
      guard own.contains(where: { $0.description != nil }) else {
        throw .badTheme(
          file: (folders.last ?? "") + "/theme.yml",
          problem: "a theme needs this file, with its name; `extends: paper` in it builds upon another theme."
        )
      }
      layers = own + layers
      asking = own.last { $0.description?.description.base != nil }?.description
      next = asking?.description.base
    }
    self.name = name
    self.layers = layers
    var holders: [String: [Int]] = [:]
    for (index, layer) in layers.enumerated() {
      for file in layer.files { holders[file, default: []].append(index) }
    }
    self.holders = holders
  }

  /// All files with the full path in the last layer that contains them, sorted by name.
  var files: [(name: String, path: String)] {
    holders.keys.sorted().compactMap { name in path(of: name).map { (name, $0) } }
  }

  func path(of name: String) -> String? {
    holders[name]?.last.map { layers[$0].folder + "/" + name }
  }

  /// The folders that may hold strings files, in the order of the layers.
  package var stringsFolders: [String] { layers.map { $0.folder + "/templates/strings" } }

  /// Returns a value from the last theme.yml that declares it; `nil` if no theme.yml declares it.
  func last<Value>(_ value: (ThemeDescription) -> Value?) -> Value? {
    for layer in layers.reversed() {
      if let description = layer.description, let found = value(description.description) { return found }
    }
    return nil
  }

  /// All options; a later declaration replaces an earlier one with the same name.
  var options: [ThemeOptionDeclaration] {
    var options: [ThemeOptionDeclaration] = []
    for option in layers.flatMap({ $0.description?.description.options ?? [] }) {
      if let index = options.firstIndex(where: { $0.name == option.name }) {
        options[index] = option
      } else {
        options.append(option)
      }
    }
    return options
  }

  // MARK: - Reading

  private static func read(_ theme: String, _ folder: String) throws(SiteOutputError) -> Layer {
    let files = try fileNames(below: folder)
    var description: DecodedThemeDescription?
    if files.contains("theme.yml") {
      let path = folder + "/theme.yml"
      let bytes = try withFiles { () throws(FileError) in try FileBytes.read(path) }
      do {
        description = try DecodedThemeDescription(bytes: bytes, file: path)
      } catch {
        throw .badDescription(error)
      }
    }
    return Layer(theme: theme, folder: folder, description: description, files: files)
  }

  /// Returns the paths of all files below a folder, sorted; names that begin with a full stop are left out.
  private static func fileNames(below folder: String, prefix: String = "") throws(SiteOutputError) -> [String]
  {
    var files: [String] = []
    for entry in try withFiles({ () throws(FileError) in try FileSystem.entries(of: folder) })
    where !PathText.isHidden(entry.name) {
      let path = folder + "/" + entry.name
      switch entry.kind {
      case .folder: files += try fileNames(below: path, prefix: prefix + entry.name + "/")
      case .file: files.append(prefix + entry.name)
      // Reading throws the error that describes the problem.
      case .link, .other, .nothing:
        _ = try withFiles { () throws(FileError) in try FileBytes.read(path) }
      }
    }
    return files
  }

  // MARK: - Errors

  private static func circle(_ chain: [String], _ asking: DecodedThemeDescription?) -> SiteOutputError {
    problem(
      "the themes extend each other in a circle: \(chain.joined(separator: " → ")); one of them must stand alone",
      asking)
  }

  private static func missing(
    _ theme: String, _ roots: [String], _ asking: DecodedThemeDescription?
  ) -> SiteOutputError {
    let suggestion = Suggestion.phrase(for: theme, among: themes(in: roots))
    let text =
      "there is no theme \"\(theme)\"\(suggestion.isEmpty ? "." : suggestion) Looked in: "
      + roots.map { "\($0)/\(theme)" }.joined(separator: ", ")
    guard asking == nil else { return problem(text, asking) }
    return .noTheme(
      problem: text + ". Set `theme` in site.yml to an existing theme, or add yours in themes/\(theme)/.")
  }

  private static func problem(_ text: String, _ asking: DecodedThemeDescription?) -> SiteOutputError {
    guard let asking else { return .badTheme(file: "theme.yml", problem: text) }
    return .badDescription(SiteConfigError(problems: [asking.problem(at: "extends", text)]))
  }

  /// Returns the names of all themes, for a suggestion in an error message.
  private static func themes(in roots: [String]) -> [String] {
    roots.flatMap { root in
      // Only for a suggestion, so unreadable folders are ignored.
      ((try? FileSystem.names(in: root)) ?? []).filter { FileSystem.isFolder("\(root)/\($0)") }
    }.sorted()
  }
}
