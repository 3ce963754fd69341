import Files
import JSONText
import Localization
import SiteConfig
import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore

extension SiteBuild {
  func siteFacts(_ inputs: Inputs) -> SiteFacts {
    let config = site.config
    let localization = inputs.localization
    var facts = SiteFacts(
      title: config.title, summary: config.description, localization: localization,
      baseURL: config.baseURL?.description, calendar: calendar(localization),
      threadsPerPage: config.pagination.perPage)
    facts.wantsFeeds = config.feed.entries > 0
    facts.feedHub = config.feed.hub?.description
    facts.wantsSearch = config.search
    facts.wantsStatistics = config.statistics
    facts.wantsReadingControls = config.readingControls
    facts.books = Set(config.books)
    facts.isHiddenFromSearch = config.noindex
    facts.robots = config.robots
    facts.hasCollections = !config.collections.isEmpty
    facts.themeOptions = inputs.themeOptions
    facts.menu = inputs.menu
    facts.image = inputs.image
    facts.owner = config.author.map {
      SiteFacts.Owner(
        name: $0.name, url: $0.url?.description, profiles: $0.profiles.map(\.description))
    }
    return facts
  }

  private func calendar(_ localization: Localization) -> SiteCalendar {
    site.calendar.written(in: localization.dates)
  }

  func threadSelection(_ authors: AuthorDirectory) throws(PipelineError) -> ThreadSelection {
    ThreadSelection(
      site.config, ledger: try SourceState.load(store: site.store), authors: authors, calendar: site.calendar
    )
  }

  /// Who the authors are of these threads.
  func authorDirectory(_ threads: ThreadAuthors) -> AuthorDirectory {
    var authors = AuthorDirectory(threads)
    authors.join(site.config.authors)
    return authors
  }

  func threadAuthors(_ files: [StoredFile], after last: LastBuild? = nil) -> ThreadAuthors {
    ThreadAuthors(
      of: files, in: site.threadStore, previous: last?.build, inputs: last?.inputs,
      jobs: options.jobs)
  }

  /// - Parameters:
  ///   - previous: the threads that may be taken over.
  ///   - images: what makes smaller copies of photos, where the site has any.
  func threadWorker(
    _ inputs: Inputs, _ selection: ThreadSelection, previous: PreviousThreads? = nil,
    images: ScaledImages? = nil
  ) -> ThreadWorker {
    let config = site.config
    return ThreadWorker(
      components: inputs.components, networks: site.networks, addresses: site.networks.addresses,
      permalinks: inputs.permalinks, authors: inputs.authors,
      pages: SitePages(
        inputs.files, in: site.threadStore, selection: selection,
        authors: inputs.authors, permalinks: inputs.permalinks, localization: inputs.localization,
        calendar: calendar(inputs.localization), includesDrafts: options.includesDrafts, previous: previous),
      calendar: calendar(inputs.localization), localization: inputs.localization,
      baseURL: config.baseURL?.description,
      media: mediaMode,
      images: images,
      stripsCounters: config.stripCounters,
      indexesText: config.search && inputs.theme.searchScript != nil)
  }

  /// What makes smaller copies of photos; `nil` where site.yml does not ask for them.
  func scaledImages() throws(PipelineError) -> ScaledImages? {
    guard site.config.scaleImages, mediaMode != .none else { return nil }
    guard
      let images = ScaledImages(
        of: site.threadStore, cache: site.path + "/.threadsite/images", progress: progress)
    else {
      throw PipelineError(
        .configuration,
        [
          configProblem(
            "scale_images",
            "\(ScaledImages.programName), which makes the smaller copies, is not installed; install libvips with its programs (Debian, Ubuntu: "
              + "libvips-tools; Fedora: vips-tools; Homebrew: vips), or take the key out")
        ])
    }
    return images
  }

  var mediaMode: ThreadMarkdown.MediaMode {
    switch site.config.media {
    case .mirror: .mirror
    case .link: .link
    case .none: .none
    }
  }

  func loadPermalinks() throws(PipelineError) -> Permalinks {
    var published = try permalinks(in: "\(site.store)/\(Permalinks.fileName)")
    for (stem, names) in namedAddresses { published.forget(stem, where: names) }
    guard let own = options.permalinksFile else { return published }
    return published.adding(try permalinks(in: own))
  }

  private func permalinks(in path: String) throws(PipelineError) -> Permalinks {
    guard FileSystem.kind(of: path) != .nothing else { return Permalinks() }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: try FileBytes.read(path))
    } catch let error as JSONError {
      throw PipelineError(
        .content, [error.description(file: path) + "; take the file back from version control"])
    } catch let error as FileError {
      throw PipelineError(error, about: .content)
    } catch {
      throw PipelineError(.io, error)
    }
    do {
      return try Permalinks(value, file: path)
    } catch {
      throw PipelineError(.content, error)
    }
  }

  /// Where new addresses are written down.
  var permalinksPath: String { options.permalinksFile ?? "\(site.store)/\(Permalinks.fileName)" }

  func listStore() throws(PipelineError) -> [StoredFile] {
    do {
      return try site.threadStore.list()
    } catch {
      throw PipelineError(error)
    }
  }
}
