import Basics
import Foundation

extension Payload {
  func json(_ user: StubUser) -> JSONValue {
    let rendering = TextRendering(world: world, baseURL: baseURL)
    var bio = RenderedText()
    rendering.render(user.bio, escaping: false, into: &bio)
    var website = RenderedText()
    if let link = user.website {
      rendering.render(StubText(pieces: [.link(link)]), escaping: false, into: &website)
    }
    var entities: [String: JSONValue] = [:]
    entities["description"] = bio.entities
    entities["url"] = website.entities
    let members: [String: JSONValue?] = [
      "id": JSONValue(user.id),
      "name": .string(user.name),
      "username": .string(user.username),
      "created_at": .string(user.createdAt.stubTime),
      "description": .string(bio.text),
      "entities": entities.isEmpty ? nil : .object(entities),
      "location": user.location.map(JSONValue.string),
      "url": .string(website.text),
      "profile_image_url": user.avatar.map(address),
      "profile_banner_url": user.banner.map(address),
      "protected": .bool(user.protected),
      "verified": .bool(user.verified),
      "verified_type": .string(user.verifiedType),
      "pinned_tweet_id": user.pinned.map(JSONValue.init),
      "public_metrics": metrics(of: user),
    ]
    return selected(members, asked.user)
  }

  private func metrics(of user: StubUser) -> JSONValue {
    .object([
      "followers_count": JSONValue(user.followers.count), "following_count": JSONValue(user.followingCount),
      "tweet_count": JSONValue(world.posts.values.count { $0.author == user.id }),
      "listed_count": 3, "like_count": 120,
    ])
  }

  func json(_ media: StubMedia) -> JSONValue {
    let isPhoto = media.kind == .photo
    let members: [String: JSONValue?] = [
      "media_key": .string(media.key),
      "type": .string(media.kind.rawValue),
      "url": isPhoto ? address(media.path) : nil,
      "preview_image_url": isPhoto ? nil : address(media.path),
      "width": JSONValue(media.width),
      "height": JSONValue(media.height),
      "alt_text": media.altText.map(JSONValue.string),
      "duration_ms": media.milliseconds.map(JSONValue.init),
      "variants": media.variants.isEmpty ? nil : .array(media.variants.map(json)),
    ]
    return selected(members, asked.media)
  }

  private func json(_ variant: StubMedia.Variant) -> JSONValue {
    var members: [String: JSONValue] = [
      "content_type": .string(variant.contentType), "url": address(variant.path),
    ]
    members["bit_rate"] = variant.bitRate.map(JSONValue.init)
    return .object(members)
  }

  func json(_ poll: StubPoll, now: Date) -> JSONValue {
    let order = poll.arrivalOrder ?? Array(poll.options.indices)
    let options = order.map { index -> JSONValue in
      let option = poll.options[index]
      return [
        "position": JSONValue(index + 1), "label": .string(option.label), "votes": JSONValue(option.votes),
      ]
    }
    let members: [String: JSONValue?] = [
      "id": JSONValue(poll.id),
      "options": .array(options),
      "duration_minutes": JSONValue(poll.minutes),
      "end_datetime": .string(poll.end.stubTime),
      "voting_status": .string(poll.end > now ? "open" : "closed"),
    ]
    return selected(members, asked.poll)
  }
}
