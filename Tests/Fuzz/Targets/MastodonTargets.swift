import Basics
import MastodonNetwork
import TestSupport
import ThreadModel

extension FuzzTarget {
  /// Texts of the Fediverse: HTML by anyone. The result has no active content, and reading always ends.
  static let mastodonContent = FuzzTarget(
    "mastodon-content",
    dictionary: [
      "<p>", "</p>", "<br>", "<a href=\"https://a.example/\">", "</a>", "<a href=\"javascript:alert(1)\">",
      "<span class=\"invisible\">", "<span class=\"ellipsis\">", "</span>", "<span class=\"h-card\">",
      "class=\"u-url mention\"", "class=\"mention hashtag\" rel=\"tag\"", "<ul><li>", "<ol><li>", "</li>",
      "<blockquote>", "<pre><code>", "<script>", "</script>", "<style>", "<svg>", "<math>", "<![CDATA[",
      "-->",
      "<!--", "&amp;", "&#58;", "&colon;", "&#x0;", ":blobcat:", "RE: ", "<ruby>a<rt>b</rt></ruby>",
      "<img alt=",
      "<table><tr><td>", "\u{202E}", "<p class=\"quote-inline\">", "</div></body></html>",
    ], maximumLength: 16 << 10, openers: bytes("<ul><li>", "<b>", "<blockquote>"), testRuns: 300
  ) { bytes in
    let html = String(decoding: bytes, as: UTF8.self)
    let surroundings = HTMLSurroundings(emoji: ["blobcat": "https://a.example/b.png"])
    guard let text = InlineText(html: html, surroundings) else {
      throw PropertyFailure("a short text is rejected as too long")
    }
    try require(
      text.text.utf8.count <= bytes.count * 12 + 64, "\(bytes.count) bytes became \(text.text.utf8.count)")
    for entity in text.entities {
      switch entity.kind {
      case .link(let url, _), .mention(_, let url?, _), .hashtag(_, let url?):
        try require(WebAddress.isSafe(url), "a link leads to \(url)")
      default: break
      }
    }
    try require(text.segments.map { String($0.text) }.joined() == text.text, "segments lose text")
    var thread = Conversation(id: PostID("1", on: .mastodon), authorID: AuthorID("1", on: .mastodon))
    thread.posts = [Post(id: thread.id, authorID: thread.authorID, text: text)]
    thread.authors = [Author(id: thread.authorID, handle: "ada@a.example", name: "Ada")]
    try StoredForm.check(thread)
    try PageForm.check(thread)
  }

  /// Posts of an account's archive. Imported posts can be stored and shown and were public, and the order of
  /// the entries does not matter.
  static let outbox = FuzzTarget(
    "outbox",
    dictionary: [
      "\"orderedItems\":[", "\"type\":\"Create\"", "\"type\":\"Announce\"", "\"type\":\"Note\"",
      "\"type\":\"Question\"",
      "\"object\":{", "\"id\":\"https://a.example/users/ada/statuses/1\"",
      "\"id\":\"https://a.example/objects/1\"",
      "\"id\":\"https://a.example/ada/p/1795284357.529622\"",
      "\"inReplyTo\":\"https://a.example/users/ada/statuses/1\"",
      "\"inReplyTo\":\"https://b.example/users/bob/statuses/1\"",
      "\"attributedTo\":\"https://a.example/users/ada\"",
      "\"to\":[\"https://www.w3.org/ns/activitystreams#Public\"]", "\"cc\":[\"as:Public\"]",
      "\"to\":\"Public\"",
      "/followers\"", "\"summary\":", "\"content\":\"<p>", "\"contentMap\":{\"en\":",
      "\"attachment\":[{\"url\":",
      "media_attachments/files/000/000/001/original/a.png", "\"focalPoint\":[0,0]", "\"anyOf\":[{\"name\":",
      "\"replies\":{\"totalItems\":", "\"tag\":[{\"type\":\"Emoji\",\"name\":\":a:\"", "\"type\":\"Mention\"",
      "\"quote\":\"https://a.example/users/ada/statuses/1\"", "\"quoteAuthorization\":", "\"quoteUri\":",
      "\"published\":\"2024-01-02T03:04:05Z\"", "\"updated\":\"2024-01-02T03:04:06Z\"",
    ], maximumLength: 16 << 10, openers: bytes("[", "{\"a\":"), testRuns: 120
  ) { bytes in
    guard let conversations = MastodonOutboxFile.conversations(in: bytes) else { return }
    for conversation in conversations {
      try StoredForm.check(conversation)
      try PageForm.check(conversation)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    try require(
      conversations.isEmpty || text.contains("Public") || text.contains("\\"),
      "imported posts are not declared public")
    guard let value = try? JSONValue(parsing: bytes), case .object(var outbox) = value,
      let entries = outbox["orderedItems"]?.array, outbox["items"] == nil
    else { return }
    outbox["orderedItems"] = .array(entries.reversed())
    let reversed = MastodonOutboxFile.conversations(in: JSONWriter.text(of: .object(outbox)).bytes)
    // Only one value of a repeated key remains.
    guard MastodonOutboxFile.conversations(in: JSONWriter.text(of: value).bytes) == conversations else {
      return
    }
    try require(reversed == conversations, "the order of the entries decides what the threads are")
  }

  /// Responses of Mastodon's API. Statuses, lists and contexts become conversations that can be stored and
  /// shown, or are rejected.
  static let mastodonAnswer = FuzzTarget(
    "mastodon-answer",
    dictionary: [
      "\"id\":\"1\"", "\"content\":\"<p>\"", "\"visibility\":\"public\"", "\"visibility\":\"private\"",
      "\"in_reply_to_id\":\"1\"", "\"in_reply_to_account_id\":\"1\"",
      "\"account\":{\"id\":\"1\",\"acct\":\"a\"}",
      "\"quote\":{\"state\":\"accepted\",\"quoted_status\":", "\"poll\":{\"options\":[", "\"card\":{\"url\":",
      "\"media_attachments\":[{\"id\":\"1\",\"type\":\"image\",\"url\":\"https://a.example/b\"",
      "\"reblog\":null",
      "\"ancestors\":[", "\"descendants\":[", "\"emojis\":[{\"shortcode\":",
      "\"created_at\":\"2026-01-02T03:04:05.000Z\"",
    ], maximumLength: 16 << 10, openers: bytes("[", "{\"a\":"), testRuns: 120
  ) { bytes in
    guard let value = try? JSONValue(parsing: bytes), let answer = try? MastodonAnswer(value) else { return }
    var gathering = MastodonFetchIndex(MastodonServer("a.example"))
    gathering.add(answer, at: Timestamp(seconds: 1))
    for status in answer.statuses {
      let top = gathering.top(of: status.id)
      let (conversation, _) = gathering.conversation(from: top, by: status.account.id, withReplies: true)
      for post in conversation.posts + conversation.related {
        if let status = gathering.statuses[post.id.value] {
          try require(status.audience.isOpen, "a post that not everybody may see is stored")
        }
      }
      try StoredForm.check(conversation)
      try PageForm.check(conversation)
    }
  }
}
