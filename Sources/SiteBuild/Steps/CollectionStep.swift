import Basics
import MarkdownHTML
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadMarkdown

/// The threads that collections and `lead` name by any of their posts, with the pages found so far.
struct CollectedThreads: Sendable {
  /// The posts that they name.
  private let named: [PostReference]
  private let references: PostReferences
  /// The page of each post found, by the identity of the reference. If there are several pages, it is the first in the order of paths,
  /// whichever worker found it.
  private(set) var pages: [String: SitePath] = [:]
  /// The identities of posts whose threads are drafts.
  private(set) var drafts: Set<String> = []

  init(_ config: SiteConfig = .defaults) {
    let collected = Set(config.collections.flatMap(\.threads))
    let lead = config.lead.reference.map { [$0] } ?? []
    named = config.collections.flatMap(\.threads) + lead.filter { !collected.contains($0) }
    references = PostReferences(named)
  }

  /// Records those posts of a conversation that are named.
  ///
  /// - Parameter page: the thread's page; `nil` for a draft.
  mutating func add(_ conversation: ConversationKeys, page: SitePath?) {
    for position in references.positions(of: conversation) {
      let post = named[position].identity
      guard let page else {
        drafts.insert(post)
        continue
      }
      pages[post] = pages[post].map { min($0, page) } ?? page
    }
  }

  mutating func add(_ other: CollectedThreads) {
    pages.merge(other.pages) { min($0, $1) }
    drafts.formUnion(other.drafts)
  }
}

/// The step that creates the collections of site.yml, once the pages of their threads are known.
struct CollectionStep: Sendable {
  let site: SiteFolder
  let worker: ThreadWorker
  /// The language of the site.
  let language: String

  struct Collections: Sendable {
    let all: [ThreadCollection]
    /// The thread that the home page shows first.
    let lead: SiteIndex.Lead
    /// The media of the introductions.
    let media: PageMedia
  }

  /// Returns the collections of site.yml with the pages of their threads.
  ///
  /// - Throws: one error that names every thread that is not on the site.
  func run(_ threads: CollectedThreads) throws(PipelineError) -> Collections {
    var problems: [PipelineError] = []
    var collections: [ThreadCollection] = []
    var media = PageMedia()
    for (number, collection) in site.config.collections.enumerated() {
      var pages: [SitePath] = []
      var known: Set<SitePath> = []
      for (place, reference) in collection.threads.enumerated() {
        let post = reference.identity
        if let page = threads.pages[post] {
          let isNew = known.insert(page).inserted
          if isNew { pages.append(page) }
          guard !isNew else { continue }
        } else if threads.drafts.contains(post) {
          continue
        }
        let text =
          threads.pages[post] == nil
          ? "this thread is not on the site; fetch or import it, or remove it from the collection"
          : "an earlier entry of the collection is a post of the same thread; keep one of them"
        problems.append(site.error(at: "collections[\(number)].threads[\(place)]", text, .content))
      }
      do throws(PipelineError) {
        let page = ThreadCollection.page(slug: collection.slug)
        let introduction = try introduction(of: collection, on: page)
        media.files.formUnion(introduction.text.mediaFiles)
        media.hosts.formUnion(introduction.text.mediaHosts)
        collections.append(
          ThreadCollection(
            title: collection.title, path: page, introduction: introduction.html,
            brief: introduction.brief, mediaHosts: introduction.text.mediaHosts,
            summary: introduction.summary,
            threads: pages))
      } catch {
        problems.append(error)
      }
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
    return Collections(all: collections, lead: try lead(threads), media: media)
  }

  /// Returns the thread that the home page shows first. A draft does not appear, so the newest thread takes its place.
  ///
  /// - Throws: if the thread that site.yml names is not on the site.
  private func lead(_ threads: CollectedThreads) throws(PipelineError) -> SiteIndex.Lead {
    switch site.config.lead {
    case .newest: return .newest
    case .liked: return .liked
    case .thread(let reference):
      if let page = threads.pages[reference.identity] { return .page(page) }
      guard threads.drafts.contains(reference.identity) else {
        throw site.error(
          at: "lead", "this thread is not on the site; fetch or import it, or use newest or liked", .content)
      }
      return .newest
    }
  }

  /// An introduction of a collection.
  private struct Introduction {
    var text: EmbeddingText
    /// For the collection's page.
    var html: UTF8Buffer
    /// For lists of collections: with links in place of posts and threads.
    var brief: UTF8Buffer
    /// An excerpt from the first paragraph; `nil` if it has no text.
    var summary: String?
  }

  /// Renders the owner's Markdown. Raw HTML in it is dropped, as everywhere.
  private func introduction(
    of collection: SiteConfig.Collection, on page: SitePath
  ) throws(PipelineError) -> Introduction {
    let markdown = Array((collection.introduction ?? "").utf8)
    let urls: [MarkdownHTML.SoleURL]
    do {
      urls = try MarkdownHTML.soleURLs(of: markdown)
    } catch {
      throw problem(with: collection, error)
    }
    let text = try EmbeddingText(markdown, urls, on: page, language: language, by: worker)
    var options = HTMLOptions(headingOffset: 1, baseURL: site.config.baseURL?.description)
    do {
      let brief = try MarkdownHTML.render(text.links, options: options).whole
      options.replacements = text.html
      let excerpt = ThreadExcerpt.make(from: try MarkdownHTML.firstParagraph(of: text.words))
      return Introduction(
        text: text, html: try MarkdownHTML.render(text.markdown, options: options).whole, brief: brief,
        summary: excerpt.isEmpty ? nil : excerpt)
    } catch {
      throw problem(with: collection, error)
    }
  }

  private func problem(with collection: SiteConfig.Collection, _ error: MarkdownHTMLError) -> PipelineError {
    PipelineError(
      .configuration,
      [
        "site.yml: error: the introduction of the collection \"\(collection.title)\" cannot become HTML: \(error)"
      ])
  }
}
