import Basics
package import InterfaceText
package import SiteConfig
import SiteOutput
package import SiteWorkspace
import Templates
import ThreadMarkdown
import ThreadModel

/// The appearance and the words of a site: localization, theme, the theme's options, and the templates of components.
package struct ThemeResources: Sendable {
  package let words: LoadedLocalization
  let theme: Theme
  let options: ThemeOptionValues
  let components: ThreadComponents
}

/// The loader of the theme, the templates of components and the words of a site.
package struct ThemeLoader: Sendable {
  let site: SiteFolder
  let installation: Installation?
  /// Whether the published names of style sheets contain a digest of the content.
  let namesStyleSheetsByContent: Bool
  let progress: ProgressHandler

  /// Loads all resources.
  ///
  /// - Throws: one error with all problems. Mistakes in a theme do not hide those in a component, but templates are only read if the words
  ///   could be loaded.
  package func load() throws(PipelineError) -> ThemeResources {
    let layers = Result { () throws(PipelineError) in try themeLayers() }
    let words = Result { () throws(PipelineError) in try loadLocalization(layers.value?.stringsFolders ?? [])
    }
    guard let loaded = words.value else {
      throw PipelineError([layers.problem, words.problem].compactMap(\.self))
    }
    let texts = TemplateWords(loaded.localization.words)
    let theme = Result { () throws(PipelineError) in try loadTheme(try layers.get(), words: texts) }
    let options = Result { () throws(PipelineError) in try theme.value.map(themeOptions) }
    let components = Result { () throws(PipelineError) in
      try loadComponents(theme: theme.value, words: texts)
    }
    let problems = [components.problem, theme.problem, options.problem].compactMap(\.self)
    guard problems.isEmpty, let options = options.value ?? nil else { throw PipelineError(problems) }
    return ThemeResources(
      words: loaded, theme: try theme.get(), options: options, components: try components.get())
  }

  /// Loads the Markdown templates of the components: the theme's templates replace installed ones of the same name, and the site's
  /// templates replace both.
  ///
  /// - Parameter theme: `nil` if the theme could not be loaded; the other templates are checked anyway.
  private func loadComponents(theme: Theme?, words: TemplateWords) throws(PipelineError) -> ThreadComponents {
    var sources: [String: TemplateSource] = [:]
    if let installation { try addComponents(in: installation.share + "/templates", to: &sources) }
    for source in theme?.components ?? [] { sources[source.name] = source }
    if !isInstallation { try addComponents(in: site.path + "/templates", to: &sources) }
    guard !sources.isEmpty else { throw nothingInstalled }
    let problems = TemplateMarkers(sources.values.sorted { $0.name < $1.name }).problems
    guard problems.isEmpty else { throw PipelineError(.configuration, problems) }
    do {
      return try ThreadComponents(
        templates: TemplateSet(kind: .markdown, sources.values.sorted { $0.name < $1.name }, words: words),
        showsAvatars: theme?.showsAvatars ?? true, showsCardImages: theme?.showsCardImages ?? true,
        showsEmoji: theme?.showsEmoji ?? true)
    } catch {
      throw PipelineError(.configuration, error)
    }
  }

  private func addComponents(
    in folder: String, to sources: inout [String: TemplateSource]
  ) throws(PipelineError) {
    for file in try names(in: folder) where !PathText.isHidden(file) {
      guard let name = file.without(byteSuffix: ".mustache").map(String.init) else { continue }
      let path = folder + "/" + file
      do {
        sources[name] = TemplateSource(
          name: name, file: path, text: String(decoding: try FileBytes.read(path), as: UTF8.self))
      } catch {
        throw PipelineError(.configuration, error)
      }
    }
  }

  /// Whether the site is a checkout of threadsite, and thus also the installation. Its templates then do not replace others, in particular
  /// not those of a theme.
  private var isInstallation: Bool {
    installation?.share == site.path
  }

  private func themeLayers() throws(PipelineError) -> ThemeLayers {
    let own = isInstallation ? [] : [site.path]
    let folders = (installation.map { [$0.share] } ?? []) + own
    do {
      return try ThemeLayers(of: site.config.theme, in: folders.map { $0 + "/themes" })
    } catch .noTheme(let problem) where site.decoded != nil {
      throw PipelineError(.configuration, [site.configProblem("theme", problem)])
    } catch {
      throw PipelineError(error)
    }
  }

  private func loadTheme(_ layers: ThemeLayers, words: TemplateWords) throws(PipelineError) -> Theme {
    try withOutput { () throws(SiteOutputError) in
      try Theme.load(
        layers, words: words, accent: site.config.accent,
        namesStyleSheetsByContent: namesStyleSheetsByContent)
    }
  }

  /// Loads the words of the interface: the theme's words replace installed ones, and the site's words replace both.
  ///
  /// - Parameter themeFolders: the folders of the theme's strings files.
  private func loadLocalization(_ themeFolders: [String]) throws(PipelineError) -> LoadedLocalization {
    let strings = "/templates/strings"
    let installed = installation.map { [$0.share + strings] } ?? []
    let own = isInstallation ? [] : [site.path + strings]
    guard installation != nil || own.contains(where: { FileSystem.kind(of: $0) != .nothing }) else {
      throw nothingInstalled
    }
    do {
      return try LoadedLocalization(
        language: site.config.language,
        folders: installed + themeFolders + own)
    } catch {
      throw PipelineError(.configuration, error)
    }
  }

  /// Loads the installed words in English, for messages on a terminal.
  package func englishLocalization() throws(PipelineError) -> Localization {
    guard let installation else { throw nothingInstalled }
    do {
      return try LoadedLocalization(language: "en", folders: [installation.share + "/templates/strings"])
        .localization
    } catch {
      throw PipelineError(.configuration, error)
    }
  }

  /// Warns of questionable parts of the resources, such as missing words, and words that no template uses.
  func warn(of resources: ThemeResources) {
    warnOfColors(resources)
    if !isInstallation {
      for warning in IgnoredFiles(site: site).warnings(of: resources) { progress(.warning(warning)) }
    }
    warnOfNames(resources)
    warnOfBlockedUses(resources.theme)
    for warning in resources.words.warnings { progress(.warning(warning)) }
    let used = resources.components.usedWords.union(resources.theme.layouts.usedWords)
      .union(StringKey.allCases.map(\.name))
    for (name, problem) in resources.words.places.sorted(by: { $0.key < $1.key }) where !used.contains(name) {
      progress(.warning(problem.description))
    }
  }

  /// The check for what the policy of the pages blocks.
  var blockedUses: BlockedUses {
    BlockedUses(ContentSecurityPolicy.Additions(sources: site.config.security.allow, hasFonts: true))
  }

  /// Warns of scripts, frames, fonts and others in the theme that the policy of the pages blocks.
  private func warnOfBlockedUses(_ theme: Theme) {
    for source in theme.sources {
      for problem in blockedUses.inHTML(source.text) {
        progress(.warning("\(source.file): warning: \(problem)"))
      }
    }
    for asset in theme.assets where asset.name.hasByteSuffix(".css") {
      let bytes: [UInt8]? =
        switch asset.content {
        case .text(let text): text
        // An unreadable file is an error when it is copied.
        case .file(let path): try? FileBytes.read(path)
        }
      for problem in blockedUses.inStyleSheet(bytes ?? []) {
        progress(.warning("static/\(asset.name) of the theme: warning: \(problem)"))
      }
    }
  }

  /// Warns of an accent color with too little contrast, and of one that another setting overrides.
  private func warnOfColors(_ resources: ThemeResources) {
    guard let accent = resources.theme.accent else { return }
    for finding in accent.findings {
      progress(.warning(site.configProblem(finding.keyPath, finding.message, severity: .warning)))
    }
    if site.config.themeOptions["accent"] != nil {
      let text = "it has no effect, because the setting \"accent\" overrides it; keep one of the two"
      progress(.warning(site.configProblem("theme_options.accent", text, severity: .warning)))
    }
  }

  /// Warns of names in the site's components that are not the name of any value.
  private func warnOfNames(_ resources: ThemeResources) {
    let own = site.path + "/"
    let warnings = resources.components.templates.warnings(
      ofNamesBeside: ThreadComponents.valueNames, in: { $0.hasBytePrefix(own) })
    for warning in warnings { progress(.warning(warning)) }
  }

  /// Returns the values of the theme's options in site.yml, checked against the theme's declarations.
  private func themeOptions(of theme: Theme) throws(PipelineError) -> ThemeOptionValues {
    let (values, mistakes) = ThemeOptionValues.resolve(
      site.config.themeOptions, by: theme.options, of: theme.name)
    guard mistakes.isEmpty else {
      throw PipelineError(
        .configuration,
        mistakes.map { mistake in
          site.decoded?.problem(at: mistake.keyPath, mistake.message, severity: .error).description
            ?? "error: \(mistake.keyPath): \(mistake.message)"
        })
    }
    return values
  }

  private var nothingInstalled: PipelineError {
    PipelineError(
      .configuration,
      [
        "error: threadsite's templates were not found next to the program. "
          + "Install threadsite with `make install`, or set THREADSITE_SHARE to their folder."
      ])
  }

  /// Returns the names of the files in a folder; an empty array if the folder is missing.
  private func names(in folder: String) throws(PipelineError) -> [String] {
    do throws(FileError) {
      return try FileSystem.names(in: folder)
    } catch {
      if error.kind == .missing { return [] }
      throw PipelineError(error, about: .configuration)
    }
  }
}

extension Result {
  /// The value of a success.
  var value: Success? { if case .success(let value) = self { value } else { nil } }
}
