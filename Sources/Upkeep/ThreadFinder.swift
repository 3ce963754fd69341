import Basics
import Foundation
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadModel
import ThreadStore

/// Finds the threads that users name: by the URL of any of its author's posts, by its page, by its file in the store, or by its
/// short id (``ShortIDs``).
struct ThreadFinder: Sendable {
  /// A thread of the store.
  struct Found: Sendable {
    let file: StoredFile
    let conversation: Conversation
  }

  private let site: SiteFolder
  private let store: ThreadStore
  private let jobs: Int

  /// - Parameter store: the store to search: the site's store, or the folder of removed threads.
  init(_ site: SiteFolder, in store: ThreadStore, jobs: Int) {
    self.site = site
    self.store = store
    self.jobs = jobs
  }

  /// Returns the thread for each name, in the order of the names; `nil` if the store does not have it.
  ///
  /// - Throws: one error for all invalid names.
  func find(_ names: [String]) throws(PipelineError) -> [Found?] {
    let listed = try withStore { () throws(ThreadStoreError) in try store.list() }
    let files = Dictionary(listed.map { ($0.stem, $0) }, uniquingKeysWith: { first, _ in first })
    let permalinks = try store.permalinks().adding(site.builtPermalinks ?? Permalinks())
    var result = [StoredFile?](repeating: nil, count: names.count)
    var posts: [(position: Int, post: PostReference)] = []
    var problems: [String] = []
    // Made for the first short id.
    var shortIDs: ShortIDs.Search?
    for (position, name) in names.enumerated() {
      if let file = stem(of: name).flatMap({ files[$0] })
        ?? page(of: name).flatMap(permalinks.stem).flatMap({ files[$0] })
      {
        result[position] = file
        continue
      }
      if ShortIDs.isPossible(name) {
        if shortIDs == nil { shortIDs = ShortIDs.Search(listed.map(\.stem)) }
        let meant = (shortIDs?.positions(of: name) ?? []).map { listed[$0] }
        guard meant.count > 1 else {
          result[position] = meant.first
          continue
        }
        let longer = ShortIDs(of: meant.map(\.stem))
        problems.append(
          "error: several threads have the short id \(quoted(name)): "
            + meant.map { "\(longer.id(of: $0.stem)) (\($0.path))" }.joined(separator: ", "))
        continue
      }
      do throws(InvalidValue) {
        posts.append((position, try site.networks.addresses.post(name)))
      } catch {
        // A name that looks like a path on the site is valid, but the path has no thread.
        if !isPlace(name) { problems.append("error: \(error); \(Self.advice)") }
      }
    }
    guard problems.isEmpty else { throw PipelineError(.content, problems) }
    if !posts.isEmpty {
      let survey = try StoreSurvey.of(store, posts: posts.map(\.post), jobs: jobs, passesOver: true)
      for (position, post) in posts { result[position] = survey.files[post] }
    }
    return try result.map { file throws(PipelineError) in
      guard let file else { return nil }
      return try withStore { () throws(ThreadStoreError) in
        Found(file: file, conversation: try store.read(file))
      }
    }
  }

  private static let advice =
    "use its short id (see `threadsite list`), the URL of one of its author's posts, its page or its file"

  /// Returns the thread for each name.
  ///
  /// - Throws: if any thread is missing.
  func findAll(_ names: [String]) throws(PipelineError) -> [Found] {
    let found = try find(names)
    try Self.refuseMissing(names, found)
    return Self.unique(found)
  }

  /// - Throws: an error for each name without a thread.
  static func refuseMissing(_ names: [String], _ found: [Found?]) throws(PipelineError) {
    let missing = zip(names, found).filter { $1 == nil }.map(\.0)
    guard missing.isEmpty else {
      throw PipelineError(
        .content,
        missing.map {
          "error: the store has no thread \(quoted($0)); \(Self.advice)"
        })
    }
  }

  /// Returns each thread once.
  static func unique(_ found: [Found?]) -> [Found] {
    var seen: Set<StoredFile> = []
    return found.compactMap(\.self).filter { seen.insert($0.file).inserted }
  }

  /// Returns `x/ada/1` for a path of a file of the store, with or without the store's folder and `.json`.
  private func stem(of name: String) -> String? {
    var path = name[...]
    for folder in [store.folder, site.store, site.config.store] {
      if let rest = path.without(folder + "/") {
        path = rest
        break
      }
    }
    if let rest = path.without("./") { path = rest }
    if let rest = path.without(site.config.store + "/") { path = rest }
    return path.without(byteSuffix: ".json").map(String.init) ?? String(path)
  }

  /// Returns the page for a URL or a path of the site.
  private func page(of name: String) -> SitePath? {
    var path = name.prefix(upToBytes: "?#")
    for top in [site.config.baseURL?.description, site.output + "/", site.config.output + "/"].compactMap(
      \.self)
    {
      if let rest = path.without(top) {
        path = rest
        break
      }
    }
    while path.utf8.first == UInt8(ascii: "/") { path = path.dropFirst() }
    path = path.without(byteSuffix: "index.html") ?? path.without(byteSuffix: "index.md") ?? path
    guard !path.isEmpty, path.firstRange(of: "://") == nil else { return nil }
    let text = path.removingPercentEncoding ?? String(path)
    return SitePath(text.utf8.last == UInt8(ascii: "/") ? text : text + "/")
  }

  /// Whether a name is a path, or a URL of this site, and not a network's URL.
  private func isPlace(_ name: String) -> Bool {
    if let base = site.config.baseURL?.description, name.hasBytePrefix(base) { return true }
    return name.firstRange(of: "://") == nil && name.utf8.contains(UInt8(ascii: "/"))
  }
}

extension Substring {
  /// Returns the rest after a prefix, compared by bytes; `nil` if the text does not begin with it.
  fileprivate func without(_ beginning: String) -> Substring? {
    guard utf8.starts(with: beginning.utf8) else { return nil }
    return self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...]
  }
}
