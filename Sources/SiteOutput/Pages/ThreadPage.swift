package import ThreadModel
package import UTF8Text

/// A thread, rendered: what its page is made from.
package struct ThreadPage: Sendable {
  package var summary: ThreadSummary
  /// The body as HTML.
  package var body: UTF8Buffer
  /// The thread on its network.
  package var sourceURL: String?
  /// The same thread on other networks.
  package var copies: [Copy] = []
  /// How its text begins, its title included; empty where it has no words.
  package var beginning = ""
  /// Whether the body's heading is the first words of its text.
  package var headingIsText = false
  /// Hosts that the body shows media from.
  package var mediaHosts: [String]
  /// The table of contents; empty for a thread that needs none.
  package var contents: [ContentsEntry] = []
  /// What the page says of other threads, as HTML; known when all of them are.
  package var related: UTF8Buffer?
  /// What readers can do at the network with the post that they answer who answer the thread.
  package var actions: PostActions?

  /// A thread's place on another network.
  package struct Copy: Sendable {
    package var platform: Platform
    package var url: String

    package init(platform: Platform, url: String) {
      self.platform = platform
      self.url = url
    }
  }

  package init(summary: ThreadSummary, body: UTF8Buffer, sourceURL: String?, mediaHosts: [String]) {
    self.summary = summary
    self.body = body
    self.sourceURL = sourceURL
    self.mediaHosts = mediaHosts
  }
}
