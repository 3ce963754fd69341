import SiteConfig
package import ThreadModel

/// A stored thread as `threadsite list` and `threadsite show` describe it: its contents, whether the site has it, and its place on the
/// site.
package struct CatalogEntry: Sendable {
  /// The result of a build for a thread.
  package enum State: String, Sendable, CaseIterable {
    /// The thread has a page.
    case published
    /// It is marked as a draft in site.yml.
    case draft
    /// It is excluded by site.yml, or not among the listed threads that site.yml includes.
    case excluded
    /// It would show no post of its author.
    case empty
    /// Its page redirects to another network's copy of it (`same_as`).
    case copy
  }

  /// A place in site.yml that concerns the thread.
  package struct Mention: Sendable, Hashable {
    /// `site.yml:12:5`
    package let place: String
    /// A description: `an entry of threads`.
    package let what: String
    /// The entry to remove with the thread; `nil` for an entry that also names other threads.
    let entry: ConfigEntry?
  }

  /// A missing post, with the reason.
  package struct Gap: Sendable, Equatable {
    package let id: PostID
    package let reason: String
  }

  /// The path of the file below the store's folder.
  package let file: String
  /// A name for the command line (``ShortIDs``).
  package let shortID: String
  package let id: PostID
  package let author: Author
  package let title: String
  package let tags: [String]
  package let began: Timestamp?
  /// The day in the site's time zone.
  package let beganOn: String?
  package let lastPost: Timestamp?
  /// The number of the author's posts that the page shows.
  package let posts: Int
  package let expectedPosts: Int?
  package let state: State
  /// Whether no post is known to be missing.
  package let isWhole: Bool
  /// The reasons why posts are missing or may be missing, in English.
  package let reasons: [String]
  package let gaps: [Gap]
  /// The network's URL of the first post.
  package let address: String?
  /// The path of the page below the site's URL; `nil` for a thread without a page.
  package let page: String?
  /// The places in site.yml that concern the thread.
  package let mentions: [Mention]
  package let provenance: [Provenance]
  package let coverage: Coverage
  /// The files of the media folder that the thread uses.
  package let mediaFiles: [String]
  package let othersPosts: Int
}
