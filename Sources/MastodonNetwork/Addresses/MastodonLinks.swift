package import ThreadModel

/// URLs of Fediverse servers.
package struct MastodonLinks: NetworkLinks {
  package init() {}

  /// A server answers only under a handle, except those of the Misskey family. Their usual ids have lower-case letters, and another length
  /// than the ids of other servers.
  package func url(of post: PostID, handle: String?) -> String? {
    guard post.platform == .mastodon, Self.isPlain(post.value), let host = post.authority, Self.isPlain(host)
    else { return nil }
    let note = "https://\(host)/notes/\(post.value)"
    let hasLetter = post.value.utf8.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    if hasLetter, MastodonAddresses.isOfMisskey(note) { return note }
    guard let handle else { return nil }
    // On its own server, `ada@social.example` is `ada`.
    let own = "@" + host
    let name = handle.hasSuffix(own) ? String(handle.dropLast(own.count)) : handle
    guard Self.isPlain(name, besides: "@") else { return nil }
    return "https://\(host)/@\(name)/\(post.value)"
  }

  /// Mastodon's own sharing page, on which readers choose their server. The text is in the fragment, which browsers do not send, so neither
  /// that page's host nor any other server learns the shared text.
  ///
  /// https://blog.joinmastodon.org/2026/03/a-new-share-button
  package func share(title: String, url: String) -> String? {
    "https://share.joinmastodon.org/#text=\(title)%20\(url)"
  }
}
