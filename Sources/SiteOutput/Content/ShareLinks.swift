import Basics

/// Links for sharing a page on other networks. They are plain URLs, so no network learns of the page until the reader follows a link.
struct ShareLinks {
  let mail: String
  let x: String
  let bluesky: String
  /// Mastodon's own sharing page, on which readers choose their server. The text is in the fragment, which browsers do not send, so neither
  /// that page's host nor any other server learns the shared text.
  ///
  /// https://blog.joinmastodon.org/2026/03/a-new-share-button
  let mastodon: String

  init(title: String, url: String) {
    let title = PercentEncoding.encode(title)
    let url = PercentEncoding.encode(url)
    mail = "mailto:?subject=\(title)&body=\(url)"
    x = "https://x.com/intent/post?text=\(title)&url=\(url)"
    bluesky = "https://bsky.app/intent/compose?text=\(title)%20\(url)"
    mastodon = "https://share.joinmastodon.org/#text=\(title)%20\(url)"
  }
}
