import Basics
import MediaMirror
import SiteConfig
import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore

extension SiteBuild {
  /// What a build is made from beside the configuration; the conversations themselves are read one by one.
  struct Inputs: Sendable {
    let localization: Localization
    let components: ThreadComponents
    let theme: Theme
    let themeOptions: ThemeOptionValues
    /// The owner's own.
    let pages: OwnPages
    /// What pages without a picture are shown with elsewhere.
    let image: PreviewImage?
    /// What the navigation leads to.
    let menu: [MenuEntry]
    let permalinks: Permalinks
    /// Of the store's listing, those that are not left out.
    var files: [StoredFile]
    /// Who wrote them, as each says it.
    var writers: ThreadAuthors
    /// Who these are.
    var authors: AuthorDirectory
    /// What the build goes on without.
    var leftOut: [WrittenThreads.Failure] = []
  }

  /// Loads all of it.
  ///
  /// - Parameter last: what the last build knew.
  /// - Throws: one error with everything that is wrong. What is found wrong here stops the build before a page is rendered, so
  ///   the store is looked through as well: whoever mends a template should not find a damaged thread behind it.
  func load(after last: LastBuild? = nil) throws(PipelineError) -> Inputs {
    let ((resources, permalinks), files) = ParallelWork.both(
      jobs: options.jobs,
      {
        (
          Result { () throws(PipelineError) in try loadThemeResources() },
          Result { () throws(PipelineError) in try loadPermalinks() }
        )
      }, { Result { () throws(PipelineError) in try listStore() } })
    let pages = Result { () throws(PipelineError) in
      let pages = try OwnPages(in: site.pagesFolder, withDrafts: options.includesDrafts)
      return (pages: pages, menu: try menu(pages))
    }
    let words = Result { () throws(PipelineError) in try checkOwnersWords() }
    let image = Result { () throws(PipelineError) in try siteImage() }
    var problems = [
      resources.problem, permalinks.problem, files.problem, pages.problem, words.problem, image.problem,
    ]
    .compactMap(\.self)
    if problems.isEmpty {
      let resources = try resources.get()
      warn(of: resources)
      warnOfRobots()
      let (own, menu) = try pages.get()
      for warning in own.warnings { progress(.warning(warning)) }
      var listed = try files.get()
      // What the last build knew of people may name those who are left out now.
      let last = namedAddresses.isEmpty ? last : nil
      var writers = threadAuthors(listed, after: last)
      let leftOut = threadsLeftOut(writers)
      if !leftOut.isEmpty {
        listed.removeAll { leftOut.contains($0) }
        writers = threadAuthors(listed, after: last)
      }
      return Inputs(
        localization: resources.words.localization, components: resources.components, theme: resources.theme,
        themeOptions: resources.options, pages: own, image: try image.get(), menu: menu,
        permalinks: try permalinks.get(), files: listed,
        writers: writers, authors: authorDirectory(writers))
    }
    if case .success(let files) = files {
      do throws(PipelineError) {
        problems += storeProblems(
          files, selection: try threadSelection(authorDirectory(threadAuthors(files, after: last))))
      } catch {
        problems.append(error)
      }
    }
    throw PipelineError(problems)
  }

  /// Threads of accounts that site.yml leaves out: a store that may be written to has none.
  private func threadsLeftOut(_ writers: ThreadAuthors) -> Set<StoredFile> {
    guard !site.leftOut.isEmpty else { return [] }
    let authors = writers.seen.map { site.leftOut.holds($0.id, handle: $0.record?.handle) }
    return Set(writers.ofFiles.filter { authors[$0.author] }.map(\.file))
  }

  /// What is asked of crawlers where they do not hear it.
  private func warnOfRobots() {
    let config = site.config
    guard config.robots != .defaults else { return }
    if let base = config.baseURL, SiteFacts.path(of: base.description) != "/" {
      let text =
        "crawlers look for robots.txt at the top of a host alone, and this site is below it (\(base)): put its lines into the host's own"
        + " file"
      progress(.warning(configProblem("robots", text, severity: .warning)))
    }
    if config.noindex, config.robots.crawlers == .none {
      let text =
        "a page that crawlers may not read cannot ask them to leave it out (noindex): search engines may list its address all the same;"
        + " keep one of the two"
      progress(.warning(configProblem("robots", text, severity: .warning)))
    }
  }

  /// What is wrong with the conversations, without rendering one.
  private func storeProblems(_ files: [StoredFile], selection: ThreadSelection) -> [PipelineError] {
    let store = site.threadStore
    let results = ParallelWork.run(count: files.count, jobs: options.jobs, makeState: WrittenThreads.init) {
      position, written in
      do throws(PipelineError) {
        written.note(selection.settings(for: try read(files[position], from: store)))
      } catch {
        written.failures.append(
          WrittenThreads.Failure(position: position, file: files[position], error: error))
      }
    }
    var written = WrittenThreads()
    for result in results { written.add(result) }
    return problems(of: written, selection: selection)
  }
}

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
      site.config, sourceState: try SourceState.load(store: site.store), authors: authors,
      calendar: site.calendar
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
    let cache = site.path + "/.threadsite/images"
    guard site.config.scaleImages, mediaMode != .none else {
      do throws(FileError) {
        // Photos that the site has taken down should not stay there.
        try FileSystem.remove(cache)
      } catch {
        progress(.warning("\(error) Smaller copies of photos that earlier builds made are still there."))
      }
      return nil
    }
    guard let images = ScaledImages(of: site.threadStore, cache: cache, progress: progress) else {
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

extension SiteBuild {
  /// The picture that site.yml names for pages which have none of their own, measured.
  ///
  /// It lies in `static/`, as all that is published as it is: so it has the address that its owner gave it, and no other file can take that.
  func siteImage() throws(PipelineError) -> PreviewImage? {
    guard let image = site.config.image else { return nil }
    let file = site.absolute(image.file)
    let folder = site.staticFolder + "/"
    let name =
      file.hasBytePrefix(folder)
      ? String(decoding: file.utf8.dropFirst(folder.utf8.count), as: UTF8.self) : ""
    guard !name.isEmpty, !Self.isLitter(name)
    else {
      let inStatic = FileSystem.kind(of: "\(site.staticFolder)/\(image.file)") == .file
      throw imageProblem(
        "\(quoted(image.file)) is not in static/, from where files are published"
          + (inStatic ? "; did you mean \(quoted("static/" + image.file))?" : ": put the picture there"))
    }
    let shape = try imageShape(file, named: name)
    if site.config.baseURL == nil {
      progress(
        .warning(
          configProblem(
            "image", "previews look for a picture at its full address, which needs base_url; there is none",
            severity: .warning)))
    }
    return PreviewImage(
      .stored(SitePath(name)), size: PreviewImage.Size(width: shape.width, height: shape.height),
      altText: image.alt)
  }

  private func imageShape(_ file: String, named name: String) throws(PipelineError) -> MediaDimensions {
    let opened: OpenFile
    do throws(FileError) {
      opened = try OpenFile(file)
    } catch {
      throw imageProblem(
        error.kind == .missing
          ? "there is no \(file); put the picture there, or take the key out" : "\(error)")
    }
    let found: StoredMedia
    do throws(MediaError) {
      found = try StoredMedia(
        inspecting: opened, named: String(PathText.name(of: name)).lowercased(), accepting: .image)
    } catch {
      throw imageProblem(
        "\(file) is none of the pictures that previews show, as \(error): use a JPEG, PNG, GIF or WebP, under a name that says so"
      )
    }
    guard found.type != .avif else {
      throw imageProblem("few programs show AVIF in previews; use a JPEG or a PNG")
    }
    return found.shape
  }

  private func imageProblem(_ text: String) -> PipelineError {
    let key = site.decoded?.locations["image.file"] == nil ? "image" : "image.file"
    return PipelineError(.configuration, [configProblem(key, text)])
  }
}
