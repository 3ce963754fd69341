package import ThreadModel

/// The URLs to which a thread's document links, and from which it loads media.
///
/// Each place where threads are read implements it: the pages and feeds of a site, and each exported file. A document writes these URLs
/// without checking them. `nil` means that the place has no page, so that the document links to the network or shows only words.
package protocol ThreadLinks: AnyObject, Sendable {
  /// The page of the thread's author.
  var authorPage: String? { get }
  /// Returns the URL of a file of the store's media folder (`Media.file`, `LinkCard.imageFile` …), such as `../../media/<name>`. The name
  /// never leads out of that folder.
  func media(_ file: String) -> String
  /// Returns the network's URL of a post for which the network returned none.
  func original(of post: PostID, by handle: String?) -> String?
  /// Returns the URL under which web archives are most likely to have a post; `nil` if it is unknown.
  func archived(_ post: PostID, by handle: String?) -> ArchivedPost?
  /// Returns the page of a post that the thread quotes or answers.
  func page(of post: Post) -> String?
  /// Returns the page of a post that is missing from the thread's own conversation.
  func page(ofMissing post: Tombstone) -> String?
  /// Returns the page of the author of a post that the thread quotes or answers.
  func page(of author: Author) -> String?
  /// Returns the page of the post to which a link in a text leads.
  func page(linkedBy url: String) -> String?
  /// Returns the post or the thread of the site that a URL in a text of the owner shows; `nil` if the URL stays a link.
  func embedded(_ url: String) -> Embedded?
  /// Returns the page of a mentioned account, from its URL on the network.
  func page(ofAccount url: String) -> String?
  /// Returns the list of threads with a tag.
  func page(ofTag tag: String) -> String?
}

extension ThreadLinks {
  package func archived(_ post: PostID, by handle: String?) -> ArchivedPost? {
    original(of: post, by: handle).map { ArchivedPost(url: $0) }
  }
}

/// The links of a document that belongs to no site: all of them lead to the network.
package final class NetworkLinks: ThreadLinks {
  package init() {}

  package var authorPage: String? { nil }
  package func media(_ file: String) -> String { file }
  package func original(of post: PostID, by handle: String?) -> String? { nil }
  package func page(of post: Post) -> String? { nil }
  package func page(ofMissing post: Tombstone) -> String? { nil }
  package func page(of author: Author) -> String? { nil }
  package func page(linkedBy url: String) -> String? { nil }
  package func embedded(_ url: String) -> Embedded? { nil }
  package func page(ofAccount url: String) -> String? { nil }
  package func page(ofTag tag: String) -> String? { nil }
}
