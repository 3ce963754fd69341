import Basics
import ThreadModel

extension Media {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var id: String?
    var kind: MediaKind?
    var read = Media(id: "", kind: .photo)
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "alt_text": read.altText = try reader.readString()
      case "captions":
        read.captions = try reader.readItems { item throws(JSONError) in try MediaCaptions(reading: &item) }
      case "duration_ms": read.durationMilliseconds = try reader.readInt()
      case "extra": read.extra = try reader.readExtra()
      case "file": read.file = try reader.readString()
      case "file_from_archive": read.isFileFromArchive = try reader.readBool()
      case "height": read.height = try reader.readInt()
      case "id": id = try reader.readNonEmptyString()
      case "kind": kind = try reader.readWord()
      case "position":
        let place = try reader.readInt()
        guard place >= 0 else { throw reader.error("a position is 0 or more", at: reader.lastStart) }
        read.position = place
      case "poster_file": read.posterFile = try reader.readString()
      case "poster_url": read.posterURL = try reader.readString()
      case "sizes":
        read.sizes = try reader.readItems { item throws(JSONError) in try MediaSize(reading: &item) }
      case "url": read.url = try reader.readString()
      case "variants":
        read.variants = try reader.readItems { item throws(JSONError) in try MediaVariant(reading: &item) }
      case "width": read.width = try reader.readInt()
      default: throw reader.unknown(key, in: "media")
      }
    }
    guard let id else { throw reader.missing("id", in: "media", at: start) }
    guard let kind else { throw reader.missing("kind", in: "media", at: start) }
    read.id = id
    read.kind = kind
    self = read
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("alt_text", ifKnown: altText)
      writer.member("captions", unlessEmpty: captions) { $0.write(to: &$1) }
      writer.member("duration_ms", ifKnown: durationMilliseconds)
      writer.member("extra", unlessEmpty: extra)
      writer.member("file", ifKnown: file)
      if isFileFromArchive { writer.member("file_from_archive", true) }
      writer.member("height", ifKnown: height)
      writer.member("id", id)
      writer.member("kind", kind.rawValue)
      writer.member("position", ifKnown: position)
      writer.member("poster_file", ifKnown: posterFile)
      writer.member("poster_url", ifKnown: posterURL)
      writer.member("sizes", unlessEmpty: sizes) { $0.write(to: &$1) }
      writer.member("url", ifKnown: url)
      writer.member("variants", unlessEmpty: variants) { $0.write(to: &$1) }
      writer.member("width", ifKnown: width)
    }
  }
}

extension MediaSize {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var file: String?
    var width: Int?
    var height: Int?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "file": file = try reader.readNonEmptyString()
      case "height": height = try reader.readInt()
      case "width": width = try reader.readInt()
      default: throw reader.unknown(key, in: "media size")
      }
    }
    guard let file else { throw reader.missing("file", in: "media size", at: start) }
    guard let width else { throw reader.missing("width", in: "media size", at: start) }
    guard let height else { throw reader.missing("height", in: "media size", at: start) }
    self.init(file: file, width: width, height: height)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", file)
      writer.member("height", height)
      writer.member("width", width)
    }
  }
}

extension MediaCaptions {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var language: String?
    var url: String?
    var file: String?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "file": file = try reader.readNonEmptyString()
      case "language": language = try reader.readNonEmptyString()
      case "url": url = try reader.readNonEmptyString()
      default: throw reader.unknown(key, in: "set of captions")
      }
    }
    guard let language else { throw reader.missing("language", in: "set of captions", at: start) }
    guard let url else { throw reader.missing("url", in: "set of captions", at: start) }
    self.init(language: language, url: url, file: file)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", ifKnown: file)
      writer.member("language", language)
      writer.member("url", url)
    }
  }
}

extension MediaVariant {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var url: String?
    var contentType: String?
    var bitrate: Int?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "bitrate": bitrate = try reader.readInt()
      case "content_type": contentType = try reader.readString()
      case "url": url = try reader.readString()
      default: throw reader.unknown(key, in: "media variant")
      }
    }
    guard let url else { throw reader.missing("url", in: "media variant", at: start) }
    self.init(url: url, contentType: contentType, bitrate: bitrate)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("bitrate", ifKnown: bitrate)
      writer.member("content_type", ifKnown: contentType)
      writer.member("url", url)
    }
  }
}

extension CustomEmoji {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var shortcode: String?
    var url: String?
    var file: String?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "file": file = try reader.readNonEmptyString()
      case "shortcode": shortcode = try reader.readNonEmptyString()
      case "url": url = try reader.readNonEmptyString()
      default: throw reader.unknown(key, in: "emoji")
      }
    }
    guard let shortcode else { throw reader.missing("shortcode", in: "emoji", at: start) }
    guard let url else { throw reader.missing("url", in: "emoji", at: start) }
    self.init(shortcode: shortcode, url: url, file: file)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", ifKnown: file)
      writer.member("shortcode", shortcode)
      writer.member("url", url)
    }
  }
}

extension Poll {
  init(reading reader: inout JSONReader) throws(JSONError) {
    self.init(options: [])
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "allows_multiple": allowsMultiple = try reader.readBool()
      case "ends_at": endsAt = try reader.readTimestamp()
      case "extra": extra = try reader.readExtra()
      case "id": id = try reader.readNonEmptyString()
      case "options":
        options = try reader.readItems { item throws(JSONError) in try PollOption(reading: &item) }
      case "status": status = try reader.readWord()
      case "voters": voters = try reader.readInt()
      default: throw reader.unknown(key, in: "poll")
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      if allowsMultiple { writer.member("allows_multiple", true) }
      writer.member("ends_at", ifKnown: endsAt)
      writer.member("extra", unlessEmpty: extra)
      writer.member("id", ifKnown: id)
      writer.member("options", unlessEmpty: options) { $0.write(to: &$1) }
      if status != .unknown { writer.member("status", status.rawValue) }
      writer.member("voters", ifKnown: voters)
    }
  }
}

extension PollOption {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var label: String?
    var votes: Int?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "label": label = try reader.readString()
      case "votes": votes = try reader.readInt()
      default: throw reader.unknown(key, in: "poll option")
      }
    }
    guard let label else { throw reader.missing("label", in: "poll option", at: start) }
    self.init(label, votes: votes)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("label", label)
      writer.member("votes", ifKnown: votes)
    }
  }
}

extension LinkCard {
  init(reading reader: inout JSONReader) throws(JSONError) {
    var url: String?
    var read = LinkCard(url: "")
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "image_file": read.imageFile = try reader.readString()
      case "image_height": read.imageHeight = try reader.readInt()
      case "image_url": read.imageURL = try reader.readString()
      case "image_width": read.imageWidth = try reader.readInt()
      case "summary": read.summary = try reader.readString()
      case "title": read.title = try reader.readString()
      case "url": url = try reader.readString()
      default: throw reader.unknown(key, in: "link card")
      }
    }
    guard let url else { throw reader.missing("url", in: "link card", at: start) }
    read.url = url
    self = read
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("image_file", ifKnown: imageFile)
      writer.member("image_height", ifKnown: imageHeight)
      writer.member("image_url", ifKnown: imageURL)
      writer.member("image_width", ifKnown: imageWidth)
      writer.member("summary", ifKnown: summary)
      writer.member("title", ifKnown: title)
      writer.member("url", url)
    }
  }
}
