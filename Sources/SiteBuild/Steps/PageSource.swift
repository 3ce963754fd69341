import Basics
import SiteOutput

/// The source of a thread's page, for writing the page, and for rendering the newest threads again for the feeds; kept small because there is
/// one per thread.
struct PageSource: Sendable {
  /// The position of the thread's file in the store's listing.
  let position: Int
  let isDraft: Bool
  /// Whether the page shows replies from other sites.
  let showsWebReplies: Bool
  /// The cache entry of the thread.
  let entry: PreviousBuild.Entry
  /// The place of the rendered HTML in ``PageBodies``; `nil` for a thread that was reused from the last build.
  let body: PageBodies.Place?
  /// The digest of the signatures of the media that the thread shows; `nil` if a file has no signature, because a change could then not
  /// be detected.
  let media: UInt64?
}
