import Basics
import ThreadModel

/// The pictures and the video of an embed: their descriptions from the record, and their URLs from the AppView's view.
struct BlueskyMedia {
  private(set) var media: [Media] = []
  private var ids: Set<String> = []

  /// - Parameters:
  ///   - record: the embed as its author wrote it; `nil` if there is only a view.
  ///   - view: the same embed as the AppView shows it; `nil` for records that do not come from the AppView.
  ///   - did: the DID of the post's author.
  init(record: JSONValue?, view: JSONValue?, did: String) {
    switch view?.embedKind ?? record?.embedKind {
    case "app.bsky.embed.images":
      pictures(record?["images"]?.array ?? [], view?["images"]?.array, did: did)
    case "app.bsky.embed.gallery":
      pictures(record?["items"]?.array ?? [], view?["items"]?.array, did: did)
    case "app.bsky.embed.video": video(record, view, did: did)
    default: break
    }
  }

  private static let mostPictures = 100

  private mutating func pictures(_ records: [JSONValue], _ views: [JSONValue]?, did: String) {
    for index in 0..<min(max(records.count, views?.count ?? 0), Self.mostPictures) {
      let record: JSONValue? = index < records.count ? records[index] : .none
      let view: JSONValue? = views.flatMap { $0.indices.contains(index) ? Optional($0[index]) : .none }
      // An item without a blob and a URL is not a picture and is skipped.
      let address = view?["fullsize"]?.string
      guard let blob = record.flatMap({ Blob($0["image"]) })?.cid ?? address.map(Self.blob) else { continue }
      var picture = Media(id: id(blob), kind: .photo)
      picture.url = address ?? Self.address(of: blob, did: did)
      picture.describe(view?["alt"] ?? record?["alt"], view?["aspectRatio"] ?? record?["aspectRatio"])
      media.append(picture)
    }
  }

  private mutating func video(_ record: JSONValue?, _ view: JSONValue?, did: String) {
    guard let blob = view?["cid"]?.string ?? record.flatMap({ Blob($0["video"]) })?.cid else { return }
    let isGIF = (view?["presentation"] ?? record?["presentation"])?.string == "gif"
    var video = Media(id: id(blob), kind: isGIF ? .gif : .video)
    video.posterURL =
      view == nil ? Self.poster(of: blob, did: did) : view?["thumbnail"]?.string
    video.describe(view?["alt"] ?? record?["alt"], view?["aspectRatio"] ?? record?["aspectRatio"])
    if let playlist = view?["playlist"]?.string {
      video.variants = [MediaVariant(url: playlist, contentType: "application/vnd.apple.mpegurl")]
    }
    video.extra["blob"] = .string(blob)
    if let captions = record?["captions"], captions.array?.isEmpty == false {
      video.extra["captions"] = captions
    }
    media.append(video)
  }

  /// Returns a unique id: the CID of the blob, with a number appended if the post shows the same picture more than once.
  private mutating func id(_ blob: String) -> String {
    var (id, number) = (blob, 2)
    while !ids.insert(id).inserted {
      id = "\(blob)-\(number)"
      number += 1
    }
    return id
  }

  /// Returns the CID in `…/img/feed_fullsize/plain/<did>/<cid>@jpeg`.
  private static func blob(of address: String) -> String {
    let name = address.split(atBytes: "/").last.map(String.init) ?? address
    return String(name.prefix { $0 != "@" && $0 != "?" })
  }

  private static func poster(of blob: String, did: String) -> String {
    "https://video.bsky.app/watch/\(PercentEncoding.encode(did))/\(blob)/thumbnail.jpg"
  }

  private static func address(of blob: String, did: String) -> String? {
    "https://cdn.bsky.app/img/feed_fullsize/plain/\(did)/\(blob)@jpeg"
  }
}

/// A record's reference to a file of its account, in the current form (`ref`) or in the form of 2022 (`cid`).
struct Blob {
  let cid: String

  init?(_ value: JSONValue?) {
    guard let cid = value?["ref"]?["$link"]?.string ?? value?["cid"]?.string, Self.isCID(cid) else {
      return nil
    }
    self.cid = cid
  }

  /// Returns whether the text has the form of a CID in base 32 or 58. The CID is not decoded, because it is only inserted into URLs.
  private static func isCID(_ text: String) -> Bool {
    (8...128).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      }
  }
}

extension Media {
  fileprivate mutating func describe(_ alt: JSONValue?, _ ratio: JSONValue?) {
    altText = alt?.string.flatMap { $0.isEmpty ? nil : $0 }
    guard let wide = ratio?["width"]?.int, let high = ratio?["height"]?.int, (1...100_000).contains(wide),
      (1...100_000).contains(high)
    else { return }
    // Most clients write the size in pixels, but a plain ratio such as 4 to 3 is also valid, and is scaled up.
    let scale = max(wide, high) < 100 ? 1000 / max(wide, high) : 1
    width = wide * scale
    height = high * scale
  }
}

extension JSONValue {
  /// The type of an embed without `#view`, so that it is the same for the record and its view.
  var embedKind: String? {
    type.map { $0.without(byteSuffix: "#view").map(String.init) ?? $0 }
  }
}
