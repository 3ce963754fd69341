import JSONText
import ThreadModel

extension Author {
  init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    var id: AuthorID?
    var read = Author(id: AuthorID("", on: scope.platform))
    var bio = ReadText()
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "archive": read.archive = try ArchiveSighting(reading: &reader)
      case "avatar_file": read.avatarFile = try reader.readString()
      case "avatar_url": read.avatarURL = try reader.readString()
      case "bio": bio.text = try reader.readString()
      case "bio_entities": try bio.readEntities(&reader)
      case "departure": read.departure = try Departure(reading: &reader)
      case "emoji":
        read.emoji = try reader.readItems { item throws(JSONError) in try CustomEmoji(reading: &item) }
      case "extra": read.extra = try reader.readExtra()
      case "followers": read.followers = try reader.readInt()
      case "following": read.following = try reader.readInt()
      case "handle": read.handle = try reader.readString()
      case "id": id = try reader.readID(on: scope.platform)
      case "joined_at": read.joinedAt = try reader.readTimestamp()
      case "location": read.location = try reader.readString()
      case "name": read.name = try reader.readString()
      case "observed_at": read.observedAt = try reader.readTimestamp(like: &scope.observedAt)
      case "older": read.older = try reader.readSightingTimes()
      case "posts": read.posts = try reader.readInt()
      case "protected": read.isProtected = try reader.readBool()
      case "url": read.url = try reader.readString()
      case "verified": read.isVerified = try reader.readBool()
      case "website": read.website = try reader.readString()
      default: throw reader.unknown(key, in: "author")
      }
    }
    guard let id else { throw reader.missing("id", in: "author", at: start) }
    read.id = id
    read.bio = try bio.finish(reader)
    self = read
  }

  func write(to writer: inout JSONWriter, _ platform: Platform) {
    writer.object { writer in
      if let archive { writer.member("archive") { archive.write(to: &$0) } }
      writer.member("avatar_file", ifKnown: avatarFile)
      writer.member("avatar_url", ifKnown: avatarURL)
      if let bio {
        writer.member("bio", bio.text)
        writer.member("bio_entities", unlessEmpty: bio.entities) { $0.write(to: &$1) }
      }
      if let departure { writer.member("departure") { departure.write(to: &$0) } }
      writer.member("emoji", unlessEmpty: emoji) { $0.write(to: &$1) }
      writer.member("extra", unlessEmpty: extra)
      writer.member("followers", ifKnown: followers)
      writer.member("following", ifKnown: following)
      writer.member("handle", ifKnown: handle)
      writer.member("id", ifKnown: id, platform)
      writer.member("joined_at", ifKnown: joinedAt)
      writer.member("location", ifKnown: location)
      writer.member("name", ifKnown: name)
      writer.member("observed_at", ifKnown: observedAt)
      writer.member("older", unlessEmpty: older)
      writer.member("posts", ifKnown: posts)
      writer.member("protected", ifKnown: isProtected)
      writer.member("url", ifKnown: url)
      writer.member("verified", ifKnown: isVerified)
      writer.member("website", ifKnown: website)
    }
  }
}
