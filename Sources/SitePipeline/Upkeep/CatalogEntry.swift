import SiteConfig
package import ThreadModel

/// A thread of the store as `threadsite list` and `threadsite show` have it: what it is, whether the site has it, and where.
package struct CatalogEntry: Sendable {
  /// What becomes of a thread when the site is built.
  package enum State: String, Sendable, CaseIterable {
    /// It has a page.
    case published
    /// site.yml calls it a draft.
    case draft
    /// site.yml says so, or lets none on the site that it does not list.
    case excluded
    /// Nothing of what it would show is its author's.
    case empty
    /// Its page leads to another network's copy of it (`same_as`).
    case copy
  }

  /// Where something that concerns the thread stands in site.yml, and what it is.
  package struct Mention: Sendable, Hashable {
    /// `site.yml:12:5`
    package let place: String
    /// In words: `an entry of threads`.
    package let what: String
    /// The same for whoever takes it out; `nil` for one that names more than the thread.
    let entry: ConfigEntry?
  }

  /// A post that is missing, and why.
  package struct Gap: Sendable, Equatable {
    package let id: PostID
    package let reason: String
  }

  /// The file below the store's folder.
  package let file: String
  package let id: PostID
  package let author: Author
  package let title: String
  package let tags: [String]
  package let began: Timestamp?
  /// The days as the site counts them.
  package let beganOn: String?
  package let lastPost: Timestamp?
  /// The author's posts that the page shows.
  package let posts: Int
  package let expectedPosts: Int?
  package let state: State
  /// Whether nothing is known to be missing.
  package let isWhole: Bool
  /// Why posts are missing or may be, in English.
  package let reasons: [String]
  package let gaps: [Gap]
  /// Where its network shows the first post.
  package let address: String?
  /// The page below the site's address; `nil` for what has none.
  package let page: String?
  /// What site.yml says of it.
  package let mentions: [Mention]
  package let provenance: [Provenance]
  package let coverage: Coverage
  /// Files of the media folder that it mentions.
  package let mediaFiles: [String]
  package let othersPosts: Int
}
