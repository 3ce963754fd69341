import JSONText
import ThreadModel
import UTF8Text

extension Author {
  /// An account, as any of the views of profiles has it; `nil` for one without a DID.
  init?(bluesky view: JSONValue, at now: Timestamp) {
    guard let did = view["did"]?.string, RecordAddress.isDID(did) else { return nil }
    self.init(id: AuthorID(did, on: .bluesky))
    // A handle whose owner does not say that it is theirs is nobody's.
    handle = view["handle"]?.string.flatMap { $0 == "handle.invalid" || $0.isEmpty ? nil : $0 }
    name = view["displayName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    url = "https://bsky.app/profile/\(did)"
    let picture = BlueskyLabels(view["labels"], at: now)
    if !picture.isHidden, !picture.isSensitive { avatarURL = view["avatar"]?.string }
    bio = view["description"]?.string.flatMap { $0.isEmpty ? nil : InlineText($0) }
    website = view["website"]?.string
    joinedAt = view["createdAt"]?.string.flatMap { Timestamp(iso8601: $0) }
    isVerified = view["verification"]?["verifiedStatus"]?.string.map { $0 == "valid" }
    followers = view["followersCount"]?.int
    following = view["followsCount"]?.int
    posts = view["postsCount"]?.int
    observedAt = now
  }
}
