import Basics
import MarkdownHTML
import SearchIndex
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadMarkdown

/// The step that writes the owner's pages, and the files beside them.
struct OwnPageStep: Sendable {
  let context: BuildContext
  let own: OwnPages
  let renderer: PageRenderer
  let embeds: OwnPageEmbeds

  private var site: SiteFolder { context.site }
  private var staged: StagedSite { context.staged }

  private var blockedUses: BlockedUses {
    BlockedUses(ContentSecurityPolicy.Additions(sources: site.config.security.allow, hasFonts: true))
  }

  /// Warns of entries in the menu of site.yml that have no target on this site.
  func warnOfMenu() {
    for (number, entry) in (site.config.menu ?? []).enumerated() {
      guard case .part(let part) = entry.target, !renderer.leadsSomewhere(MenuEntry(MenuEntry.Target(part)))
      else {
        continue
      }
      let why =
        switch part {
        case .feed: "feeds need base_url, and feed.entries above 0"
        case .search: "search is disabled or missing in the theme"
        case .collections: "there are no collections"
        case .threads, .authors, .tags, .archive: "there is no such part"
        }
      context.progress(
        site.warning(
          at: "menu[\(number)]", "the site has no \(part.rawValue), so the entry is left out: \(why)"))
    }
  }

  /// Writes the owner's pages.
  ///
  /// - Returns: the search documents of the pages, and the links to other parts of the site.
  func run(
    beside pages: [IndexPage], _ index: SiteIndex
  ) throws(PipelineError) -> (documents: [SearchDocument], targets: [OwnPages.Target]) {
    guard !own.pages.isEmpty else { return ([], []) }
    if !renderer.hasOwnPages {
      throw PipelineError(
        .configuration,
        [
          "error: the theme \"\(site.config.theme)\" has no layout for your own pages. Add layouts/\(OwnPage.layout).mustache to the theme, or let it extend paper."
        ])
    }
    var made: [String: String] = [:]
    for page in pages {
      made[PathText.folded(page.path.file)] = "threadsite generates the page at \(page.path.text)"
    }
    if renderer.hasSearch {
      made[PathText.folded(SearchPage.path.file)] =
        "threadsite generates the page at \(SearchPage.path.text)"
    }
    for thread in index.threads {
      made[PathText.folded(thread.path.file)] = "a thread has its page at \(thread.path.text)"
    }
    var problems: [PipelineError] = []
    var documents: [SearchDocument] = []
    var targets: [OwnPages.Target] = []
    for page in own.pages {
      do throws(PipelineError) {
        if let other = made[PathText.folded(page.path.file)] {
          throw own.problem(page.file, nil, "\(other); give this page another slug.")
        }
        if staged.isOwned(page.path) {
          throw own.problem(
            page.file, nil,
            "static/\(page.path.file) has the same URL as this page; remove one of them, or give the page another slug."
          )
        }
        let written = try write(page)
        documents.append(written.document)
        targets += written.targets
      } catch {
        problems.append(error)
      }
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
    return (documents, targets)
  }

  /// Warns of links to paths at which the complete site has no file.
  func warnOfMissing(_ targets: [OwnPages.Target]) {
    for target in targets
    where !staged.contains(target.path) && !staged.contains(target.path.appending("/")) {
      context.progress(.warning(own.warning(ofMissing: target)))
    }
  }

  /// Copies the files beside the owner's pages. They are copied after all other files, so that a name conflict is reported for these files.
  func copyFiles() throws(PipelineError) {
    var problems: [PipelineError] = []
    for file in own.files {
      do throws(PipelineError) {
        try copy(file)
      } catch {
        problems.append(error)
      }
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
  }

  private func write(
    _ page: OwnPages.Page
  ) throws(PipelineError) -> (document: SearchDocument, targets: [OwnPages.Target]) {
    let made = try make(page)
    try context.write(page.path, capacity: made.page.body.count + 8192) {
      (html: inout UTF8Buffer) throws(SiteOutputError) in try renderer.render(made.page, into: &html)
    }
    return (made.document, made.targets)
  }

  /// Returns the page with its text as HTML, its document for the search, and the files of the site to which it links.
  func make(
    _ page: OwnPages.Page
  ) throws(PipelineError) -> (page: OwnPage, document: SearchDocument, targets: [OwnPages.Target]) {
    let links = try own.links(
      of: page, allowingImages: site.config.security.allow.image, basePath: site.config.baseURL?.path)
    for warning in links.warnings { context.progress(.warning(warning)) }
    let matter = page.source.frontMatter
    var options = HTMLOptions(baseURL: site.config.baseURL?.description)
    options.highestHeading = 2
    options.destinations = links.addresses
    options.keepsHTML = matter.keepsHTML
    options.namesHeadings = true
    options.linksHeadings = true
    options.readsTables = true
    options.focusesBoxes = true
    options.vouchesForLinks = true
    let shown = embeds[page]
    options.replacements = shown.html
    let body: UTF8Buffer
    var document = SearchDocument(
      url: page.path.urlText, title: page.title, author: site.config.author?.name ?? "")
    let summary: String
    do throws(MarkdownHTMLError) {
      body = try MarkdownHTML.render(shown.markdown, options: options).whole
      if matter.keepsHTML {
        for problem in blockedUses.inHTML(body.string) {
          context.progress(.warning("\(site.pagesFolder)/\(page.file): warning: \(problem)"))
        }
      } else if let line = try MarkdownHTML.firstDroppedHTML(in: page.markdown) {
        context.progress(
          .warning(
            "\(site.pagesFolder)/\(page.file):\(line):1: warning: the HTML in this page is left out; keep it with `html: true` in its front matter"
          ))
      }
      document.passages = [
        SearchDocument.Passage(try MarkdownHTML.words(of: shown.words, readsTables: true))
      ]
      if let given = matter.description {
        summary = given
      } else {
        summary = ThreadExcerpt.make(
          from: try MarkdownHTML.firstParagraph(of: shown.words, readsTables: true))
      }
    } catch {
      throw own.problem(page.file, error.line, error.message)
    }
    let made = OwnPage(
      path: page.path, title: page.title, summary: summary.isEmpty ? nil : summary,
      language: matter.language, body: body, mediaHosts: shown.mediaHosts.sorted())
    return (made, document, links.targets)
  }

  private func copy(_ file: String) throws(PipelineError) {
    let path = SitePath(file)
    guard !staged.isOwned(path) else {
      throw PipelineError(
        .configuration,
        ["\(site.pagesFolder)/\(file): error: static/\(file) has the same URL; remove one of them."])
    }
    do throws(SiteOutputError) {
      try staged.copy(from: site.pagesFolder + "/" + file, to: path)
    } catch .writtenTwice {
      throw PipelineError(
        .configuration,
        [
          "\(site.pagesFolder)/\(file): error: threadsite generates a file with this name; rename this one."
        ])
    } catch {
      throw PipelineError(error)
    }
  }
}
