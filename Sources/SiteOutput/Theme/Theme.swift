import Basics
package import SiteConfig
package import Templates

/// The appearance of a site: layouts that render pages, components that render posts as Markdown, and the files to which pages refer.
package struct Theme: Sendable {
  package let name: String
  package let layouts: TemplateSet
  /// Templates for Markdown that replace the installed ones.
  package let components: [TemplateSource]
  /// The options that a site can set.
  package let options: [ThemeOptionDeclaration]
  /// Whether pages show pictures of people.
  package let showsAvatars: Bool
  /// Whether previews of linked pages, and lists of threads, show pictures.
  package let showsCardImages: Bool
  /// Whether the custom emoji of servers are shown as pictures.
  package let showsEmoji: Bool
  package let stylesheet: SitePath
  /// The icons, which the site can replace.
  package var icons: SiteIcons
  /// The script in the head of every page; `nil` if the theme has no such script.
  package let headScript: InlineScript?
  /// The background colors of pages; `nil` if the theme does not declare them.
  package let colors: ThemeColors?
  /// The text column of pages; `nil` if the theme does not declare it.
  package let column: ThemeColumn?
  /// The color that the site chose for links; `nil` for the theme's default.
  package let accent: ThemeAccent?
  /// The layouts and partials as written.
  package let sources: [TemplateSource]
  /// The files that are published with the site, sorted by name. The published names contain a digest of the content, except in a preview
  /// those of style sheets.
  package let assets: [Asset]

  /// The style sheets among the files.
  package var styleSheets: [Asset] { assets.filter { $0.name.hasByteSuffix(".css") } }

  /// The published paths of the style sheets, percent-encoded as in URLs, by their names.
  package var sheetPaths: [String: String] {
    Dictionary(styleSheets.map { ($0.name, $0.path.urlText) }) { first, _ in first }
  }

  /// Whether the icon is a file of this folder, such as a site's own, and not an installed one.
  package func hasIcon(below folder: String) -> Bool {
    assets.contains { asset in
      guard ["icon.svg", "icon.png"].contains(asset.name), case .file(let path) = asset.content else {
        return false
      }
      return path.hasBytePrefix(folder + "/")
    }
  }

  package struct Asset: Sendable {
    /// The path below `static/`, as a template names it.
    package let name: String
    /// The published path.
    package let path: SitePath
    package let content: Content

    package enum Content: Sendable, Equatable {
      /// The path of a file that is copied unchanged.
      case file(String)
      /// The text of a style sheet, in which references are replaced by published names.
      case text([UInt8])
    }
  }

  /// The layouts that every theme must have, one for each kind of page.
  package static let requiredLayouts = [
    "thread", "home", "author", "authors", "tag", "tags", "archive", "period", "collections", "collection",
    "404",
  ]
}

extension Theme {
  /// The endings of the names of font files.
  static let fontExtensions = [".woff2", ".woff", ".ttf", ".otf"]

  /// Returns what the pages of a site may load and run in addition to the files that all pages use.
  package func policyAdditions(on site: SiteFacts) -> ContentSecurityPolicy.Additions {
    ContentSecurityPolicy.Additions(
      sources: site.config.security.allow,
      hasFonts: assets.contains { asset in
        Self.fontExtensions.contains { asset.name.lowercased().hasSuffix($0) }
      })
  }
}

extension Theme {
  /// Loads a theme from its layers.
  ///
  /// - Parameters:
  ///   - accent: the site's accent color, which becomes part of the style sheet.
  ///   - namesStyleSheetsByContent: whether the published names of style sheets contain a digest of the content.
  package static func load(
    _ layers: ThemeLayers, words: TemplateWords, accent: SiteConfig.Accent? = nil,
    namesStyleSheetsByContent: Bool = true
  ) throws(SiteOutputError) -> Theme {
    var problems = ThemeProblems()
    let sources = problems.value { () throws(SiteOutputError) in try layoutSources(layers) }
    let components = problems.value { () throws(SiteOutputError) in try componentSources(layers) } ?? []
    var layouts: TemplateSet?
    if let sources {
      layouts = problems.value { () throws(SiteOutputError) -> TemplateSet in
        try self.layouts(sources, of: layers, words: words)
      }
    }
    let colors = layers.last(\.colors)
    let accent = accent.map { ThemeAccent($0, on: colors) }
    let assets: [Asset] =
      problems.value { () throws(SiteOutputError) -> [Asset] in
        var publisher = ThemeAssets(
          layers, accent: accent, namesStyleSheetsByContent: namesStyleSheetsByContent)
        return try publisher.publishAll()
      } ?? []
    let stylesheet = assets.first { $0.name == "style.css" }?.path
    if stylesheet == nil, layers.path(of: "static/style.css") == nil {
      problems.add(missing("style sheet \"static/style.css\"", in: layers))
    }
    let options = layers.options
    let mistakes = ThemeMentions(
      options: options.map(\.name),
      assets: ThemeAssets.names(in: layers)
    ).mistakes(in: sources ?? [])
    if !mistakes.isEmpty { problems.add(.template(mistakes.joined(separator: "\n"))) }
    let bitmap = problems.value { () throws(SiteOutputError) -> SiteIcons.Bitmap? in
      try self.bitmapIcon(layers, assets)
    }
    let headScript = problems.value { () throws(SiteOutputError) -> InlineScript? in
      try self.headScript(layers)
    }
    try problems.throwAll()
    guard let sources, let layouts, let stylesheet else {
      throw missing("layouts and no style sheet", in: layers)
    }
    return Theme(
      name: layers.name, layouts: layouts, components: components, options: options,
      showsAvatars: layers.last(\.showsAvatars) ?? true,
      showsCardImages: layers.last(\.showsCardImages) ?? true,
      showsEmoji: layers.last(\.showsEmoji) ?? true, stylesheet: stylesheet,
      icons: SiteIcons(vector: assets.first { $0.name == "icon.svg" }?.path, bitmap: bitmap ?? nil),
      headScript: headScript ?? nil,
      colors: colors, column: layers.last(\.column), accent: accent, sources: sources, assets: assets)
  }

  /// Compiles the layouts and partials, and checks that no required layout is missing.
  private static func layouts(
    _ sources: [TemplateSource], of layers: ThemeLayers, words: TemplateWords
  ) throws(SiteOutputError) -> TemplateSet {
    var problems = ThemeProblems()
    let names = Set(sources.map(\.name))
    let absent = requiredLayouts.filter { !names.contains($0) }.map { "\"layouts/\($0).mustache\"" }
    if !absent.isEmpty {
      problems.add(
        missing("layout\(absent.count == 1 ? "" : "s") " + absent.joined(separator: ", "), in: layers))
    }
    let set = problems.value { () throws(SiteOutputError) -> TemplateSet in
      do throws(TemplateErrors) {
        let set = try TemplateSet(kind: .html, sources, words: words)
        try set.check(LayoutValues.all)
        return set
      } catch {
        throw .template(error.description)
      }
    }
    try problems.throwAll()
    guard let set else { throw missing("layouts", in: layers) }
    return set
  }

  /// Returns the error about something that a theme lacks. A theme that extends another one inherits its files.
  private static func missing(_ what: String, in layers: ThemeLayers) -> SiteOutputError {
    let extends =
      layers.layers.contains { $0.description?.description.base != nil }
      ? "" : " Add it, or inherit it: `extends: paper` in theme.yml."
    return .badTheme(
      file: (layers.layers.last?.folder ?? "") + "/theme.yml",
      problem: "the theme \"\(layers.name)\" has no \(what).\(extends)")
  }

  private static func headScript(_ layers: ThemeLayers) throws(SiteOutputError) -> InlineScript? {
    guard let path = layers.path(of: InlineScript.file) else { return nil }
    let bytes = try withFiles { () throws(FileError) in try FileBytes.read(path) }
    // By an empty file, a theme removes the script of the theme that it extends.
    guard !bytes.isEmpty else { return nil }
    return try InlineScript(bytes, file: path)
  }

  /// Returns the PNG icon; `nil` if it comes from a lower layer than the SVG icon, because it would then be a different picture.
  private static func bitmapIcon(
    _ layers: ThemeLayers, _ assets: [Asset]
  ) throws(SiteOutputError) -> SiteIcons.Bitmap? {
    let name = "static/icon.png"
    guard let asset = assets.first(where: { $0.name == "icon.png" }), let path = layers.path(of: name),
      let layer = layers.holders[name]?.last, layer >= layers.holders["static/icon.svg"]?.last ?? 0
    else { return nil }
    let bytes = try withFiles { () throws(FileError) in try FileBytes.read(path) }
    guard let icon = SiteIcons.Bitmap(asset.path, bytes) else {
      throw .badTheme(
        file: path,
        problem: "the icon for home screens must be a square PNG, such as 192 by 192 pixels.")
    }
    return icon
  }

  /// Reads the sources of layouts and partials, which share one set of names.
  private static func layoutSources(_ layers: ThemeLayers) throws(SiteOutputError) -> [TemplateSource] {
    var sources: [TemplateSource] = []
    var known: [String: String] = [:]
    for (file, path) in layers.files where file.hasBytePrefix("layouts/") || file.hasBytePrefix("partials/") {
      guard let source = try source(file, path) else { continue }
      if let other = known.updateValue(file, forKey: source.name) {
        throw .badTheme(
          file: path, problem: "layouts and partials share their names, and \(other) has the same name.")
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
