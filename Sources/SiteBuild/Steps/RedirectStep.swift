import Basics
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// The step that writes the redirects, which are the last files of the site.
struct RedirectStep: Sendable {
  let context: BuildContext
  let authors: AuthorDirectory
  /// The store's listing.
  let files: [StoredFile]
  let sources: PageSources
  let targets: RedirectTargets
  /// The current and former URLs of threads.
  let permalinks: Permalinks
  let index: SiteIndex
  let facts: SiteFacts

  /// Writes redirects at the former URLs of authors and threads, at the URLs of threads that are the same as others, at the aliases of
  /// site.yml, and at the numbers of posts. They are written after all other files, because a redirect must not replace a file.
  func run() throws(PipelineError) {
    var redirects = SiteRedirects(beside: context.staged)
    let former = Dictionary(grouping: permalinks.moved.keys) { permalinks.moved[$0] ?? $0 }
    let isLedTo = Set(targets.entries.values)
    var titles: [SitePath: String] = [:]
    for thread in index.threads where isLedTo.contains(thread.path) { titles[thread.path] = thread.title }
    try addAliases(titles, to: &redirects)
    for thread in index.threads {
      guard let old = former[thread.path], let source = sources[thread.path] else { continue }
      // The folder names of former pages may contain words that were removed from the thread, so these URLs are not in the public list.
      let isListed = !Permalinks.hasNoWords(thread.path, of: files[source.position].stem)
      for path in old.sorted() {
        redirects.add(from: path, to: thread.path, title: thread.title, isListed: isListed)
      }
    }
    for thread in targets.sameThreads.sorted(by: { $0.path < $1.path }) {
      guard let path = targets.page(of: thread), let title = titles[path] else { continue }
      for old in [thread.path] + (former[thread.path] ?? []).sorted() {
        redirects.add(from: old, to: path, title: title, isListed: thread.isListed)
      }
    }
    let accounts = Set(index.authors.map(\.author.path))
    for account in authors.all where accounts.contains(account.page) {
      for path in account.formerPages {
        redirects.add(
          from: path, to: account.page, title: AuthorSummary(account.author, path: path).name)
      }
    }
    let bridge = bridgeRules()
    let rules = redirects.rules(of: facts, after: bridge)
    if redirects.count > rules.count {
      context.progress(
        .note(
          "\(SiteRedirects.fileName) contains \(rules.count) of \(redirects.count) redirects, the limit of all hosts; pages redirect from all URLs."
        ))
    }
    if !rules.isEmpty {
      try context.write([(SiteRedirects.fileName, rules.text)])
    }
    addStatusPages(to: &redirects)
    try redirects.write(of: facts, in: context)
  }

  /// Returns the lines by which the site's host forwards other servers' questions about the site to the service that answers them.
  ///
  /// The service describes the two paths at https://fed.brid.gy/docs#fediverse-enhanced (August 2026), and needs the query. Hosts pass it on if
  /// the target has none. The names of all formats are listed (RFC 6415, section 3), because not all hosts accept a pattern within a name.
  private func bridgeRules() -> [String] {
    guard let bridge = context.site.config.webmention.followableBy, facts.basePath == "/" else { return [] }
    let server =
      switch bridge {
      case .bridgyFed: "https://fed.brid.gy"
      }
    let lines = ["host-meta", "host-meta.json", "host-meta.xrd", "webfinger"].map {
      "/.well-known/\($0) \(server)/.well-known/\($0) 302"
    }
    guard context.staged.isOwned(SiteRedirects.fileName) else { return lines }
    let file = "\(context.site.staticFolder)/\(SiteRedirects.fileName.file)"
    let own = (try? FileBytes.read(file, atMost: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    if !own.contains("/.well-known/webfinger") {
      context.progress(
        context.site.warning(
          at: "webmention.followable_by",
          "static/\(SiteRedirects.fileName.file) replaces the generated file; add these lines to it:"
            + lines.map { "\n    \($0)" }.joined()))
    }
    return []
  }

  /// Adds the aliases of site.yml.
  ///
  /// - Throws: one error with all aliases that are not free.
  private func addAliases(
    _ titles: [SitePath: String], to redirects: inout SiteRedirects
  ) throws(PipelineError) {
    var problems: [String] = []
    for (entry, thread) in context.site.config.threads.enumerated() {
      // A thread that is not on the site has no page as the target of a redirect.
      guard let page = targets.entries[entry], let title = titles[page] else { continue }
      for (position, alias) in thread.aliases.enumerated() {
        let path = SitePath(alias)
        let problem: String
        switch redirects.problem(with: path) {
        case nil:
          redirects.add(from: path, to: page, title: title)
          continue
        case _ where path == page: problem = "this is the thread's own page; take it out"
        case .taken(let other) where context.staged.isOwned(SitePath(other)):
          problem = "static/\(other) has this URL; remove one of the two"
        case .taken(let other): problem = "this URL belongs to \(other); choose another"
        case .folder(let other):
          problem = "the site cannot have both a file and a folder called \(other); choose another"
        }
        problems.append(context.site.configProblem("threads[\(entry)].aliases[\(position)]", problem))
      }
    }
    guard problems.isEmpty else { throw PipelineError(.configuration, problems) }
  }

  /// Adds `status/<id>/` for every post that a page shows.
  private func addStatusPages(to redirects: inout SiteRedirects) {
    guard context.site.config.statusPages else { return }
    // Sorted by the number. Among posts with the same number, one whose number is unique in its whole network comes first; among pages with the same post, a page of the post's
    // author comes first.
    let posts = targets.statuses.sorted { one, other in
      if one.post.value != other.post.value { return one.post.value < other.post.value }
      if one.post != other.post {
        return (one.post.authority == nil ? 0 : 1, one.post) < (
          other.post.authority == nil ? 0 : 1, other.post
        )
      }
      return (one.isOwn ? 0 : 1, one.page) < (other.isOwn ? 0 : 1, other.page)
    }
    let titles = Dictionary(index.threads.map { ($0.path, $0.title) }) { first, _ in first }
    // The post to which the last URL leads, and the last post.
    var (target, last): (PostID?, PostID?) = (nil, nil)
    for status in posts {
      defer { last = status.post }
      if let target, target.value == status.post.value {
        if last != status.post {
          context.progress(
            .warning(
              "status/\(status.post.value)/ leads to \(target), because \(status.post) has the same number"))
        }
        continue
      }
      guard Self.isName(status.post.value), let title = titles[status.page] else { continue }
      target = status.post
      redirects.add(
        from: SitePath("status/\(status.post.value)/"), to: status.page,
        anchor: "post-\(MarkdownPieces.anchor(status.post.value))", title: title)
    }
  }

  /// Returns whether an ID of any network is a valid folder name on every file system.
  private static func isName(_ id: String) -> Bool {
    (1...100).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }
}
