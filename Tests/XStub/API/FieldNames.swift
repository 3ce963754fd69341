/// The allowed values in lists of fields and expansions, from X's OpenAPI document. A test compares them with the
/// document, if it is available.
struct FieldNames {
  var postFields: Set<String>
  var postExpansions: Set<String>
  var userFields: Set<String>
  var userExpansions: Set<String>
  var mediaFields: Set<String>
  var pollFields: Set<String>
  var placeFields: Set<String>

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  static let v2 = FieldNames(
    postFields: words(
      """
      article attachments author_id card_uri community_id context_annotations conversation_id
      created_at display_text_range edit_controls edit_history_tweet_ids entities geo id
      in_reply_to_user_id lang matched_media_notes media_metadata non_public_metrics
      note_request_suggestions note_tweet organic_metrics paid_partnership possibly_sensitive
      promoted_metrics public_metrics referenced_tweets reply_settings scopes source
      suggested_source_links suggested_source_links_with_counts text withheld
      """),
    postExpansions: words(
      """
      article.cover_media article.media_entities attachments.media_keys
      attachments.media_source_tweet attachments.poll_ids author_id edit_history_tweet_ids
      entities.mentions.username geo.place_id in_reply_to_user_id entities.note.mentions.username
      referenced_tweets.id referenced_tweets.id.attachments.media_keys
      referenced_tweets.id.author_id
      """),
    userFields: words(
      """
      affiliation confirmed_email connection_status created_at description entities id
      is_identity_verified location most_recent_tweet_id name parody pinned_tweet_id
      profile_banner_url profile_image_url protected public_metrics receives_your_dm subscription
      subscription_type url username verified verified_followers_count verified_type withheld
      """),
    userExpansions: words(
      """
      affiliation.user_id most_recent_tweet_id pinned_tweet_id
      """),
    mediaFields: words(
      """
      alt_text duration_ms height media_key non_public_metrics organic_metrics preview_image_url
      promoted_metrics public_metrics type url variants width
      """),
    pollFields: words(
      """
      duration_minutes end_datetime id options voting_status
      """),
    placeFields: words(
      """
      contained_within country country_code full_name geo id name place_type
      """))
}
