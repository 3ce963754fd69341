package import ThreadModel

/// URLs of Bluesky's web client.
package struct BlueskyLinks: NetworkLinks {
  package init() {}

  /// The client answers under an account's DID, or under its handle.
  package func url(of post: PostID, handle: String?) -> String? {
    guard post.platform == .bluesky, Self.isPlain(post.value), let account = post.authority ?? handle,
      Self.isPlain(account)
    else { return nil }
    return "https://bsky.app/profile/\(account)/post/\(post.value)"
  }

  package func archived(_ post: PostID, handle: String?) -> ArchivedPost? {
    url(of: post, handle: handle).map {
      ArchivedPost(
        url: $0, time: RecordAddress.milliseconds(ofKey: post.value).map { Timestamp(milliseconds: $0) })
    }
  }

  /// https://docs.bsky.app/docs/advanced-guides/intent-links
  package func share(title: String, url: String) -> String? {
    "https://bsky.app/intent/compose?text=\(title)%20\(url)"
  }

  package func record(of post: PostID) -> String? {
    guard post.platform == .bluesky, let account = post.authority, RecordAddress.isDID(account),
      RecordAddress.isKey(post.value)
    else { return nil }
    return RecordAddress(did: account, key: post.value).text
  }
}
