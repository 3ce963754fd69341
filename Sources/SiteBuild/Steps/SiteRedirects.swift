import Basics
import SiteOutput
import SiteWorkspace

/// URLs of a site without a page of their own that redirect to a page. Each gets a small page, which works on every host. As many as
/// allowed also get a line in `_redirects`, by which hosts that support it redirect readers directly.
///
/// Existing files, of other pages or of the owner, are never overwritten.
struct SiteRedirects {
  /// The file at the top of a site that Netlify, Cloudflare and GitLab read.
  static let fileName: SitePath = "_redirects"
  /// GitLab reads a thousand rules and 64 KB, the lowest limits of those hosts (November 2026: Cloudflare 2,000, Netlify about 10,000).
  static let mostRules = 1000
  static let mostBytesOfRules = 64_000

  private struct Redirect: Sendable {
    let from: SitePath
    let to: SitePath
    let anchor: String?
    let title: String
    let isListed: Bool
  }

  /// The reason why a URL cannot be used.
  enum Problem {
    /// A file exists at the path.
    case taken(String)
    /// The URL would require a folder in the place of a file, or a file in the place of a folder, at the path.
    case folder(String)
  }

  private let staged: StagedSite
  private var redirects: [Redirect] = []
  /// The files of the site, with paths as case-insensitive disks compare them, and their folders. Created when the first URL is checked.
  private var files: [String: String] = [:]
  private var folders: Set<String> = []
  private var isReady = false

  /// - Parameter staged: already contains all other files of the site.
  init(beside staged: StagedSite) { self.staged = staged }

  /// The number of redirects that may be listed.
  var count: Int { redirects.count { $0.isListed } }

  mutating func problem(with path: SitePath) -> Problem? {
    prepare()
    let file = PathText.folded(path.file)
    if let other = files[file] { return .taken(other) }
    if folders.contains(file) { return .folder(path.file) }
    var rest = file[...]
    while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
      rest = rest[..<slash]
      // If a folder is known, its parent folders are also known.
      if folders.contains(String(rest)) { break }
      if let other = files[String(rest)] { return .folder(other) }
    }
    return nil
  }

  /// Adds a URL, unless the site has a file there.
  ///
  /// - Parameter isListed: whether it may be listed in `_redirects`, which most hosts serve to everyone.
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

  /// Returns the lines of `_redirects`, up to the limits of all hosts.
  ///
  /// - Parameter first: other lines, which come first and are not counted.
  func rules(of site: SiteFacts, after first: [String]) -> (count: Int, isEmpty: Bool, text: UTF8Buffer) {
    var text = UTF8Buffer()
    for line in first { text.append(line + "\n") }
    var count = 0
    for redirect in redirects.lazy.filter(\.isListed).prefix(Self.mostRules - first.count) {
      let line =
        "\(site.basePath)\(redirect.from.urlText) \(site.basePath)\(redirect.to.urlText) 301\n"
      guard text.count + line.utf8.count <= Self.mostBytesOfRules else { break }
      text.append(line)
      count += 1
    }
    return (count, text.isEmpty, text)
  }

  /// Writes the pages.
  func write(of facts: SiteFacts, in context: BuildContext) throws(PipelineError) {
    let redirects = redirects
    _ = try context.collect(redirects.count) { (position) throws(PipelineError) -> Void? in
      let redirect = redirects[position]
      let page = RedirectPage(
        from: redirect.from, to: redirect.to, anchor: redirect.anchor, title: redirect.title)
      return try context.write([(redirect.from, page.html(of: facts))])
    }
  }
}
