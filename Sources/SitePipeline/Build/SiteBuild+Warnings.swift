import SiteConfig

extension SiteBuild {
  /// Says what the site lacks because site.yml does not say something.
  func warnOfWhatIsMissing() {
    if site.config.baseURL == nil {
      progress(.note("base_url is not set, so there are no feeds, no sitemap and no canonical links."))
    }
  }
}
