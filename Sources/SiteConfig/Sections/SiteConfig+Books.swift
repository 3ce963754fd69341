extension SiteConfig {
  /// Pages that may offer what they show as a book for e-readers.
  package enum Books: String, Sendable, CaseIterable {
    /// Each thread's own page.
    case threads
    case collections
    case authors
    /// The home page, with all threads.
    case site
  }
}
