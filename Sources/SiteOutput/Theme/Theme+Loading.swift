import Files
import Templates
import UTF8Text
import Yams

extension Theme {
  /// Loads a theme from its folders, where a file of a later folder takes the place of the same file of an earlier one.
  ///
  /// - Parameter folders: absolute paths, such as the installed theme's and the site's own `themes/<name>`; those that do
  ///   not exist count for nothing.
  package static func load(_ name: String, from folders: [String]) throws(SiteOutputError) -> Theme {
    let present = folders.filter { FileSystem.isFolder($0) }
    guard !present.isEmpty else { throw .noTheme(name: name, searched: folders) }
    var files: [String: String] = [:]
    for folder in present {
      for file in try fileNames(below: folder) { files[file] = folder + "/" + file }
    }
    guard let description = files["theme.yml"] else {
      throw .badTheme(
        file: (present.last ?? "") + "/theme.yml",
        problem: "a theme needs this file, with its name and version.")
    }
    try checkDescription(description)
    let layouts = try compileLayouts(files)
    for layout in requiredLayouts where !layouts.contains(layout) {
      throw .badTheme(
        file: description, problem: "the theme \"\(name)\" has no layout \"layouts/\(layout).mustache\".")
    }
    let (assets, stylesheet, icon) = try listAssets(files)
    guard let stylesheet else {
      throw .badTheme(
        file: description, problem: "the theme \"\(name)\" has no style sheet \"static/style.css\".")
    }
    return Theme(name: name, layouts: layouts, stylesheet: stylesheet, icon: icon, assets: assets)
  }

  /// Paths of all files below a folder, sorted; those that begin with a dot are left out.
  private static func fileNames(below folder: String, prefix: String = "") throws(SiteOutputError) -> [String]
  {
    var files: [String] = []
    for name in try withFiles({ () throws(FileError) in try FileSystem.names(in: folder) })
    where !name.hasPrefix(".") {
      if FileSystem.isFolder(folder + "/" + name) {
        files += try fileNames(below: folder + "/" + name, prefix: prefix + name + "/")
      } else {
        files.append(prefix + name)
      }
    }
    return files
  }

  /// `theme.yml`: name, description and version, all text.
  private static func checkDescription(_ file: String) throws(SiteOutputError) {
    let text = String(
      decoding: try withFiles { () throws(FileError) in try FileBytes.read(file) }, as: UTF8.self)
    let node: Node?
    do {
      node = try Yams.compose(yaml: text)
    } catch {
      throw .badTheme(file: file, problem: "\(error)")
    }
    guard let mapping = node?.mapping else {
      throw .badTheme(file: file, problem: "this should be a mapping with name, description and version.")
    }
    for (key, value) in mapping {
      let line = key.mark.map { ":\($0.line):\($0.column)" } ?? ""
      guard let name = key.string, ["name", "description", "version"].contains(name) else {
        throw .badTheme(
          file: file + line,
          problem: "unknown key \"\(key.string ?? "?")\"; known are name, description, version.")
      }
      guard value.scalar != nil else {
        throw .badTheme(file: file + line, problem: "\(name) should be text.")
      }
    }
  }

  /// Layouts and partials are one set: a layout is a template that pages begin with.
  private static func compileLayouts(_ files: [String: String]) throws(SiteOutputError) -> TemplateSet {
    var sources: [TemplateSource] = []
    var known: [String: String] = [:]
    for (file, path) in files.sorted(by: { $0.key < $1.key }) {
      guard file.hasSuffix(".mustache"), file.hasPrefix("layouts/") || file.hasPrefix("partials/"),
        let name = file.split(separator: "/").last?.dropLast(".mustache".count)
      else { continue }
      if let other = known.updateValue(file, forKey: String(name)) {
        throw .badTheme(
          file: path, problem: "layouts and partials share their names, and \(other) has this one, too.")
      }
      let text = String(
        decoding: try withFiles { () throws(FileError) in try FileBytes.read(path) }, as: UTF8.self)
      sources.append(TemplateSource(name: String(name), file: path, text: text))
    }
    do {
      return try TemplateSet(kind: .html, sources)
    } catch {
      throw .template(error.description)
    }
  }

  /// Everything in `static/`; the style sheet and the icon get a name by their content, so that a browser which kept an
  /// older one asks for the new one.
  private static func listAssets(
    _ files: [String: String]
  ) throws(SiteOutputError) -> (assets: [Asset], stylesheet: SitePath?, icon: SitePath?) {
    var assets: [Asset] = []
    var stylesheet: SitePath?
    var icon: SitePath?
    for (file, path) in files.sorted(by: { $0.key < $1.key }) where file.hasPrefix("static/") {
      let name = String(file.dropFirst("static/".count))
      guard let named = try pathWithHash(name, source: path) else {
        assets.append(Asset(source: path, path: SitePath("assets/\(name)")))
        continue
      }
      if name == "style.css" { stylesheet = named } else { icon = named }
      assets.append(Asset(source: path, path: named))
    }
    return (assets, stylesheet, icon)
  }

  /// `assets/style.0123456789.css` for the style sheet, the same for the icon; `nil` for every other file.
  private static func pathWithHash(_ name: String, source: String) throws(SiteOutputError) -> SitePath? {
    guard name == "style.css" || name == "icon.svg" else { return nil }
    let hash = ContentHash.of(try withFiles { () throws(FileError) in try FileBytes.read(source) }).prefix(10)
    let parts = name.split(separator: ".")
    return SitePath("assets/\(parts[0]).\(hash).\(parts[1])")
  }
}
