import Files
import SiteConfig
package import Templates
import UTF8Text

extension Theme {
  /// Loads a theme, with the one that it extends.
  ///
  /// - Parameter roots: absolute paths of folders that hold themes, such as the installed one and the site's own `themes`:
  ///   a file of a later one takes the place of the same file of an earlier one. Those that do not exist count for nothing.
  package static func load(
    _ name: String, in roots: [String], words: TemplateWords
  ) throws(SiteOutputError) -> Theme {
    try load(ThemeLayers(of: name, in: roots), words: words)
  }

  /// Loads the theme that has these layers.
  package static func load(_ layers: ThemeLayers, words: TemplateWords) throws(SiteOutputError) -> Theme {
    let name = layers.name
    let description = (layers.layers.last?.folder ?? "") + "/theme.yml"
    let sources = try layoutSources(layers)
    let components = try componentSources(layers)
    let layouts: TemplateSet
    do {
      layouts = try TemplateSet(kind: .html, sources, words: words)
    } catch {
      throw .template(error.description)
    }
    for layout in requiredLayouts where !layouts.contains(layout) {
      throw .badTheme(
        file: description, problem: "the theme \"\(name)\" has no layout \"layouts/\(layout).mustache\".")
    }
    var publisher = ThemeAssets(layers)
    let assets = try publisher.publishAll()
    guard let stylesheet = assets.first(where: { $0.name == "style.css" })?.path else {
      throw .badTheme(
        file: description, problem: "the theme \"\(name)\" has no style sheet \"static/style.css\".")
    }
    let options = layers.options
    let mistakes = ThemeMentions(options: options.map(\.name), assets: assets.map(\.name))
      .mistakes(in: sources)
    guard mistakes.isEmpty else { throw .template(mistakes.joined(separator: "\n")) }
    return Theme(
      name: name, layouts: layouts, components: components, options: options,
      showsAvatars: layers.last(\.showsAvatars) ?? true,
      showsCardImages: layers.last(\.showsCardImages) ?? true,
      showsEmoji: layers.last(\.showsEmoji) ?? true, stylesheet: stylesheet,
      icon: assets.first { $0.name == "icon.svg" }?.path, assets: assets)
  }

  /// Layouts and partials are one set: a layout is a template that pages begin with.
  private static func layoutSources(_ layers: ThemeLayers) throws(SiteOutputError) -> [TemplateSource] {
    var sources: [TemplateSource] = []
    var known: [String: String] = [:]
    for (file, path) in layers.files where file.hasBytePrefix("layouts/") || file.hasBytePrefix("partials/") {
      guard let source = try source(file, path) else { continue }
      if let other = known.updateValue(file, forKey: source.name) {
        throw .badTheme(
          file: path, problem: "layouts and partials share their names, and \(other) has this one, too.")
      }
      sources.append(source)
    }
    return sources
  }

  private static func componentSources(_ layers: ThemeLayers) throws(SiteOutputError) -> [TemplateSource] {
    var sources: [TemplateSource] = []
    for (file, path) in layers.files where file.hasBytePrefix("templates/") {
      if let source = try source(file, path) { sources.append(source) }
    }
    return sources
  }

  private static func source(_ file: String, _ path: String) throws(SiteOutputError) -> TemplateSource? {
    guard let name = PathText.name(of: file).without(byteSuffix: ".mustache") else { return nil }
    let text = String(
      decoding: try withFiles { () throws(FileError) in try FileBytes.read(path) }, as: UTF8.self)
    return TemplateSource(name: String(name), file: path, text: text)
  }
}
