import Basics
import MastodonNetwork
import TestSupport
import ThreadModel

extension FuzzTarget {
  /// Texts with Misskey's markup. Only safe URLs become links, segments lose no text, and reading always ends.
  static let misskeyText = FuzzTarget(
    "misskey-text",
    dictionary: [
      "**", "***", "*", "_", "__", "~~", "`", "```\n", "$[x2 ", "$[spin.speed=2s,left ", "]", "[", "?[",
      "](https://a.example/)", "](<https://a.example/>)", "<https://a.example/>", "https://a.example/(b)",
      "javascript:", "<b>", "</b>", "<i>", "</i>", "<s>", "</s>", "<small>", "</small>", "<center>",
      "</center>",
      "<plain>", "</plain>", "\\(", "\\)", "\\[", "\\]", "\n> ", "@ada", "@bea@b.example", "#tag", "#(a)",
      ":blobcat:", "\u{202E}", "\u{200B}", " [Search]",
    ], maximumLength: 16 << 10, openers: bytes("$[x ", "**", "[", "<b>"), testRuns: 300
  ) { bytes in
    let source = String(decoding: bytes, as: UTF8.self)
    let emoji = ["blobcat": "https://a.example/b.png"]
    guard let text = InlineText(mfm: source, on: MastodonServer("misskey.example"), emoji: emoji) else {
      throw PropertyFailure("a short text is rejected as too long")
    }
    try require(
      text.text.utf8.count <= source.utf8.count, "\(source.utf8.count) bytes became \(text.text.utf8.count)")
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

  /// Notes that an account exported. Imported notes can be stored and shown, and were public.
  static let misskeyNotes = FuzzTarget(
    "misskey-notes",
    dictionary: [
      "\"id\":\"9sxk2v1001\"", "\"replyId\":\"9sxk2v1001\"", "\"renoteId\":\"9sxk2v1001\"",
      "\"text\":\"**a**\"",
      "\"visibility\":\"public\"", "\"visibility\":\"home\"", "\"visibility\":\"followers\"",
      "\"localOnly\":true",
      "\"cw\":\"\"", "\"cw\":null", "\"fileIds\":[\"a\"]",
      "\"files\":[{\"type\":\"image/png\",\"url\":\"https://a.example/a.png\"}]",
      "\"poll\":{\"choices\":[\"a\",\"b\"],\"votes\":[1,2],\"expiresAt\":null}",
      "\"createdAt\":\"2024-05-02T10:11:00.000Z\"",
      "\"user\":{\"id\":\"1\",\"username\":\"ada\"}", "\"isHidden\":true",
    ], maximumLength: 16 << 10, openers: bytes("[", "{\"a\":"), testRuns: 120
  ) { bytes in
    guard let conversations = MastodonOutboxFile.conversations(inNotes: bytes) else { return }
    for conversation in conversations {
      try StoredForm.check(conversation)
      try PageForm.check(conversation)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    try require(
      conversations.isEmpty || text.contains("public") || text.contains("home") || text.contains("\\"),
      "imported notes are not declared public")
  }
}
