import Basics
import Foundation
import MarkdownHTML
import SearchIndex
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadMarkdown

/// The owner's own pages in `pages/`, and the files beside them.
///
/// The folder corresponds to the site's top folder: `pages/about.md` becomes `about/`, `pages/trips/index.md` becomes `trips/`, `pages/trips/map.png`
/// becomes `trips/map.png`. A relative link in a page is resolved from the page's file.
struct OwnPages: Sendable {
  struct Page: Sendable {
    /// The path below `pages/`.
    let file: String
    let source: PageFile
    let path: SitePath
    let title: String
    /// The text without the heading that was used as the title.
    let markdown: [UInt8]

    /// The page's label in the menu, if the page requests an entry.
    var menuLabel: String? {
      switch source.frontMatter.menu {
      case .named(let label): label
      case .shown(true): title
      case .shown(false), nil: nil
      }
    }
  }

  /// Sorted by file.
  private(set) var pages: [Page] = []
  /// Other files, below `pages/`.
  private(set) var files: [String] = []
  /// The files of drafts, which are not part of the site.
  private(set) var drafts: Set<String> = []
  /// Warnings about questionable parts of pages.
  private(set) var warnings: [String] = []
  private let folder: String
  /// The URLs of all pages, drafts included, by their files.
  private var addresses: [String: SitePath] = [:]

  /// Reads all pages.
  ///
  /// - Throws: one error with all problems.
  init(in folder: String, withDrafts: Bool) throws(PipelineError) {
    self.folder = folder
    var problems: [PipelineError] = []
    let tree = try withFiles(about: .configuration) { () throws(FileError) in try FileTree(whole: folder) }
    for file in tree.files.map(\.path).sorted() where !Self.isLitter(file) {
      do throws(PipelineError) {
        guard file.hasByteSuffix(".md") else {
          files.append(file)
          if looksLikePage(file) {
            warnings.append(
              "\(folder)/\(file): warning: this file is copied unchanged, because the names of pages end in .md; rename it, or move it to static/"
            )
          }
          continue
        }
        let page = try read(file)
        addresses[file] = page.path
        if page.source.frontMatter.isDraft, !withDrafts {
          drafts.insert(file)
        } else {
          pages.append(page)
        }
      } catch {
        problems.append(error)
      }
    }
    var known: [String: Page] = [:]
    for page in pages {
      guard let other = known.updateValue(page, forKey: PathText.folded(page.path.file)) else { continue }
      problems.append(
        PipelineError(
          .configuration,
          [
            "\(folder)/\(page.file): error: \(other.file) has the same URL, \(page.path.text); give one of them another slug."
          ]))
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
  }

  /// Returns whether a file is hidden, or a backup or temporary file of an editor.
  private static func isLitter(_ file: String) -> Bool {
    file.split(atBytes: "/").contains { PathText.isHidden($0) } || file.hasByteSuffix("~")
      || SiteFolder.isLitter(file)
  }

  /// Returns whether a file is probably meant to be a page: by the extension of its name or, if it has none, by its first bytes.
  private func looksLikePage(_ file: String) -> Bool {
    let name = PathText.name(of: file).lowercased()
    if !name.utf8.contains(UInt8(ascii: ".")) {
      // An unreadable file is reported when it is copied.
      let bytes = (try? FileBytes.read(folder + "/" + file)) ?? []
      return bytes.starts(with: "# ".utf8) || bytes.starts(with: "---\n".utf8)
    }
    return [".md", ".markdown", ".mdown", ".mkd", ".mdx", ".txt", ".text", ".rst", ".adoc", ".org", ".docx"]
      .contains { name.hasSuffix($0) }
  }

  private mutating func read(_ file: String) throws(PipelineError) -> Page {
    let path = "\(folder)/\(file)"
    let source: PageFile
    do {
      source = try PageFile.decode(bytes: Array(try FileBytes.read(path)), file: path)
    } catch let error as SiteConfigError {
      throw PipelineError(.configuration, error)
    } catch let error as FileError {
      throw PipelineError(error, about: .configuration)
    } catch {
      throw PipelineError(.io, error)
    }
    warnings += source.warnings.map(\.description)
    let address = try address(of: file, slug: source.frontMatter.slug)
    var markdown = source.markdown
    let title: String
    do throws(MarkdownHTMLError) {
      if let given = source.frontMatter.title {
        title = given
      } else if let heading = try MarkdownHTML.title(of: markdown),
        let text = PlainText.nonEmptyLine(heading.text)
      {
        title = text
        markdown = Self.without(heading.lines, in: markdown)
      } else {
        throw MarkdownHTMLError(
          line: 1,
          message: "the page has no title; begin it with `# Title`, or set `title` in its front matter"
        )
      }
    } catch {
      throw problem(file, error.line, error.message)
    }
    return Page(file: file, source: source, path: address, title: title, markdown: markdown)
  }

  /// Returns the text with some lines emptied, so that all other lines keep their numbers. Lines are counted from 1.
  private static func without(_ lines: ClosedRange<Int>, in text: [UInt8]) -> [UInt8] {
    var line = 1
    return text.filter { byte in
      defer { if byte == UInt8(ascii: "\n") { line += 1 } }
      return byte == UInt8(ascii: "\n") || !lines.contains(line)
    }
  }

  private func address(of file: String, slug: String?) throws(PipelineError) -> SitePath {
    var names = file.split(atBytes: "/").map { String($0) }
    let last = names.removeLast()
    let stem = last.without(byteSuffix: ".md").map { String($0) } ?? last
    for name in names {
      guard let problem = PageFile.problem(withName: name) else { continue }
      throw self.problem(file, nil, "the folder's name \(problem); rename it.")
    }
    if slug == nil, let problem = PageFile.problem(withName: stem) {
      throw self.problem(
        file, nil, "the name \(problem); rename the file, or give the page a slug in its front matter.")
    }
    if let name = slug ?? (stem == "index" ? nil : stem) { names.append(name) }
    guard !names.isEmpty else {
      throw problem(
        file, nil,
        "the home page is the list of threads, so a page cannot have this name; rename it. To change the home page, edit the theme's home layout."
      )
    }
    return SitePath(names.joined(separator: "/") + "/")
  }

  func problem(_ file: String, _ line: Int?, _ message: String) -> PipelineError {
    PipelineError(.configuration, [Self.text(folder, file, line, "error", message)])
  }

  private static func text(
    _ folder: String, _ file: String, _ line: Int?, _ severity: String, _ message: String
  )
    -> String
  {
    "\(folder)/\(file):\(line.map { "\($0):1:" } ?? "") \(severity): \(message)"
  }

  // MARK: - Links

  /// The resolved links of a page: the URL for each destination in its Markdown.
  struct Links: Sendable {
    var addresses: [String: String] = [:]
    var warnings: [String] = []
    /// The links to other targets than the owner's pages. They may lead to nothing.
    var targets: [Target] = []
  }

  /// A link from a page to a path on the site.
  struct Target: Sendable {
    /// The page's file.
    let page: String
    let line: Int
    let url: String
    let path: SitePath
  }

  /// Returns the warning about a link to a path at which the site has nothing.
  func warning(ofMissing target: Target) -> String {
    Self.text(
      folder, target.page, target.line, "warning",
      "the link \(quoted(target.url)) leads to nothing: the site has no \(target.path.file)")
  }

  /// Resolves the relative links of a page.
  ///
  /// - Parameters:
  ///   - allowed: the other hosts whose images pages may show.
  ///   - basePath: the path of the site on its host, with which links from the host's root to the site begin; `nil` if it is not known.
  /// - Throws: one error with all links that have no target.
  func links(
    of page: Page, allowingImages allowed: [PolicySource] = [], basePath: String? = nil
  ) throws(PipelineError) -> Links {
    let destinations: [MarkdownHTML.Destination]
    do {
      destinations = try MarkdownHTML.destinations(of: page.markdown, readsTables: true)
    } catch {
      throw problem(page.file, error.line, error.message)
    }
    let root = LinkRoot(from: page.path)
    var links = Links()
    var problems: [PipelineError] = []
    for destination in destinations {
      let url = destination.url
      func warn(_ message: String) {
        links.warnings.append(Self.text(folder, page.file, destination.line, "warning", message))
      }
      guard Self.isRelative(url) else {
        if destination.isImage, !url.hasBytePrefix("/"), !url.hasBytePrefix("#"),
          !allowed.contains(where: { url == $0.description || url.hasBytePrefix($0.description + "/") })
        {
          warn(
            "the image \(quoted(url)) is on another host, and pages load nothing from other hosts; copy it to pages/, or allow the host with security.allow.image in site.yml"
          )
        }
        if let basePath, url.hasBytePrefix(basePath), !url.hasBytePrefix("//") {
          let place = url.prefix(upToBytes: "?#").utf8.dropFirst(basePath.utf8.count)
          let name = String(decoding: place, as: UTF8.self)
          links.targets.append(
            Target(
              page: page.file, line: destination.line, url: url,
              path: SitePath(name.removingPercentEncoding ?? name)))
        }
        continue
      }
      do throws(PipelineError) {
        let target = try address(of: destination, in: page, warn)
        let rest = url[url.prefix(upToBytes: "?#").endIndex...]
        links.addresses[url] = root.href(target.path) + rest
        if !target.isPage {
          links.targets.append(
            Target(page: page.file, line: destination.line, url: url, path: target.path))
        }
      } catch {
        problems.append(error)
      }
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
    return links
  }

  /// Returns whether a destination is relative to the file that contains it.
  static func isRelative(_ url: String) -> Bool {
    guard let first = url.utf8.first, !"/#?".utf8.contains(first) else { return false }
    // A colon before the first slash ends a scheme.
    return !url.prefix(upToBytes: "/?#").utf8.contains(UInt8(ascii: ":"))
  }

  private func address(
    of destination: MarkdownHTML.Destination, in page: Page, _ warn: (String) -> Void
  ) throws(PipelineError) -> (path: SitePath, isPage: Bool) {
    let url = destination.url
    let place = url.prefix(upToBytes: "?#")
    var names = page.file.split(atBytes: "/").dropLast().map { String($0) }
    let decoded = place.removingPercentEncoding ?? String(place)
    for name in decoded.split(atBytes: "/") where name != "." {
      if name != ".." {
        names.append(String(name))
      } else if names.popLast() == nil {
        throw problem(
          page.file, destination.line,
          "the link \(quoted(url)) leads out of pages/, which stands for the site's top; write it from there")
      }
    }
    let target = names.joined(separator: "/")
    if let path = addresses[target] {
      if drafts.contains(target) {
        warn("the link \(quoted(url)) leads to a draft, which is not part of the site")
      }
      return (path, true)
    }
    let isFolder =
      decoded.hasByteSuffix("/") || decoded.hasByteSuffix("/..") || [".", ".."].contains(decoded)
    if target.hasByteSuffix(".md"), !target.hasByteSuffix("/index.md"), !isFolder {
      let others = addresses.keys.sorted()
      throw problem(
        page.file, destination.line,
        "the link \(quoted(url)) leads to a missing page: there is no pages/\(target)"
          + Suggestion.phrase(for: target, among: others))
    }
    return (SitePath(isFolder && !target.isEmpty ? target + "/" : target), false)
  }

  // MARK: - The menu

  /// The paths of pages and files in the site.
  var paths: [SitePath] { pages.map(\.path) + files.map { SitePath($0) } }

  /// The files of all pages, drafts included.
  private var allFiles: [String] { addresses.keys.sorted() }

  /// Returns the entries of the navigation: the menu of site.yml or, without one, the parts of the site followed by the pages that request
  /// an entry.
  ///
  /// - Throws: one error that names every missing page.
  func menu(of site: SiteFolder) throws(PipelineError) -> [MenuEntry] {
    guard let listed = site.config.menu else {
      return MenuEntry.parts
        + pages.compactMap { page in page.menuLabel.map { MenuEntry(.page(page.path), label: $0) } }
    }
    let pagesOfFiles = Dictionary(pages.map { ($0.file, $0) }) { first, _ in first }
    var problems: [PipelineError] = []
    var entries: [MenuEntry] = []
    for (number, entry) in listed.enumerated() {
      switch entry.target {
      case .part(let part): entries.append(MenuEntry(MenuEntry.Target(part), label: entry.label))
      case .url(let url): entries.append(MenuEntry(.url(url.description), label: entry.label))
      case .page(let file):
        if let page = pagesOfFiles[file] {
          entries.append(MenuEntry(.page(page.path), label: entry.label ?? page.menuLabel ?? page.title))
        } else if !drafts.contains(file) {
          let text = "there is no page pages/\(file)" + Suggestion.phrase(for: file, among: allFiles)
          problems.append(site.error(at: "menu[\(number)]", text))
        }
      }
    }
    guard problems.isEmpty else { throw PipelineError(problems) }
    return entries
  }
}

extension MenuEntry.Target {
  init(_ part: SiteConfig.SitePart) {
    self =
      switch part {
      case .threads: .threads
      case .collections: .collections
      case .authors: .authors
      case .tags: .tags
      case .archive: .archive
      case .search: .search
      case .feed: .feed
      }
  }
}
