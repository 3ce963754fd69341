package import Basics
package import InterfaceText
package import MarkdownHTML
import SearchIndex
import SiteConfig
package import SiteOutput
package import SiteWorkspace
package import ThreadMarkdown
package import ThreadModel
import ThreadStore
import Unroll

/// Processes single threads: facts → reading order → Markdown → HTML.
///
/// The same value is used for all threads and by all workers. It does not keep rendered threads, except the pages that were last linked to.
package struct ThreadWorker: Sendable {
  let components: ThreadComponents
  let networks: NetworkRegistry
  let addresses: AddressBook
  let permalinks: Permalinks
  let authors: AuthorDirectory
  package let pages: SitePages
  package let calendar: SiteCalendar
  let localization: Localization
  let baseURL: String?
  package var media: ThreadMarkdown.MediaMode
  /// Makes scaled copies of photos, if the site has any.
  let images: ScaledImages?
  let stripsCounters: Bool
  /// The links to archived copies; `nil` if the site has none.
  let archived: ArchivedLinks?
  /// Whether custom emoji of servers are shown as pictures.
  var showsEmoji: Bool { components.showsEmoji && media != .none }
  /// Whether the site has a search.
  let indexesText: Bool
  /// The text column of the theme's pages.
  let column: TextColumn?

  /// The place where a rendered thread is read, which determines how it refers to the rest of the site.
  enum Place: Sendable {
    /// On its page.
    case page
    /// In a feed, outside the site: with absolute URLs, and headings below the entry's heading.
    case feed(baseURL: String)
    /// In an exported file, such as a book.
    case export(ExportLinks)
  }

  /// A rendered thread.
  package struct Rendered {
    package var thread: BuiltThread
    package var html: DocumentHTML
    /// Without markers.
    package var markdown: UTF8Buffer
    /// The sounds that feeds list as enclosures: those with a known type.
    var sounds: [FeedEntry.Sound]
    /// The document for the search; `nil` without a search, and in feeds.
    var search: SearchDocument?
    /// Set if posts of the thread were removed or are hidden.
    var lostWords: Permalinks.LostWords?
  }

  func render(
    _ conversation: Conversation, stem: String, settings: ThreadSelection.Settings, place: Place = .page
  ) throws(PipelineError) -> Rendered {
    let conversation = place.isExport ? conversation : images?.completing(conversation) ?? conversation
    let thread = UnrolledThread(
      unrolling: authors.updated(settings.describing(conversation), in: localization),
      hidden: settings.hidden,
      withReplies: settings.showsReplies && !place.isFeed)
    let title = PageTitle(
      of: thread, of: conversation, settings: settings, in: localization, by: calendar)
    var summary = summarize(thread, title, stem: stem, settings: settings)
    let links = SiteLinks(of: thread, summary, stem: stem, in: place, by: self)
    let document = try markdown(
      of: thread, stem: stem, summary: summary, title.made, settings.words, place: place, links)
    summary.language = document.language
    summary.author.emoji = thread.author.emojiPictures(
      showsEmoji ? media : .none, in: thread.author.markedName
    ) {
      links.use($0)
    }
    let files = links.files
    if case .stored(let path)? = summary.image?.source, !files.contains(where: { Self.mediaPath($0) == path })
    {
      summary.image = nil
    }
    if summary.image != nil {
      summary.thumbnail = thread.thumbnail(media) { file in files.contains(file) }
      summary.picture = thread.thumbnail(media, width: 640) { file in files.contains(file) }
    }
    var search = indexesText && place.isPage ? SearchDocument(of: thread, summary, calendar: calendar) : nil
    let html: DocumentHTML
    do {
      let options = htmlOptions(for: document, at: summary.path, place: place)
      html = try MarkdownHTML.render(document.body, options: options)
      for text in search == nil ? [] : settings.words.texts {
        search?.passages.append(SearchDocument.Passage(try MarkdownHTML.words(of: Array(text.utf8)), .half))
      }
    } catch  where error.isTooLong {
      throw tooLong(stem, error.message)
    } catch {
      throw PipelineError(.configuration, ["\(stem): error: its Markdown cannot become HTML: \(error)"])
    }
    var page = ThreadPage(
      summary: summary, sourceURL: thread.sourceURL, mediaHosts: document.externalMediaHosts)
    page.beginning = ThreadExcerpt.make(from: thread, limit: 300)
    page.headingIsText = document.headingIsText
    page.contents = !place.isFeed ? ThreadOutline.make(from: thread).map(ContentsEntry.init) : []
    page.actions = thread.mainPosts.first.flatMap { networks.actions(for: $0.post.id) }
    let built = BuiltThread(
      page: page, author: thread.author.id, mediaFiles: files, missingAltTexts: document.missingAltTexts,
      hours: place.isPage ? PostCounts.hours(of: thread.momentsOfPosts, by: calendar) : [],
      lookups: links.lookups,
      shownPosts: place.isPage ? thread.shownPosts.sorted() : [])
    return Rendered(
      thread: built, html: html, markdown: document.published(with: html),
      sounds: document.sounds.compactMap { url in
        document.media[url].flatMap { facts in
          facts.contentType.map {
            FeedEntry.Sound(url: url, type: $0, seconds: facts.durationMilliseconds.map { ($0 + 500) / 1000 })
          }
        }
      },
      search: search, lostWords: title.lostWords)
  }

  /// Returns whether a thread's lookup in the rest of the site has the same result as before.
  func hasSameAnswer(_ lookup: BuiltThread.Lookup, askedBy stem: String) -> Bool {
    pages.place(lookup.question, askedBy: stem) == lookup.answer
  }

  /// A post or a thread of the site as HTML in a page of the owner.
  struct EmbeddedHTML: Sendable {
    let html: UTF8Buffer
    /// The files of the store's media folder that it shows.
    let mediaFiles: [String]
    /// The hosts of its external media.
    let mediaHosts: [String]
  }

  /// Renders the post or the thread of a URL in a page of the owner.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - language: the language of the page.
  ///   - number: the position among the URLs of the page, for ids.
  /// - Returns: `nil` if the site does not show the post or the thread.
  func embedded(
    _ url: String, in page: SitePath, language: String, number: Int
  ) throws(PipelineError) -> EmbeddedHTML? {
    let links = SiteLinks(ofPage: page, by: self)
    guard let embedded = links.embedded(url) else { return nil }
    var options = MarkdownOptions(
      media: media, localization: localization, calendar: calendar, links: links)
    options.archived = archived
    do {
      let document = try components.render(embedded, language: language, options: options)
      var html = htmlOptions(for: document, at: page, place: .page)
      html.idPrefix = "embed-\(number)-"
      return EmbeddedHTML(
        html: try MarkdownHTML.render(document.body, options: html).whole, mediaFiles: links.files,
        mediaHosts: document.externalMediaHosts)
    } catch {
      throw PipelineError(.configuration, ["\(url): error: the post cannot become HTML: \(error)"])
    }
  }

  /// Returns the thread in reading order, as its page shows it.
  package func unrolled(_ conversation: Conversation, _ settings: ThreadSelection.Settings) -> UnrolledThread
  {
    UnrolledThread(
      unrolling: authors.updated(conversation, in: localization), hidden: settings.hidden,
      withReplies: settings.showsReplies)
  }

  /// Returns a thread's summary for lists, without rendering the thread.
  package func summary(of conversation: Conversation, stem: String, settings: ThreadSelection.Settings)
    -> ThreadSummary
  {
    summary(unrolled(conversation, settings), of: conversation, stem: stem, settings: settings)
  }

  /// Returns the summary of an unrolled thread.
  func summary(
    _ thread: UnrolledThread, of conversation: Conversation, stem: String, settings: ThreadSelection.Settings
  ) -> ThreadSummary {
    let title = PageTitle(
      of: thread, of: conversation, settings: settings, in: localization, by: calendar)
    return summarize(thread, title, stem: stem, settings: settings)
  }

  private func summarize(
    _ thread: UnrolledThread, _ title: PageTitle, stem: String, settings: ThreadSelection.Settings
  ) -> ThreadSummary {
    let path = permalinks.page(of: stem, title, slug: settings.slug)
    let dates = thread.span
    var summary = ThreadSummary(
      id: thread.id, path: path, title: title.text,
      author: AuthorSummary(thread.author, path: authorPath(thread.author.id, of: stem)))
    let excerpts = ThreadExcerpt.makeBoth(from: thread, after: title.made)
    summary.excerpts = Excerpts(short: excerpts.short, long: excerpts.long)
    (summary.published, summary.updated) = (dates.first, dates.last)
    summary.tags = ThreadTag.tags(
      merged(settings.tags.compactMap(PlainText.nonEmptyLine), ThreadTags.make(from: thread)))
    summary.postCount = thread.completeness.known
    summary.isWhole = thread.completeness.isWhole
    summary.image = thread.previewImage(media)
    summary.readingMinutes = ReadingTime.minutes(of: thread)
    summary.likes = thread.mainPosts.compactMap(\.post.metrics.likes).max()
    summary.isHiddenFromSearch = settings.isHiddenFromSearch
    if authors[thread.author.id]?.isHiddenFromSearch == true { summary.author.isHiddenFromSearch = true }
    return summary
  }

  /// Returns the path of the author's page. For an unknown author, returns the path of the conversation's folder in the store.
  private func authorPath(_ author: AuthorID, of stem: String) -> SitePath {
    if let account = authors[author] { return account.page }
    return SitePath(stem.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(stem[...$0]) } ?? "")
  }

  /// Returns the owner's tags followed by the author's hashtags, each once regardless of letter case.
  private func merged(_ first: [String], _ second: [String]) -> [String] {
    var seen: Set<String> = []
    return (first + second).filter { seen.insert($0.lowercased()).inserted }
  }

  private func markdown(
    of thread: UnrolledThread, stem: String, summary: ThreadSummary, _ title: ThreadTitle?,
    _ words: OwnerTexts,
    place: Place, _ links: SiteLinks
  ) throws(PipelineError) -> ThreadDocument {
    var options = MarkdownOptions(
      media: media, localization: localization, calendar: calendar, links: links,
      stripsCounters: stripsCounters)
    options.archived = archived
    options.repeatsBylines = place.isPage
    options.showsTitle = !place.isFeed
    if case .export(let links) = place, links.isPost {
      options.showsTitle = false
      options.showsAvatars = false
    }
    options.showsPermalinks = !place.isFeed
    var meta = ThreadMeta(title: summary.title, tags: summary.tags.map(\.name), source: thread.sourceURL)
    meta.words = words
    meta.titleSource = title?.source
    do {
      return try components.render(thread, meta: meta, options: options)
    } catch .tooLong {
      throw tooLong(stem, "\(ThreadMarkdownError.tooLong)")
    } catch {
      throw PipelineError(.configuration, error)
    }
  }

  private func tooLong(_ stem: String, _ why: String) -> PipelineError {
    PipelineError(
      .content,
      [
        "\(pages.file(of: stem)): error: the thread is too long for a page: \(why) Leave it out "
          + "(`exclude: true` or `draft: true` in its entry of `threads` in site.yml), or hide some of its posts there; "
          + "`threadsite build --keep-going` builds the rest."
      ]
    ).ofOneThread
  }

  /// Returns the place on the site of a file of the store's media folder.
  static func mediaPath(_ file: String) -> SitePath { SitePath("media/" + file) }

  private func htmlOptions(for document: ThreadDocument, at path: SitePath, place: Place) -> HTMLOptions {
    var options = HTMLOptions(media: document.media, baseURL: baseURL)
    options.column = column
    options.wordsLanguage = localization.language
    if let texts = document.language, !localization.isWritten(in: texts) {
      options.languages = DocumentLanguages(texts: texts, words: localization.language)
    }
    if case .page = place {
      options.controls = ControlNames(
        enlarge: localization.text(.enlarge), close: localization.text(.close), show: localization.text(.show)
      )
    }
    if case .feed(let baseURL) = place {
      options.headingOffset = 1
      options.pageURL = baseURL + path.urlText
    }
    if case .export(let links) = place {
      // Books contain XML. The page that a browser reads is HTML, but the XML form is also valid there.
      options.syntax = .xml
      options.linksPictures = false
      options.loadsLazily = false
      options.headingOffset = links.headingOffset
      options.idPrefix = links.idPrefix
      options.pageIDStart = links.idPrefix.isEmpty ? nil : ExportLinks.idStart
    }
    return options
  }
}

extension ThreadWorker.Place {
  fileprivate var isPage: Bool { if case .page = self { true } else { false } }
  fileprivate var isFeed: Bool { if case .feed = self { true } else { false } }
  var isExport: Bool { if case .export = self { true } else { false } }
}

extension AuthorSummary {
  /// - Parameter path: the path of the author's page.
  init(_ author: Author, path: SitePath) {
    self.init(
      platform: author.id.platform, handle: PlainText.nonEmptyLine(author.handle),
      name: PlainText.visibleLine(author.name) ?? PlainText.nonEmptyLine(author.handle).map {
        "@" + $0.asHandle
      }
        ?? PlainText.nonEmptyLine(author.id.value) ?? "_",
      url: author.url.flatMap(WebAddress.safe), path: path)
    isHiddenFromSearch = author.extra["noindex"]?.bool == true
  }
}

extension Author {
  /// The name with its emoji marked.
  var markedName: InlineText { InlineText(name ?? "", marking: emoji) }

  /// Returns the pictures of the emoji in the author's name or bio that pages show, by short code: the store's copies or, if the site shows
  /// external media, the external pictures.
  ///
  /// - Parameters:
  ///   - text: the name or the bio.
  ///   - shows: called with the name of each of the store's files among them.
  func emojiPictures(
    _ mode: ThreadMarkdown.MediaMode, in text: InlineText?, shows: (String) -> Void
  ) -> [String: SummaryImage] {
    guard mode != .none, !emoji.isEmpty, let text else { return [:] }
    var pictures: [String: SummaryImage] = [:]
    let codes = Set(text.emoji.map(\.shortcode))
    for emoji in emoji where codes.contains(emoji.shortcode) && CustomEmoji.isShortcode(emoji.shortcode) {
      if let file = emoji.file, MediaFileName.isPlain(file) {
        shows(file)
        pictures[emoji.shortcode] = .stored(ThreadWorker.mediaPath(file))
      } else if mode == .link {
        pictures[emoji.shortcode] = SummaryImage(loadedFrom: emoji.url)
      }
    }
    return pictures
  }
}

extension UnrolledThread {
  /// The URL of the thread's first post on its network.
  package var sourceURL: String? {
    for case .post(let item) in items { return item.post.url.flatMap(WebAddress.safe) }
    return nil
  }

  /// When the posts of the main line and its side branches were written, which are the posts that every page counts.
  fileprivate var momentsOfPosts: [Timestamp] {
    func moments(of items: [ThreadItem]) -> [Timestamp] {
      items.flatMap { item -> [Timestamp] in
        guard case .post(let shown) = item else { return [] }
        return (shown.post.createdAt.map { [$0] } ?? []) + shown.branches.flatMap { moments(of: $0.items) }
      }
    }
    return moments(of: items)
  }

  /// When the earliest and latest posts of the main line were written.
  package var span: (first: Timestamp?, last: Timestamp?) {
    var first: Timestamp?
    var last: Timestamp?
    for case .post(let item) in items {
      guard let date = item.post.createdAt else { continue }
      first = min(first ?? date, date)
      last = max(last ?? date, date)
    }
    return (first, last)
  }

  /// Returns the first photo or poster of the main line that pages of this mode show.
  func previewImage(_ mode: ThreadMarkdown.MediaMode) -> PreviewImage? {
    guard let (image, media) = preview(mode) else { return nil }
    return PreviewImage(
      image,
      // The size of a video is not the size of its poster.
      size: media.kind == .photo ? PreviewImage.Size(media.width, by: media.height) : nil,
      altText: PlainText.nonEmptyLine(media.altText).map {
        PlainText.shortened(TextControls.withoutDirections($0), to: Self.longestPreviewText)
      })
  }

  /// The maximum number of characters of a picture's description in previews, which is X's limit.
  private static let longestPreviewText = 420

  /// Returns the preview picture for lists, in the smallest copy that is sharp there.
  ///
  /// - Parameters:
  ///   - width: the least width of a copy in pixels.
  ///   - isShown: whether the site publishes a file of the store.
  func thumbnail(_ mode: ThreadMarkdown.MediaMode, width: Int = 320, where isShown: (String) -> Bool)
    -> SummaryImage?
  {
    guard let (image, media) = preview(mode) else { return nil }
    if case .remote(let url) = image { return SummaryImage(loadedFrom: url) }
    guard media.kind == .photo else { return image }
    let fit = media.sizes.filter { $0.format == nil && $0.width >= width && isShown($0.file) }.min {
      $0.width < $1.width
    }
    return fit.map { .stored(ThreadWorker.mediaPath($0.file)) } ?? image
  }

  private func preview(_ mode: ThreadMarkdown.MediaMode) -> (image: SummaryImage, of: Media)? {
    guard mode != .none else { return nil }
    for case .post(let item) in items where !item.post.media.isEmpty {
      guard !item.post.isSensitive, item.post.warningLine == nil else { continue }
      for media in item.post.media {
        let isPhoto = media.kind == .photo
        if let file = isPhoto ? media.file : media.posterFile {
          return (.stored(ThreadWorker.mediaPath(file)), media)
        }
        guard mode == .link else { continue }
        if let url = (isPhoto ? media.url : media.posterURL).flatMap(WebAddress.safe) {
          return (.remote(TextControls.percentEncoded(address: url)), media)
        }
      }
    }
    return nil
  }
}

extension ContentsEntry {
  init(_ entry: ThreadOutline.Entry) {
    self.init(title: entry.title, anchor: entry.anchor, number: entry.number, branch: entry.branch)
  }
}

extension ThreadWorker {
  /// - Parameters:
  ///   - previous: the threads that may be reused.
  ///   - images: makes smaller copies of photos; `nil` if the site has none.
  package init(
    _ inputs: LoadedSite, of site: SiteFolder, _ selection: ThreadSelection, includesDrafts: Bool,
    previous: PreviousThreads? = nil, images: ScaledImages? = nil
  ) {
    let config = site.config
    let calendar = inputs.calendar(of: site)
    self.init(
      components: inputs.components, networks: site.networks, addresses: site.networks.addresses,
      permalinks: inputs.permalinks, authors: inputs.authors,
      pages: SitePages(
        inputs.files, in: site.threadStore, selection: selection,
        authors: inputs.authors, permalinks: inputs.permalinks, localization: inputs.localization,
        calendar: calendar, includesDrafts: includesDrafts, previous: previous,
        addresses: site.networks.addresses, baseURL: config.baseURL?.description),
      calendar: calendar, localization: inputs.localization,
      baseURL: config.baseURL?.description,
      media: site.mediaMode,
      images: images,
      stripsCounters: config.stripCounters,
      archived: inputs.archived,
      indexesText: config.search && inputs.theme.searchScript != nil,
      column: inputs.theme.column.map { TextColumn(width: $0.width, windowWidth: $0.windowWidth) })
  }
}
