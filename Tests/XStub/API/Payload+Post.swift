import Basics
import Foundation

extension Payload {
  func json(_ post: StubPost) -> JSONValue {
    let shown = text(of: post)
    let members: [String: JSONValue?] = [
      "id": JSONValue(post.id),
      "text": .string(shown.rendered.text),
      "edit_history_tweet_ids": list(post.history),
      "author_id": JSONValue(post.author),
      "conversation_id": JSONValue(post.conversation),
      "created_at": .string(post.createdAt.stubTime),
      "in_reply_to_user_id": post.replyToUser.map(JSONValue.init),
      "lang": .string(post.lang),
      "source": .string(post.source),
      "possibly_sensitive": .bool(post.sensitive),
      "reply_settings": .string(post.replySettings),
      "community_id": post.community.map(JSONValue.init),
      "entities": shown.rendered.entities,
      "display_text_range": [JSONValue(shown.start), JSONValue(shown.end)],
      "attachments": attachments(of: post),
      "referenced_tweets": references(of: post),
      "public_metrics": metrics(of: post),
      "edit_controls": editControls(of: post),
      "note_tweet": note(of: post),
      "withheld": withheld(post),
      "article": article(of: post),
    ]
    return selected(members, asked.post)
  }

  private func attachments(of post: StubPost) -> JSONValue? {
    if !post.media.isEmpty { return ["media_keys": .array(post.media.map { .string($0.key) })] }
    return post.poll.map { ["poll_ids": [JSONValue($0.id)]] }
  }

  private func references(of post: StubPost) -> JSONValue? {
    let references = [("retweeted", post.reposts), ("replied_to", post.replyTo), ("quoted", post.quotes)]
      .compactMap { type, id -> JSONValue? in id.map { ["type": .string(type), "id": JSONValue($0)] } }
    return references.isEmpty ? nil : .array(references)
  }

  /// Returns the metrics of a post: replies and quotes are counted; the other numbers are derived from the ID.
  private func metrics(of post: StubPost) -> JSONValue {
    var random = SeededNumbers(seed: post.id.value)
    let likes = Int(random.next() % 900)
    return .object([
      "retweet_count": JSONValue(likes / 9), "reply_count": JSONValue(replies[post.id] ?? 0),
      "like_count": JSONValue(likes), "quote_count": JSONValue(quotes[post.id] ?? 0),
      "bookmark_count": JSONValue(likes / 20), "impression_count": JSONValue(likes * 31 + 7),
    ])
  }

  /// Returns the edit controls: a post is editable for 30 minutes after its first version, five times (x-api.md, "Text").
  private func editControls(of post: StubPost) -> JSONValue {
    let first = post.history.first?.date ?? post.createdAt
    return [
      "is_edit_eligible": .bool(post.poll == nil && post.reposts == nil),
      "editable_until": .string(first.addingTimeInterval(30 * 60).stubTime),
      "edits_remaining": JSONValue(max(0, 5 - (post.history.count - 1))),
    ]
  }

  /// Returns the whole text with its entities; `nil` for a post that is not long.
  private func note(of post: StubPost) -> JSONValue? {
    guard let note = post.note else { return nil }
    var rendered = RenderedText()
    TextRendering(world: world, baseURL: baseURL).render(
      note, escaping: world.escapesNotes, into: &rendered)
    var members: [String: JSONValue] = ["text": .string(rendered.text)]
    members["entities"] = rendered.entities
    return .object(members)
  }

  private func withheld(_ post: StubPost) -> JSONValue? {
    post.withheld.map {
      [
        "copyright": .bool($0.copyright), "country_codes": .array($0.countries.map(JSONValue.string)),
        "scope": .string($0.wholeUser ? "user" : "tweet"),
      ]
    }
  }

  private func article(of post: StubPost) -> JSONValue? {
    guard let article = post.article else { return nil }
    var members: [String: JSONValue] = [
      "title": .string(article.title), "preview_text": .string(article.preview),
    ]
    if let cover = article.cover { members["cover_media"] = .string(cover.key) }
    return .object(members)
  }
}
