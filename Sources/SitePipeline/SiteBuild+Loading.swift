import Files
import Foundation
import JSONText
import SiteConfig
import SiteOutput
import Templates
import ThreadMarkdown
import ThreadModel
import ThreadStore

extension SiteBuild {
  var siteFacts: SiteFacts {
    let config = site.config
    var facts = SiteFacts(
      title: config.title, summary: config.description, language: config.language,
      baseURL: config.baseURL?.description, calendar: calendar, threadsPerPage: config.pagination.perPage)
    facts.wantsFeeds = config.feed.entries > 0
    facts.wantsSearch = config.search
    facts.hasCollections = !config.collections.isEmpty
    facts.owner = config.author.map { SiteFacts.Owner(name: $0.name, url: $0.url?.description) }
    return facts
  }

  private var calendar: SiteCalendar { site.calendar }

  func threadSelection() throws(PipelineError) -> ThreadSelection {
    ThreadSelection(
      site.config.threads, ledger: try SourceLedger.load(store: site.store), calendar: site.calendar)
  }

  func threadWorker(_ inputs: Inputs) throws(PipelineError) -> ThreadWorker {
    let config = site.config
    return ThreadWorker(
      components: inputs.components, permalinks: inputs.permalinks,
      pages: SitePages(
        inputs.files, in: ThreadStore(folder: site.store), selection: try threadSelection(),
        permalinks: inputs.permalinks, includesDrafts: options.includesDrafts),
      calendar: calendar, language: config.language, baseURL: config.baseURL?.description, media: mediaMode,
      stripsCounters: config.stripCounters,
      indexesText: config.search && inputs.theme.searchScript != nil)
  }

  var mediaMode: ThreadMarkdown.MediaMode {
    switch site.config.media {
    case .mirror: .mirror
    case .link: .link
    case .none: .none
    }
  }

  /// The Markdown templates of the components: the installed ones, each of which the theme's may replace, and those the
  /// site's own.
  ///
  /// - Parameter theme: `nil` where it could not be loaded, so that the other templates are looked at all the same.
  func loadComponents(theme: Theme?) throws(PipelineError) -> ThreadComponents {
    var sources: [String: TemplateSource] = [:]
    if let installation { try addComponents(in: installation.share + "/templates", to: &sources) }
    for source in theme?.components ?? [] { sources[source.name] = source }
    try addComponents(in: site.path + "/templates", to: &sources)
    guard !sources.isEmpty else { throw nothingInstalled }
    do {
      return try ThreadComponents(
        templates: TemplateSet(kind: .markdown, sources.values.sorted { $0.name < $1.name }))
    } catch {
      throw PipelineError(.configuration, error)
    }
  }

  private func addComponents(
    in folder: String, to sources: inout [String: TemplateSource]
  ) throws(PipelineError) {
    for file in try names(in: folder) where file.hasSuffix(".mustache") && !file.hasPrefix(".") {
      let name = String(file.dropLast(".mustache".count))
      let path = folder + "/" + file
      do {
        sources[name] = TemplateSource(
          name: name, file: path, text: String(decoding: try FileBytes.read(path), as: UTF8.self))
      } catch {
        throw PipelineError(.configuration, error)
      }
    }
  }

  func loadTheme() throws(PipelineError) -> Theme {
    // A checkout of threadsite is an installation and a site in one; its files override nothing.
    var folders = [SiteFolder.withoutLinks(site.path)]
    if let share = installation.map({ SiteFolder.withoutLinks($0.share) }), share != folders[0] {
      folders.insert(share, at: 0)
    }
    do {
      return try Theme.load(site.config.theme, in: folders.map { $0 + "/themes" })
    } catch {
      throw PipelineError(error)
    }
  }

  /// What site.yml says for the theme's options, checked against what the theme declares.
  func themeOptions(of theme: Theme) throws(PipelineError) -> ThemeOptionValues {
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
        "error: the templates that come with threadsite were not found beside the program. "
          + "Install it with `make install`, or name their folder in THREADSITE_SHARE."
      ])
  }

  func loadPermalinks() throws(PipelineError) -> Permalinks {
    let path = permalinksPath
    guard FileManager.default.fileExists(atPath: path) else { return Permalinks() }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: try FileBytes.read(path))
    } catch let error as JSONError {
      throw PipelineError(.content, [error.description(file: path)])
    } catch {
      throw PipelineError(.io, error)
    }
    do {
      return try Permalinks(value, file: path)
    } catch {
      throw PipelineError(.content, error)
    }
  }

  var permalinksPath: String { site.store + "/" + Permalinks.fileName }

  func listStore() throws(PipelineError) -> [StoredFile] {
    do {
      return try ThreadStore(folder: site.store).list()
    } catch {
      throw PipelineError(error)
    }
  }

  /// A folder that is not there holds nothing.
  private func names(in folder: String) throws(PipelineError) -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw PipelineError(
        .io, ["\(folder): error: the folder cannot be listed: \(error.localizedDescription)"])
    }
  }
}
