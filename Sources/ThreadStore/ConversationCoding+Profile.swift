import JSONText
package import ThreadModel
package import UTF8Text

extension ConversationCoding {
  /// A profile as the bytes of its file.
  package static func encode(_ profile: Profile) -> UTF8Buffer {
    var writer = JSONWriter(.pretty)
    profile.write(to: &writer)
    return writer.finish()
  }

  /// Reads a profile's file; `file` is its name for errors.
  package static func decodeProfile(_ bytes: [UInt8], file: String) throws(ThreadStoreError) -> Profile {
    var scope: FileScope
    do {
      scope = try JSONReader.readBeginning(of: bytes) { reader throws(JSONError) in
        try FileScope(reading: &reader)
      }
    } catch {
      throw .damaged(file: file, error)
    }
    guard scope.format <= format else { throw .newerFormat(file: file, found: scope.format) }
    do {
      return try JSONReader.read(bytes) { reader throws(JSONError) in
        try Profile(reading: &reader, in: &scope)
      }
    } catch {
      throw .damaged(file: file, error)
    }
  }
}

extension Profile {
  init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    var author: Author?
    var followers: [Author] = []
    var observedAt: Timestamp?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "author": author = try Author(reading: &reader, in: &scope)
      case "followers":
        followers = try reader.readItems { item throws(JSONError) in try Author(reading: &item, in: &scope) }
      case "format", "platform": try reader.skipValue()  // what `scope` is made of
      case "observed_at": observedAt = try reader.readTimestamp()
      default: throw reader.unknown(key, in: "profile")
      }
    }
    guard let author else { throw reader.missing("author", in: "profile", at: start) }
    self.init(author: author, followers: followers, observedAt: observedAt)
  }

  func write(to writer: inout JSONWriter) {
    let platform = author.id.platform
    writer.object { writer in
      writer.member("author") { author.write(to: &$0, platform) }
      writer.member("followers", unlessEmpty: followers) { $0.write(to: &$1, platform) }
      writer.member("format", ConversationCoding.format)
      writer.member("observed_at", ifKnown: observedAt)
      writer.member("platform", platform.rawValue)
    }
  }
}
