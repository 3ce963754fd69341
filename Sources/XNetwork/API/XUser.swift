import Basics
package import ThreadModel

extension Author {
  /// Converts a user object. Members about the user whose credentials were used (whether they block, follow or pay) are private and left
  /// out.
  init?(x fields: XFields, observedAt: Timestamp?) {
    guard let id = fields.id("id") else { return nil }
    self.init(id: AuthorID(id, on: .x))
    handle = fields.string("username").flatMap { XURL.isHandle($0) ? $0 : nil }
    name = fields.text("name")
    url = handle.flatMap(XURL.profile)
    avatarURL = fields.text("profile_image_url").map(Self.largerAvatar)
    let entities = fields.fields("entities")
    bio = fields.text("description").map { XText.inline(bio: $0, entities?.fields("description")) }
    location = fields.text("location")
    website = Self.website(fields.text("url"), entities?.fields("url"))
    joinedAt = fields.time("created_at")
    isProtected = fields.bool("protected")
    let isOfSomeType = fields.text("verified_type").map { $0 != "none" }
    isVerified =
      fields.bool("verified") == true || isOfSomeType == true ? true : fields.bool("verified") ?? isOfSomeType
    let metrics = fields.fields("public_metrics")
    followers = metrics?.count("followers_count")
    following = metrics?.count("following_count")
    posts = metrics?.count("tweet_count")
    self.observedAt = observedAt
    extra = fields.extra(without: Self.known)
    if let rest = metrics?.extra(without: ["followers_count", "following_count", "tweet_count"]),
      !rest.isEmpty
    {
      extra["public_metrics"] = .object(rest)
    }
  }

  private static let known: Set<String> = [
    "id", "username", "name", "profile_image_url", "description", "entities", "location", "url", "created_at",
    "protected", "verified", "public_metrics",
    // Members that twarc adds to users:
    "pinned_tweet", "__twarc",
    // Relations between the user whose credentials were used and this user:
    "confirmed_email", "connection_status", "receives_your_dm", "subscribes_to_you", "subscription",
    "subscription_type",
  ]

  /// Returns the URL of a larger avatar. X serves several sizes under different names. `_normal` is 48 pixels, which is too small for
  /// today's screens.
  private static func largerAvatar(_ url: String) -> String {
    guard
      url.hasBytePrefix("https://pbs.twimg.com/profile_images/")
        || url.hasBytePrefix("https://abs.twimg.com/"),
      let dot = url.utf8.lastIndex(of: UInt8(ascii: ".")),
      let stem = url[..<dot].without(byteSuffix: "_normal")
    else { return url }
    return stem + "_400x400" + url[dot...]
  }

  /// Returns the user's website, with a short link replaced by its target.
  private static func website(_ url: String?, _ entities: XFields?) -> String? {
    guard let url else { return nil }
    let link = entities?.list("urls").map(XLink.init).first { $0.short == url }
    return link?.address ?? WebAddress.safe(url)
  }
}

extension InlineText {
  /// Converts a user's description from an archive, which has no entities.
  ///
  /// - Parameter links: the known targets of short links; other short links stay unchanged.
  package init(xBio text: String, links: [String: String]) {
    let urls = links.filter { text.contains($0.key) }.sorted { $0.key < $1.key }
      .map { JSONValue.object(["url": .string($0.key), "expanded_url": .string($0.value)]) }
    self = XText.inline(bio: text, XFields(["urls": .array(urls)]))
  }
}
