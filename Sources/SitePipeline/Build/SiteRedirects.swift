import Basics
import SiteOutput

/// The addresses of a site that have no page of their own and lead to one: each a small page, which works on every host, and the first of them
/// lines of `_redirects`, by which hosts that read it send readers on without one.
///
/// No address is written over: what stands there already was written by a page, or by the owner.
struct SiteRedirects {
  /// What Netlify, Cloudflare and GitLab read at the top of a site.
  static let fileName: SitePath = "_redirects"
  /// GitLab reads a thousand rules and 64 KB, the fewest of those hosts (November 2026: Cloudflare 2,000, Netlify some 10,000).
  static let mostRules = 1000
  static let mostBytesOfRules = 64_000

  private struct Redirect: Sendable {
    let from: SitePath
    let to: SitePath
    let anchor: String?
    let title: String
    let isListed: Bool
  }

  /// Why an address cannot lead anywhere.
  enum Problem {
    /// There is a file, with its path.
    case taken(String)
    /// It would be a folder where there is a file, or a file where there is a folder; with its path.
    case folder(String)
  }

  private let staged: StagedSite
  private var redirects: [Redirect] = []
  /// The files of the site, as all disks compare their paths, and the folders that they are in; made when the first address is looked at.
  private var files: [String: String] = [:]
  private var folders: Set<String> = []
  private var isReady = false

  /// - Parameter staged: where everything else of the site is already.
  init(beside staged: StagedSite) { self.staged = staged }

  /// Of those that may be listed.
  var count: Int { redirects.count { $0.isListed } }

  mutating func problem(with path: SitePath) -> Problem? {
    prepare()
    let file = PathText.folded(path.file)
    if let other = files[file] { return .taken(other) }
    if folders.contains(file) { return .folder(path.file) }
    var rest = file[...]
    while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
      rest = rest[..<slash]
      // The folders above one that is there are there, too.
      if folders.contains(String(rest)) { break }
      if let other = files[String(rest)] { return .folder(other) }
    }
    return nil
  }

  /// Adds an address, unless there is something else.
  ///
  /// - Parameter isListed: whether it may be among the lines of `_redirects`, which most hosts show to everybody.
  mutating func add(
    from: SitePath, to: SitePath, anchor: String? = nil, title: String, isListed: Bool = true
  ) {
    guard problem(with: from) == nil else { return }
    take(from.file)
    redirects.append(Redirect(from: from, to: to, anchor: anchor, title: title, isListed: isListed))
  }

  private mutating func prepare() {
    guard !isReady else { return }
    isReady = true
    for path in staged.paths + [Self.fileName.file] { take(path) }
  }

  private mutating func take(_ path: String) {
    let folded = PathText.folded(path)
    files[folded] = path
    var rest = folded[...]
    while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
      rest = rest[..<slash]
      guard folders.insert(String(rest)).inserted else { break }
    }
  }

  /// The lines of `_redirects`, as many as every host takes.
  func rules(of site: SiteFacts) -> (count: Int, isEmpty: Bool, text: UTF8Buffer) {
    var text = UTF8Buffer()
    var count = 0
    for redirect in redirects.lazy.filter(\.isListed).prefix(Self.mostRules) {
      let line =
        "\(site.basePath)\(redirect.from.urlText) \(site.basePath)\(redirect.to.urlText) 301\n"
      guard text.count + line.utf8.count <= Self.mostBytesOfRules else { break }
      text.append(line)
      count += 1
    }
    return (count, count == 0, text)
  }

  /// Writes the pages.
  func write(of facts: SiteFacts, jobs: Int, to staged: StagedSite) throws(PipelineError) {
    let redirects = redirects
    let failures = ParallelWork.run(
      count: redirects.count, jobs: jobs, makeState: { [(position: Int, error: PipelineError)]() }
    ) { position, failures in
      let redirect = redirects[position]
      let page = RedirectPage(
        from: redirect.from, to: redirect.to, anchor: redirect.anchor, title: redirect.title)
      do throws(SiteOutputError) {
        try staged.write(page.html(of: facts).bytes, to: redirect.from)
      } catch {
        failures.append((position, PipelineError(error)))
      }
    }
    if let first = failures.joined().min(by: { $0.position < $1.position }) { throw first.error }
  }
}
