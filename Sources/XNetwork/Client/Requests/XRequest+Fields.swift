/// The fields and expansions to ask for: all that a page can show, and what unrolling needs.
///
/// In 2.167 four facts of a post are expansions only (author, edit history, the user answered, posts referred to); in 2.166 they
/// are fields, too, and posts referred to have expansions of their own.
extension XRequest {
  static func fields(
    of subject: XEndpoint.Subject, in dialect: XDialect, without refused: Set<String> = []
  ) -> [Item] {
    func list(_ name: String, _ values: [String]) -> Item {
      Item(name: name, value: values.filter { !refused.contains($0) }.joined(separator: ","))
    }
    return switch subject {
    case .users: [list("user.fields", userFields)]
    case .posts:
      [
        list(dialect.postFields, (postFields + dialect.ownPostFields).sorted()),
        list("expansions", (expansions + dialect.ownExpansions).sorted()),
        list("media.fields", mediaFields), list("poll.fields", pollFields), list("user.fields", userFields),
      ]
    }
  }

  /// Fields and expansions that a thread can do without. What differs between the dialects is not among them: a deployment that
  /// refuses one of those is asked in the other dialect.
  static let dispensable = Set(postFields + expansions + mediaFields + pollFields + userFields).subtracting([
    "attachments.media_keys", "author_id", "conversation_id", "created_at", "entities", "id", "media_key",
    "options",
    "text", "type", "url", "username",
  ])

  private static let postFields = [
    "article", "attachments", "community_id", "conversation_id", "created_at", "display_text_range",
    "edit_controls", "entities", "id", "lang", "possibly_sensitive", "public_metrics", "reply_settings",
    "source", "text", "withheld",
  ]

  /// Users who are mentioned are left out: each would cost as much as two posts, and a page needs no more of them than the handle
  /// in the text.
  private static let expansions = [
    "article.cover_media", "attachments.media_keys", "attachments.poll_ids", "author_id",
    "in_reply_to_user_id",
  ]

  private static let mediaFields = [
    "alt_text", "duration_ms", "height", "media_key", "preview_image_url", "type", "url", "variants", "width",
  ]

  private static let pollFields = ["duration_minutes", "end_datetime", "id", "options", "voting_status"]

  private static let userFields = [
    "created_at", "description", "entities", "id", "location", "name", "profile_banner_url",
    "profile_image_url", "protected", "public_metrics", "url", "username", "verified", "verified_type",
  ]
}
