import SiteConfig

extension SiteBuild {
  /// Says what the site asks for that this version cannot do: it builds what is in the store, and fetches nothing.
  func warnOfWhatIsMissing() {
    if site.config.baseURL == nil {
      progress(.note("base_url is not set, so there are no feeds, no sitemap and no canonical links."))
    }
    for (position, source) in (site.config.threads ?? []).enumerated() {
      guard let text = source.withoutEffect else { continue }
      progress(
        .warning(
          site.decoded?.problem(at: "threads[\(position)]", text, severity: .warning).description ?? text))
    }
  }
}

extension ThreadSource {
  /// What of the entry waits for a later version, in words; `nil` where all of it is done.
  fileprivate var withoutEffect: String? {
    switch self {
    case .post(let post): post.replies ? "replies are not shown by this version" : nil
    case .archive: "this version does not read archives: all that is in the store is built instead"
    case .author: "this version does not fetch: all that is in the store is built instead"
    case .search: "this version does not search: all that is in the store is built instead"
    }
  }
}
