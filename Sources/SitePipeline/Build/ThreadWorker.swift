import Basics
package import MarkdownHTML
import SearchIndex
import SiteConfig
import SiteOutput
import Synchronization
package import ThreadMarkdown
package import ThreadModel
import ThreadStore
import Unroll

/// One thread's way through the stages: facts → reading order → Markdown → HTML.
///
/// The same for every thread and all workers; it holds nothing of the threads that it has rendered, but for the pages that
/// others linked to last.
struct ThreadWorker: Sendable {
  let components: ThreadComponents
  let networks: NetworkRegistry
  let addresses: AddressBook
  let permalinks: Permalinks
  let authors: AuthorDirectory
  let pages: SitePages
  let calendar: SiteCalendar
  let localization: Localization
  let baseURL: String?
  var media: ThreadMarkdown.MediaMode
  /// What makes smaller copies of photos, where the site has any.
  let images: ScaledImages?
  let stripsCounters: Bool
  /// Whether servers' own emoji are pictures.
  var showsEmoji: Bool { components.showsEmoji && media != .none }
  /// Whether the site has a search.
  let indexesText: Bool

  /// Where a rendered thread is read, which decides how it refers to the rest of the site.
  enum Place: Sendable {
    /// On its own page.
    case page
    /// In a feed, far from the site: every address in full, headings below the entry's own.
    case feed(baseURL: String)
    /// In a file that is taken along, such as a book.
    case export(ExportLinks)
  }

  /// A rendered thread.
  struct Rendered {
    var thread: BuiltThread
    /// Of its page, as HTML.
    var body: UTF8Buffer
    var markdown: UTF8Buffer
    /// Those that feeds name beside it: the ones whose type is known.
    var sounds: [FeedEntry.Sound]
    /// What a search finds of it; `nil` where there is no search, and in feeds.
    var search: SearchDocument?
  }

  func render(
    _ conversation: Conversation, stem: String, settings: ThreadSelection.Settings, place: Place = .page
  ) throws(PipelineError) -> Rendered {
    let conversation = place.isExport ? conversation : images?.completing(conversation) ?? conversation
    let thread = UnrolledThread(
      unrolling: authors.updated(settings.describing(conversation), in: localization),
      hidden: settings.hidden,
      withReplies: settings.showsReplies && !place.isFeed)
    var (summary, title) = summarize(
      thread, stem: stem, settings: settings, hasRemovedPosts: conversation.hasRemovedPosts)
    let used = UsedReferences()
    let document = try markdown(
      of: thread, stem: stem, summary: summary, title, settings.words, place: place, used: used)
    summary.language = document.language
    summary.author.emoji = thread.author.emojiPictures(
      showsEmoji ? media : .none, in: thread.author.markedName
    ) {
      used.add(file: $0)
    }
    let files = used.files
    if case .stored(let path)? = summary.image?.source, !files.contains(where: { Self.mediaPath($0) == path })
    {
      summary.image = nil
    }
    if summary.image != nil {
      summary.thumbnail = thread.thumbnail(media) { file in files.contains(file) }
    }
    var body = UTF8Buffer(capacity: document.markdown.count * 2)
    var search = indexesText && place.isPage ? SearchDocument(of: thread, summary, calendar: calendar) : nil
    do {
      let options = htmlOptions(for: document, summary: summary, place: place)
      try MarkdownHTML.render(document.body, options: options, into: &body)
      for text in search == nil ? [] : settings.words.texts {
        search?.passages.append(SearchDocument.Passage(try MarkdownHTML.words(of: Array(text.utf8)), .half))
      }
    } catch  where error.isTooLong {
      throw tooLong(stem, error.message)
    } catch {
      throw PipelineError(.configuration, ["\(stem): error: its Markdown cannot become HTML: \(error)"])
    }
    let built = BuiltThread(
      summary: summary, author: thread.author.id, sourceURL: thread.sourceURL,
      beginning: ThreadExcerpt.make(from: thread, limit: 300), headingIsText: document.headingIsText,
      mediaHosts: document.externalMediaHosts,
      contents: !place.isFeed ? ThreadOutline.make(from: thread).map(ContentsEntry.init) : [],
      actions: thread.mainPosts.first.flatMap { networks.actions(for: $0.post.id) },
      mediaFiles: files, missingAltTexts: document.missingAltTexts,
      hours: place.isPage ? PostCounts.hours(of: thread.momentsOfAuthor, by: calendar) : [],
      lookups: used.lookups,
      shownPosts: place.isPage ? thread.shownPosts.sorted() : [])
    return Rendered(
      thread: built, body: body, markdown: document.markdown,
      sounds: document.sounds.compactMap { url in
        document.media[url].flatMap { facts in
          facts.contentType.map {
            FeedEntry.Sound(url: url, type: $0, seconds: facts.durationMilliseconds.map { ($0 + 500) / 1000 })
          }
        }
      },
      search: search)
  }

  /// The thread as its page shows it.
  func unrolled(_ conversation: Conversation, _ settings: ThreadSelection.Settings) -> UnrolledThread {
    UnrolledThread(
      unrolling: authors.updated(conversation, in: localization), hidden: settings.hidden,
      withReplies: settings.showsReplies)
  }

  /// What lists say of a thread, without rendering it.
  func summary(of conversation: Conversation, stem: String, settings: ThreadSelection.Settings)
    -> ThreadSummary
  {
    let thread = unrolled(conversation, settings)
    return summarize(thread, stem: stem, settings: settings, hasRemovedPosts: conversation.hasRemovedPosts)
      .summary
  }

  /// - Returns: also the title that the thread itself gives, where its owner gives none.
  private func summarize(
    _ thread: UnrolledThread, stem: String, settings: ThreadSelection.Settings, hasRemovedPosts: Bool
  ) -> (summary: ThreadSummary, title: ThreadTitle?) {
    let ownTitle = PlainText.nonEmptyLine(settings.title)
    let made = ownTitle == nil ? ThreadTitle(of: thread, in: localization, by: calendar) : nil
    let title = ownTitle ?? made?.text ?? ""
    let path = permalinks.page(
      of: stem, title: title, slug: settings.slug, losesWords: hasRemovedPosts)
    let dates = thread.span
    var summary = ThreadSummary(
      id: thread.id, path: path, title: title,
      excerpt: ThreadExcerpt.make(from: thread, after: made),
      author: AuthorSummary(thread.author, path: authorPath(thread.author.id, of: stem)),
      published: dates.first,
      updated: dates.last,
      tags: merged(settings.tags.compactMap(PlainText.nonEmptyLine), ThreadTags.make(from: thread)),
      postCount: thread.completeness.known,
      language: nil, isWhole: thread.completeness.isWhole, image: thread.previewImage(media))
    summary.readingMinutes = ReadingTime.minutes(of: thread)
    summary.likes = thread.mainPosts.compactMap(\.post.metrics.likes).max()
    summary.isHiddenFromSearch = settings.isHiddenFromSearch
    if authors[thread.author.id]?.isHiddenFromSearch == true { summary.author.isHiddenFromSearch = true }
    return (summary, made)
  }

  /// The author's page; where nobody knows the author, the folder of the conversation in the store names it.
  private func authorPath(_ author: AuthorID, of stem: String) -> SitePath {
    if let account = authors[author] { return account.page }
    return SitePath(stem.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(stem[...$0]) } ?? "")
  }

  /// The owner's tags first, then the author's hashtags, each once whatever its letter case.
  private func merged(_ first: [String], _ second: [String]) -> [String] {
    var seen: Set<String> = []
    return (first + second).filter { seen.insert($0.lowercased()).inserted }
  }

  private func markdown(
    of thread: UnrolledThread, stem: String, summary: ThreadSummary, _ title: ThreadTitle?,
    _ words: OwnersWords,
    place: Place, used: UsedReferences
  ) throws(PipelineError) -> ThreadDocument {
    let links = PlaceLinks(place, at: summary.path)
    let site = AskedSite(
      pages: pages, stem: stem, shown: ShownPosts(thread), links: links, used: used)
    let author = thread.author.id
    var options = MarkdownOptions(
      media: media, localization: localization, calendar: calendar,
      mediaURL: { file in
        used.add(file: file)
        return links.media(file)
      },
      postURL: { id, handle in id.address(handle: handle) },
      linkURL: { url in
        addresses.post(linkedBy: url).flatMap { site.address(linkedBy: $0, in: author) }
      },
      pageURL: { site.address(of: $0) },
      stripsCounters: stripsCounters)
    options.missingURL = { site.address(of: $0, quotedBy: author) }
    options.mentionURL = { url in
      addresses.account(linkedBy: url).flatMap { site.address(of: $0) }
    }
    options.profileURL = { site.address(of: AccountReference($0)) }
    options.repeatsBylines = place.isPage
    options.authorURL = links.page(summary.author.path, nil)
    let tags = Dictionary(
      summary.tags.compactMap { tag in links.tag(tag).map { (tag.name.lowercased(), $0) } },
      uniquingKeysWith: { first, _ in first })
    options.tagURL = { tags[$0.lowercased()] }
    options.showsTitle = !place.isFeed
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

  /// Where a file of the store's media folder stands in the site.
  static func mediaPath(_ file: String) -> SitePath { SitePath("media/" + file) }

  private func htmlOptions(for document: ThreadDocument, summary: ThreadSummary, place: Place) -> HTMLOptions
  {
    var options = HTMLOptions(media: document.media.mapValues(MediaInfo.init), baseURL: baseURL)
    // What the text column is at its widest, and half of it where it is not known which share a picture has.
    options.columnWidth = 40
    options.imageSizes = "(min-width: 44rem) 40rem, 100vw"
    options.sharedImageSizes = "(min-width: 44rem) 20rem, 50vw"
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
      options.pageURL = baseURL + summary.path.urlText
    }
    if case .export(let links) = place {
      // What is read in a book is XML, and what a browser reads of it is HTML all the same.
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

/// The rest of the site as one thread asks about it: every question and its answer is noted.
private struct AskedSite: Sendable {
  let pages: SitePages
  /// Of the thread that asks.
  let stem: String
  /// What it knows itself.
  let shown: ShownPosts
  let links: PlaceLinks
  let used: UsedReferences

  /// Where the site shows a post that the thread quotes or answers; `nil` where it does not.
  func address(of post: Post) -> String? {
    let writer = AccountReference(
      platform: post.authorID.platform, handle: "", authorID: post.authorID)
    return shown.address(of: post.id)
      ?? address(.post(post.id, in: post.conversationID ?? post.id, by: writer))
  }

  /// Where the site shows a post that is missing from the thread's conversation; `nil` where it does not.
  ///
  /// - Parameter author: of the thread, whose post it is taken for where nothing tells whose it is.
  func address(of missing: Tombstone, quotedBy author: AuthorID) -> String? {
    // What was taken away, or may not be quoted, is not brought back by another way.
    guard [.unknown, .notInArchive, .notFound].contains(missing.reason), missing.removedAt == nil else {
      return nil
    }
    let writer =
      missing.authorID == nil
      ? missing.handle.map { AccountReference(platform: missing.id.platform, handle: $0) } : nil
    return shown.address(of: missing.id)
      ?? address(
        .post(
          missing.id, in: missing.id,
          by: writer
            ?? AccountReference(
              platform: missing.id.platform, handle: "", authorID: missing.authorID ?? author)))
  }

  /// Where the site shows the post that a link means; `nil` where it does not.
  ///
  /// - Parameter author: of the thread, whose post it is taken for where nothing tells whose it is.
  func address(linkedBy link: PostReference, in author: AuthorID) -> String? {
    let writer =
      link.handle.map { AccountReference(platform: link.platform, handle: $0) }
      ?? AccountReference(platform: author.platform, handle: "", authorID: author)
    if let post = link.postID {
      return shown.address(of: post) ?? address(.post(post, in: post, by: writer))
    }
    if let own = pages.posts(named: link.id, by: writer).lazy.compactMap(shown.address).first {
      // Whom the handle means may change.
      _ = address(.author(writer))
      return own
    }
    return address(.postNamed(link.id, by: writer))
  }

  /// The page of an author; `nil` where the site has none.
  func address(of account: AccountReference) -> String? { address(.author(account)) }

  private func address(_ question: SitePages.Question) -> String? {
    let answer = pages.place(question, askedBy: stem)
    used.add(BuiltThread.Lookup(question: question, answer: answer))
    guard let answer else { return nil }
    return links.page(answer.page, answer.post.map { "post-\(MarkdownPieces.anchor($0.value))" })
  }
}

extension AccountReference {
  /// An account that is known.
  fileprivate init(_ author: Author) {
    self.init(platform: author.id.platform, handle: "", authorID: author.id)
  }
}

/// The posts that a page shows in their own right, and not only as quotes; collected when the first link asks for one, as most
/// pages have none.
private final class ShownPosts: Sendable {
  private let thread: UnrolledThread
  private let ids = Mutex<Set<PostID>?>(nil)

  init(_ thread: UnrolledThread) { self.thread = thread }

  func contains(_ post: PostID) -> Bool {
    ids.withLock { ids in
      if let ids { return ids.contains(post) }
      let all = thread.shownPosts
      ids = all
      return all.contains(post)
    }
  }

  /// Where on its own page a post stands; `nil` where it does not.
  func address(of post: PostID) -> String? {
    contains(post) ? "#post-\(MarkdownPieces.anchor(post.value))" : nil
  }
}

/// What a thread refers to, noted while it is rendered: files of the store's media folder, of which only these go into the site, as a post that its
/// owner hides brings pictures of its own; and questions about other threads.
private final class UsedReferences: Sendable {
  private struct State {
    var files: Set<String> = []
    var lookups: [BuiltThread.Lookup] = []
    var known: Set<BuiltThread.Lookup> = []
  }

  private let state = Mutex(State())

  func add(file: String) { state.withLock { _ = $0.files.insert(file) } }

  func add(_ lookup: BuiltThread.Lookup) {
    state.withLock { if $0.known.insert(lookup).inserted { $0.lookups.append(lookup) } }
  }

  /// Sorted.
  var files: [String] { state.withLock { $0.files.sorted() } }

  /// Each once, in the order in which they were asked.
  var lookups: [BuiltThread.Lookup] { state.withLock { $0.lookups } }
}

extension ThreadWorker.Place {
  fileprivate var isPage: Bool { if case .page = self { true } else { false } }
  fileprivate var isFeed: Bool { if case .feed = self { true } else { false } }
  fileprivate var isExport: Bool { if case .export = self { true } else { false } }
}

/// How a thread refers to what is not on its own page.
private struct PlaceLinks: Sendable {
  private let place: ThreadWorker.Place
  private let root: LinkRoot

  init(_ place: ThreadWorker.Place, at path: SitePath) {
    self.place = place
    root = if case .feed(let baseURL) = place { LinkRoot(absolute: baseURL) } else { LinkRoot(from: path) }
  }

  /// A file of the store's media folder.
  func media(_ file: String) -> String {
    if case .export(let links) = place {
      links.mediaPrefix + file
    } else {
      root.href(ThreadWorker.mediaPath(file))
    }
  }

  /// The page of a tag; `nil` where only the network has one.
  func tag(_ tag: ThreadTag) -> String? {
    if case .export = place { return nil }
    return tag.href(root)
  }

  /// A page of the site, or a place on it; `nil` where only the network has it.
  func page(_ path: SitePath, _ anchor: String?) -> String? {
    if case .export(let links) = place { return links.address(of: path, anchor) }
    return root.href(path) + (anchor.map { "#" + $0 } ?? "")
  }
}

extension AuthorSummary {
  /// - Parameter path: the author's page.
  init(_ author: Author, path: SitePath) {
    self.init(
      platform: author.id.platform, handle: PlainText.nonEmptyLine(author.handle),
      name: PlainText.nonEmptyLine(author.name).flatMap { $0.isVisible ? $0 : nil }
        ?? PlainText.nonEmptyLine(author.handle).map { "@" + $0 }
        ?? PlainText.nonEmptyLine(author.id.value) ?? "_",
      url: author.url.flatMap(WebAddress.safe), path: path)
    isHiddenFromSearch = author.extra["noindex"]?.bool == true
  }
}

extension Author {
  /// The name with its emoji.
  var markedName: InlineText { InlineText(name ?? "", marking: emoji) }

  /// The pictures of the emoji in their name, or in their bio, that pages show, by short code: the store's copies or, where the site shows what is elsewhere,
  /// those there.
  ///
  /// - Parameters:
  ///   - text: which of the two.
  ///   - shows: is told the name of each of the store's files among them.
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
  /// The thread's first post on its network.
  package var sourceURL: String? {
    for case .post(let item) in items { return item.post.url.flatMap(WebAddress.safe) }
    return nil
  }

  /// When the author wrote what the page shows of them.
  fileprivate var momentsOfAuthor: [Timestamp] {
    var moments: [Timestamp] = []
    forEachShownPost { post in
      if post.authorID == author.id, let moment = post.createdAt { moments.append(moment) }
    }
    return moments
  }

  /// When the main line's earliest and latest posts were written.
  var span: (first: Timestamp?, last: Timestamp?) {
    var first: Timestamp?
    var last: Timestamp?
    for case .post(let item) in items {
      guard let date = item.post.createdAt else { continue }
      first = min(first ?? date, date)
      last = max(last ?? date, date)
    }
    return (first, last)
  }

  /// The first photo or poster of the main line, of those that pages of this mode show.
  func previewImage(_ mode: ThreadMarkdown.MediaMode) -> PreviewImage? {
    guard let (image, media) = preview(mode) else { return nil }
    return PreviewImage(
      image,
      // What is known of a video is not known of its poster.
      size: media.kind == .photo ? PreviewImage.Size(width: media.width, height: media.height) : nil,
      altText: PlainText.nonEmptyLine(media.altText).map {
        PlainText.shortened(TextControls.withoutDirections($0), to: Self.longestPreviewText)
      })
  }

  /// Characters of a picture's description in previews: as many as X takes of it.
  private static let longestPreviewText = 420

  /// The same as lists show it, in the smallest copy that is sharp there.
  ///
  /// - Parameter isShown: whether the site publishes a file of the store's.
  func thumbnail(_ mode: ThreadMarkdown.MediaMode, where isShown: (String) -> Bool) -> SummaryImage? {
    guard let (image, media) = preview(mode) else { return nil }
    if case .remote(let url) = image { return SummaryImage(loadedFrom: url) }
    guard media.kind == .photo else { return image }
    let fit = media.sizes.filter { $0.width >= 320 && isShown($0.file) }.min { $0.width < $1.width }
    return fit.map { .stored(ThreadWorker.mediaPath($0.file)) } ?? image
  }

  private func preview(_ mode: ThreadMarkdown.MediaMode) -> (image: SummaryImage, of: Media)? {
    guard mode != .none else { return nil }
    for case .post(let item) in items where !item.post.media.isEmpty {
      guard !item.post.isSensitive, item.post.contentWarning == nil else { continue }
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

extension String {
  /// Whether a reader would see anything of it: a link needs something to click on.
  var isVisible: Bool {
    // Most names begin with a letter of ASCII, which settles it.
    if let first = utf8.first, first > 0x20, first < 0x7F { return true }
    return unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
      default: !scalar.properties.isDefaultIgnorableCodePoint
      }
    }
  }
}

extension ContentsEntry {
  init(_ entry: ThreadOutline.Entry) {
    self.init(title: entry.title, anchor: entry.anchor, number: entry.number, branch: entry.branch)
  }
}

extension MediaInfo.Kind {
  fileprivate init(_ kind: MediaFacts.Kind) {
    self =
      switch kind {
      case .image: .image
      case .video: .video
      case .audio: .audio
      }
  }
}

extension MediaInfo {
  package init(_ facts: MediaFacts) {
    self.init(
      kind: Kind(facts.kind), width: facts.width, height: facts.height,
      posterURL: facts.poster, contentType: facts.contentType, isLooping: facts.isLooping,
      sources: facts.sources.map { Source(url: $0.url, width: $0.width) })
    captions = facts.captions.map { Captions(url: $0.url, language: $0.language, label: $0.label) }
  }
}

extension ThreadWorker {
  /// - Parameters:
  ///   - previous: the threads that may be taken over.
  ///   - images: what makes smaller copies of photos, where the site has any.
  init(
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
        calendar: calendar, includesDrafts: includesDrafts, previous: previous),
      calendar: calendar, localization: inputs.localization,
      baseURL: config.baseURL?.description,
      media: site.mediaMode,
      images: images,
      stripsCounters: config.stripCounters,
      indexesText: config.search && inputs.theme.searchScript != nil)
  }
}
