import Basics
import Foundation
import InterfaceText
import MediaMirror
import SiteConfig
import SiteOutput
package import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Unroll

/// `threadsite check`: inspects the built site and the store, without changing anything.
///
/// Pages are read one by one, on all cores, and only their links to other pages are kept. If others link to anchors in a page, the page is
/// read once more for all of these links. So the time grows with the site, and memory with the links between its pages.
package struct SiteCheck: Sendable {
  private let site: SiteFolder
  private let installation: Installation?
  private let jobs: Int
  private let progress: ProgressHandler

  package init(
    _ site: SiteFolder, installation: Installation?, jobs: Int, progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.installation = installation
    self.jobs = jobs
    self.progress = progress
  }

  /// An external link, with the first page that contains it.
  package struct ExternalLink: Sendable, Hashable {
    package let url: String
    package let page: String

    package init(url: String, page: String) {
      self.url = url
      self.page = page
    }
  }

  /// - Returns: the findings, and the external links, each once.
  package func run() throws(PipelineError) -> (report: CheckReport, external: [ExternalLink]) {
    guard FileSystem.kind(of: site.output) == .folder else {
      throw PipelineError(
        .content, ["\(site.output): error: there is no site to check; run `threadsite build` first"])
    }
    var report = CheckReport()
    let files: [String: Int]
    do {
      files = try Self.files(below: site.output)
    } catch {
      throw PipelineError(.io, error)
    }
    report.files = files.count
    report.bytes = files.values.reduce(0, +)
    let external = checkPages(files, &report)
    report.findings += hostLimits(files, report)
    try checkStore(&report)
    return (report, external)
  }

  /// Removes the findings that site.yml ignores, and sorts the rest. Warns of words under `check.ignore` that name no kind of finding.
  ///
  /// - Parameter kinds: the wanted kinds; all kinds if it is empty.
  package func settle(_ report: CheckReport, kinds: Set<CheckFinding.Kind> = []) -> CheckReport {
    var report = report
    let ignored = site.config.check.ignore.map(CheckPattern.init)
    let all = Set(report.findings.filter { kinds.isEmpty || kinds.contains($0.kind) })
    // A site.yml that came with a manifest must not hide its differences.
    report.findings = all.filter { finding in
      finding.kind == .manifest || !ignored.contains { $0.covers(finding) }
    }.sorted {
      one, other in
      (one.place, one.kind.rawValue, one.subject, one.message)
        < (other.place, other.kind.rawValue, other.subject, other.message)
    }
    report.ignored = all.count - report.findings.count
    for (position, text) in site.config.check.ignore.enumerated() {
      let isWord = text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
      guard isWord, CheckFinding.Kind(rawValue: text) == nil, !all.contains(where: ignored[position].covers)
      else { continue }
      let problem =
        "\(quoted(text)) is neither a kind of finding nor a place with findings"
        + Suggestion.phrase(for: text, among: CheckFinding.Kind.allCases.map(\.rawValue))
      progress(site.warning(at: "check.ignore[\(position)]", problem))
    }
    return report
  }

  /// Returns the sizes in bytes of all files below a folder, by their paths in it.
  private static func files(below top: String) throws(FileError) -> [String: Int] {
    var files: [String: Int] = [:]
    var folders = [""]
    while let folder = folders.popLast() {
      for entry in try FileSystem.entries(of: folder.isEmpty ? top : "\(top)/\(folder)") {
        let path = folder.isEmpty ? entry.name : "\(folder)/\(entry.name)"
        switch entry.kind {
        case .folder: folders.append(path)
        case .file: files[path] = Int(entry.signature.size)
        default: break
        }
      }
    }
    return files
  }

  // MARK: Pages

  /// The results of one worker's pages.
  private struct Scanned: Sendable {
    var findings: [CheckFinding] = []
    var pages = 0
    var links = 0
    /// Links to anchors in other pages, by the target page.
    var anchors: [String: [(page: String, link: String, name: String)]] = [:]
    /// External links, each with the first page that contains it.
    var external: [String: String] = [:]

    mutating func add(_ other: Scanned) {
      findings += other.findings
      pages += other.pages
      links += other.links
      anchors.merge(other.anchors) { $0 + $1 }
      external.merge(other.external) { min($0, $1) }
    }
  }

  private func checkPages(_ files: [String: Int], _ report: inout CheckReport) -> [ExternalLink] {
    let addresses = SiteAddresses(site.config.baseURL)
    let documents = files.keys.filter { Self.isDocument($0) }.sorted()
    let counter = ProgressCounter("Reading pages", total: documents.count, progress)
    let parts = ParallelWork.run(count: documents.count, jobs: jobs, makeState: Scanned.init) { index, part in
      scan(documents[index], files, addresses, &part)
      counter.advance()
    }
    var scanned = Scanned()
    for part in parts { scanned.add(part) }
    let targets = scanned.anchors.keys.sorted()
    let anchors = scanned.anchors
    let missing = ParallelWork.run(count: targets.count, jobs: jobs, makeState: { [CheckFinding]() }) {
      index, part in
      let target = targets[index]
      // Unreadable pages have been reported above.
      guard let bytes = try? FileBytes.read("\(site.output)/\(target)"), let page = PageScan(page: bytes)
      else { return }
      for (source, link, name) in anchors[target] ?? [] where !page.anchors.contains(name) {
        part.append(
          CheckFinding(
            .brokenAnchor, at: source, link, "\(target) has no element with the id \(quoted(name))"))
      }
    }
    report.findings += scanned.findings + missing.joined()
    report.pages = scanned.pages
    report.links = scanned.links
    report.externalLinks = scanned.external.count
    return scanned.external.map { ExternalLink(url: $0.key, page: $0.value) }.sorted { $0.url < $1.url }
  }

  private static func isDocument(_ path: String) -> Bool {
    path.hasByteSuffix(".html") || path.hasByteSuffix(".css") || path.hasByteSuffix(".xml")
      || path.hasByteSuffix("feed.json")
  }

  private func scan(
    _ path: String, _ files: [String: Int], _ addresses: SiteAddresses, _ scanned: inout Scanned
  ) {
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read("\(site.output)/\(path)")
    } catch {
      scanned.findings.append(
        CheckFinding(.unreadPage, at: path, "", "it could not be read: \(error.reason)"))
      return
    }
    if path.hasByteSuffix(".html") {
      scanPage(path, bytes, files, addresses, &scanned)
    } else if path.hasByteSuffix(".css") {
      for link in PageScan.links(inStyleSheet: bytes) {
        check(link, in: path, nil, files, addresses, &scanned)
      }
    } else if path.hasByteSuffix(".xml") {
      scanFeed(path, bytes, files, addresses, &scanned)
    } else {
      scanJSONFeed(path, bytes, files, addresses, &scanned)
    }
  }

  private func scanPage(
    _ path: String, _ bytes: [UInt8], _ files: [String: Int], _ addresses: SiteAddresses,
    _ scanned: inout Scanned
  ) {
    guard let page = PageScan(page: bytes) else {
      scanned.findings.append(CheckFinding(.unreadPage, at: path, "", "it is too large to be read"))
      return
    }
    scanned.pages += 1
    if page.isCut {
      scanned.findings.append(
        CheckFinding(
          .unreadPage, at: path, "", "its elements are nested too deeply"))
    }
    for link in page.links { check(link, in: path, page.anchors, files, addresses, &scanned) }
  }

  private func scanFeed(
    _ path: String, _ bytes: [UInt8], _ files: [String: Int], _ addresses: SiteAddresses,
    _ scanned: inout Scanned
  ) {
    let document: XMLDocument
    do throws(XMLDocument.Problem) {
      document = try XMLDocument(bytes)
    } catch {
      scanned.findings.append(CheckFinding(.badFeed, at: path, "", "it is not well-formed: \(error)"))
      return
    }
    var links: [PageScan.Link] = []
    document.forEachElement { element in
      switch element.name {
      case "link", "image", "thumbnail":
        for attribute in ["href", "url"] {
          if let address = element[attribute] {
            links.append(PageScan.Link(address: address, element: element.name, isFollowed: false))
          }
        }
      case "loc": links.append(PageScan.Link(address: element.text, element: "loc", isFollowed: false))
      case "content", "summary":
        guard element["type"] == "html" else { return }
        links += PageScan(fragment: element.text)?.links ?? []
      default: break
      }
    }
    for link in links { check(link, in: path, nil, files, addresses, &scanned) }
  }

  private func scanJSONFeed(
    _ path: String, _ bytes: [UInt8], _ files: [String: Int], _ addresses: SiteAddresses,
    _ scanned: inout Scanned
  ) {
    let feed: JSONValue
    do throws(JSONError) {
      feed = try JSONValue(parsing: bytes)
    } catch {
      scanned.findings.append(
        CheckFinding(.badFeed, at: path, "", "it is not valid JSON: \(error.description(file: path))"))
      return
    }
    let items = feed["items"]?.array ?? []
    var texts: [String?] = ["home_page_url", "feed_url", "next_url", "icon", "favicon"].map {
      feed[$0]?.string
    }
    for author in ([feed] + items).flatMap({ $0["authors"]?.array ?? [] }) {
      texts += [author["url"]?.string, author["avatar"]?.string]
    }
    for item in items {
      texts += ["url", "image", "banner_image"].map { item[$0]?.string }
      texts += (item["attachments"]?.array ?? []).map { $0["url"]?.string }
    }
    var links = texts.compactMap(\.self).map {
      PageScan.Link(address: $0, element: "item", isFollowed: false)
    }
    for item in items {
      links += item["content_html"]?.string.flatMap { PageScan(fragment: $0)?.links } ?? []
    }
    for link in links { check(link, in: path, nil, files, addresses, &scanned) }
  }

  /// - Parameter anchors: the anchors in the page that contains the link; `nil` for a feed, which has no anchors.
  private func check(
    _ link: PageScan.Link, in page: String, _ anchors: Set<String>?, _ files: [String: Int],
    _ addresses: SiteAddresses, _ scanned: inout Scanned
  ) {
    scanned.links += 1
    switch addresses.resolve(link.address, in: page) {
    case .none: break
    case .wrong(let why): scanned.findings.append(CheckFinding(.brokenLink, at: page, link.address, why))
    case .external(let url):
      guard link.isFollowed else { return }
      scanned.external[url] = scanned.external[url].map { min($0, page) } ?? page
    case .file(var path, let fragment):
      if files[path] == nil {
        let inFolder = path + "/index.html"
        guard files[inFolder] != nil else {
          scanned.findings.append(
            CheckFinding(
              .brokenLink, at: page, link.address,
              "there is no \(path)\(link.element == "a" ? "" : ", which \(link.element) refers to")"))
          return
        }
        // Servers redirect from a folder's name to the folder.
        path = inFolder
      }
      guard let fragment, path.hasByteSuffix(".html"), fragment != "top" else { return }
      if path == page, let anchors {
        guard !anchors.contains(fragment) else { return }
        scanned.findings.append(
          CheckFinding(
            .brokenAnchor, at: page, link.address, "the page has no element with the id \(quoted(fragment))")
        )
      } else {
        scanned.anchors[path, default: []].append((page, link.address, fragment))
      }
    }
  }

  // MARK: Hosts

  /// Checks the limits of hosts, as documented in November 2026.
  private func hostLimits(_ files: [String: Int], _ report: CheckReport) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    func warn(_ place: String, _ message: String) {
      findings.append(CheckFinding(.hostLimit, at: place, "", message))
    }
    if report.bytes > 1 << 30 {
      warn(
        ".", "the site has \(report.bytes >> 20) MB: GitHub Pages and Neocities accept up to 1 GB (1,024 MB)")
    } else if report.bytes > 128 << 20 {
      warn(
        ".",
        "the site has \(report.bytes >> 20) MB: git-pages, which Codeberg uses, accepts up to 128 MB by default"
      )
    }
    if files.count > 20_000 {
      warn(
        ".",
        "the site has \(files.count) files: Cloudflare accepts up to 20,000 (100,000 on paid plans), Vercel and Neocities 15,000"
      )
    } else if files.count > 15_000 {
      warn(".", "the site has \(files.count) files: Vercel and Neocities accept up to 15,000")
    }
    for (path, size) in files where size > 25 << 20 {
      let hosts =
        size > 100 << 20
        ? "Cloudflare accepts up to 25 MB per file, and GitHub repositories 100 MB"
        : "Cloudflare accepts up to 25 MB per file"
      warn(path, "it has \(size >> 20) MB: \(hosts)")
    }
    if files["_headers"] != nil, let bytes = try? FileBytes.read("\(site.output)/_headers") {
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      if lines.contains(where: { $0.count > 2000 }) {
        warn("_headers", "it has a line of more than 2,000 characters, Cloudflare's limit")
      }
      let rules = lines.count { $0.first != UInt8(ascii: " ") && $0.first != UInt8(ascii: "#") }
      if rules > 100 { warn("_headers", "it has \(rules) rules, but Cloudflare accepts up to 100") }
    }
    if files["_redirects"] != nil, let bytes = try? FileBytes.read("\(site.output)/_redirects") {
      let rules = bytes.split(separator: UInt8(ascii: "\n")).count { $0.first != UInt8(ascii: "#") }
      if rules > 1000 {
        warn("_redirects", "it has \(rules) rules: GitLab accepts up to 1,000, and Cloudflare 2,000")
      }
    }
    return findings
  }

  // MARK: The store

  private struct StoreFindings: Sendable {
    var findings: [CheckFinding] = []
    var threads = 0
    var media: Set<String> = []
    /// The sizes in bytes of photos on the site of which a build with libvips would make smaller copies, by name.
    var unscaled: [String: Int] = [:]
  }

  private func checkStore(_ report: inout CheckReport) throws(PipelineError) {
    let loader = SiteLoader(
      site, installation: installation, options: SiteBuild.Options(jobs: jobs), progress: progress)
    let files = try loader.listStore()
    let store = site.threadStore
    let authors = loader.authorDirectory(loader.threadAuthors(files))
    let selection = try loader.threadSelection(authors)
    let english = try loader.themeLoader.englishLocalization()
    let media = PublishedMedia(store)
    let permalinks = try store.permalinks().adding(site.builtPermalinks ?? Permalinks())
    let counter = ProgressCounter("Reading threads", total: files.count, progress)
    let parts = ParallelWork.run(count: files.count, jobs: jobs, makeState: StoreFindings.init) {
      index, part in
      defer { counter.advance() }
      let file = files[index]
      do throws(ThreadStoreError) {
        let conversation = try store.read(file)
        var found = look(at: conversation, file, selection, media, english, &part)
        let page = permalinks[file.stem]?.text
        for position in found.indices { found[position].page = page }
        part.findings += found
        part.media.formUnion(try store.profile(of: conversation.authorID)?.mediaFiles ?? [])
      } catch {
        part.findings.append(CheckFinding(.badFile, at: file.path, "", error.description))
      }
    }
    var used: Set<String> = []
    var unscaled: [String: Int] = [:]
    for part in parts {
      report.findings += part.findings
      report.threads += part.threads
      used.formUnion(part.media)
      unscaled.merge(part.unscaled) { size, _ in size }
    }
    report.findings += unscaledPhotos(unscaled)
    // An unreadable file may use any media.
    guard !report.findings.contains(where: { $0.kind == .badFile }) else { return }
    report.findings += unusedMedia(used)
  }

  private func look(
    at conversation: Conversation, _ file: StoredFile, _ selection: ThreadSelection, _ media: PublishedMedia,
    _ english: Localization, _ looked: inout StoreFindings
  ) -> [CheckFinding] {
    let names = conversation.mediaFiles
    looked.media.formUnion(names)
    let answer = selection.settings(for: conversation)
    guard answer.sameAs == nil, let settings = answer.settings else { return [] }
    var findings: [CheckFinding] = []
    for name in names.sorted() {
      guard let problem = media.problem(with: name) else { continue }
      findings.append(
        CheckFinding(.missingMedia, at: file.path, name, problem.messages.joined(separator: " ")))
    }
    // The rest is about the site, which has no drafts.
    guard !settings.isDraft else { return findings }
    looked.threads += 1
    let thread = UnrolledThread(
      unrolling: settings.describing(conversation), hidden: settings.hidden,
      withReplies: settings.showsReplies)
    if !thread.completeness.isWhole {
      let reasons = thread.completeness.reasons.map { $0.clause(in: english) }
      let posts = thread.completeness.expected.map {
        "\(thread.completeness.known) of \($0) posts are in the store"
      }
      findings.append(
        CheckFinding(
          .incomplete, at: file.path, "", ([posts].compactMap(\.self) + reasons).joined(separator: "; ")))
    }
    guard site.config.media != .none else { return findings }
    let entry = thread.mainPosts.first?.post
    var seen: Set<String> = []
    thread.forEachVisiblePost { post in
      for photo in post.media {
        guard let name = photo.file,
          let size = ScaledImages.sizeWithoutCopies(of: photo, in: site.threadStore)
        else { continue }
        looked.unscaled[name] = size
      }
      for picture in post.media where picture.lacksAltText && seen.insert(picture.shortName).inserted {
        var finding = CheckFinding(
          .noAlt, at: file.path, picture.shortName,
          "image has no alt text; add it with `threadsite alt`, or under threads in site.yml:\n  - url: \(entry?.url ?? post.url ?? post.id.value)\n    alt:\n      "
            + "\(picture.file ?? post.url ?? post.id.value): \"…\"")
        finding.namesMedia = picture.file != nil
        findings.append(finding)
      }
    }
    return findings
  }

  /// Reports photos of which this machine makes no smaller copies, although site.yml does not exclude copies.
  private func unscaledPhotos(_ photos: [String: Int]) -> [CheckFinding] {
    guard !photos.isEmpty, site.mediaMode != .none, site.config.scaleImages == .auto,
      !ScaledImages.isInstalled()
    else { return [] }
    let kilobytes = photos.values.reduce(0, +) >> 10
    return [
      CheckFinding(
        .unscaledPhotos, at: ThreadStore.mediaFolderName, "",
        "\(photos.count == 1 ? "1 photo" : "\(photos.count) photos") (\(kilobytes) KB) would load faster on phones with smaller copies; "
          + "install \(ScaledImages.installation), then build again, or set `scale_images: false` in site.yml."
      )
    ]
  }

  private func unusedMedia(_ used: Set<String>) -> [CheckFinding] {
    let folder = "\(site.store)/\(ThreadStore.mediaFolderName)"
    // A store without media has no media folder.
    guard let entries = try? FileSystem.entries(of: folder) else { return [] }
    return entries.filter { $0.kind == .file && !PathText.isHidden($0.name) && !used.contains($0.name) }.map {
      entry in
      CheckFinding(
        .unusedMedia, at: "\(ThreadStore.mediaFolderName)/\(entry.name)", "",
        "no thread or profile uses it (\((Int(entry.signature.size) + 1023) / 1024) KB)")
    }
  }
}

/// An entry of `check.ignore`: a kind, or a pattern for a place, a link or a file. In a pattern, `*` matches any text.
struct CheckPattern: Sendable {
  private let text: String
  private let parts: [Substring]

  init(_ text: String) {
    self.text = text
    parts = text.split(separator: "*", omittingEmptySubsequences: false)
  }

  func covers(_ finding: CheckFinding) -> Bool {
    finding.kind.rawValue == text || matches(finding.place)
      || !finding.subject.isEmpty && matches(finding.subject)
  }

  private func matches(_ name: String) -> Bool {
    guard let first = parts.first, let last = parts.last, parts.count > 1 else { return name == text }
    guard name.utf8.count >= first.utf8.count + last.utf8.count, name.utf8.starts(with: first.utf8),
      name.utf8.reversed().starts(with: last.utf8.reversed())
    else { return false }
    var rest = name.utf8.dropFirst(first.utf8.count).dropLast(last.utf8.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = Substring(rest).firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
