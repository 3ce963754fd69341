import Templates
import Yams

extension Theme {
  /// Loads a theme from its folders, where a file of a later folder takes the place of the same file of an earlier one.
  ///
  /// - Parameter folders: absolute paths, such as the installed theme's and the site's own `themes/<name>`; those that do
  ///   not exist count for nothing.
  package static func load(_ name: String, from folders: [String]) throws(SiteOutputError) -> Theme {
    let present = folders.filter { POSIXFile.isFolder($0) }
    guard !present.isEmpty else { throw .noTheme(name: name, searched: folders) }
    var files: [String: String] = [:]
    for folder in present {
      for file in fileNames(below: folder) { files[file] = folder + "/" + file }
    }
    guard let description = files["theme.yml"] else {
      throw .badTheme(file: (present.last ?? "") + "/theme.yml", problem: "a theme needs this file, with its name and version.")
    }
    try checkDescription(description)
    let layouts = try compileLayouts(files)
    for layout in requiredLayouts where !layouts.contains(layout) {
      throw .badTheme(file: description, problem: "the theme \"\(name)\" has no layout \"layouts/\(layout).mustache\".")
    }
    let (assets, stylesheet, icon) = try listAssets(files)
    guard let stylesheet else {
      throw .badTheme(file: description, problem: "the theme \"\(name)\" has no style sheet \"static/style.css\".")
    }
    return Theme(name: name, layouts: layouts, stylesheet: stylesheet, icon: icon, assets: assets)
  }

  private static func fileNames(below folder: String, prefix: String = "") -> [String] {
    POSIXFile.names(in: folder).filter { !$0.hasPrefix(".") }.flatMap { name in
      let path = folder + "/" + name
      return POSIXFile.isFolder(path) ? fileNames(below: path, prefix: prefix + name + "/") : [prefix + name]
    }
  }

  /// `theme.yml`: name, description and version, all text.
  private static func checkDescription(_ file: String) throws(SiteOutputError) {
    let text = String(decoding: try FileBytes.read(file), as: UTF8.self)
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
        throw .badTheme(file: file + line, problem: "unknown key \"\(key.string ?? "?")\"; known are name, description, version.")
      }
      guard value.scalar != nil else { throw .badTheme(file: file + line, problem: "\(name) should be text.") }
    }
  }

  /// Layouts and partials are one set: a layout is a template that pages begin with.
  private static func compileLayouts(_ files: [String: String]) throws(SiteOutputError) -> TemplateSet {
    var sources: [TemplateSource] = []
    for (file, path) in files.sorted(by: { $0.key < $1.key }) {
      guard file.hasSuffix(".mustache"), file.hasPrefix("layouts/") || file.hasPrefix("partials/"),
        let name = file.split(separator: "/").last?.dropLast(".mustache".count)
      else { continue }
      let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
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
      let name = file.dropFirst("static/".count)
      var target = SitePath("assets/\(name)")
      if name == "style.css" || name.hasPrefix("icon.") {
        let hash = ContentHash.of(try FileBytes.read(path)).prefix(10)
        let parts = name.split(separator: ".")
        target = SitePath("assets/\(parts[0]).\(hash).\(parts[parts.count - 1])")
        if name == "style.css" { stylesheet = target } else { icon = target }
      }
      assets.append(Asset(source: path, path: target))
    }
    return (assets, stylesheet, icon)
  }
}
