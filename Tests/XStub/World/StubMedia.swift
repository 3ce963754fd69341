/// A photo, a video or an animated GIF. URLs are paths relative to the stub's URL.
package struct StubMedia: Sendable {
  package enum Kind: String, Sendable {
    case photo, video
    case animatedGIF = "animated_gif"

    /// The number before the underscore of a media key.
    var keyPrefix: String {
      switch self {
      case .photo: "3"
      case .video: "7"
      case .animatedGIF: "16"
      }
    }
  }

  /// One file of a video; a file without a bit rate is a playlist.
  package struct Variant: Sendable {
    package var bitRate: Int?
    package var contentType: String
    package var path: String
  }

  package var kind: Kind
  package var id: StubID = 0
  /// The path of a photo's file, or of the poster of other media.
  package var path: String
  package var width: Int
  package var height: Int
  package var altText: String?
  package var milliseconds: Int?
  package var variants: [Variant] = []

  package var key: String { "\(kind.keyPrefix)_\(id)" }

  /// Returns a photo that is drawn from its name, as JPEG or PNG by the extension `.jpg` or `.png`.
  package static func photo(
    _ name: String, width: Int = 1200, height: Int = 800, alt: String? = nil
  ) -> StubMedia {
    StubMedia(
      kind: .photo, path: StubMediaFiles.path(name, width: width, height: height), width: width,
      height: height, altText: alt)
  }

  /// Returns a photo with any file at its path, such as a missing file, an SVG, or an HTML page.
  package static func photo(at path: String, width: Int, height: Int, alt: String? = nil) -> StubMedia {
    StubMedia(kind: .photo, path: path, width: width, height: height, altText: alt)
  }

  /// Returns a video with files in two sizes, a playlist and a poster.
  package static func video(
    _ name: String, width: Int = 1280, height: Int = 720, milliseconds: Int = 71_292, alt: String? = nil
  ) -> StubMedia {
    var media = StubMedia(
      kind: .video, path: StubMediaFiles.path(name + "-poster.jpg", width: width, height: height),
      width: width, height: height, altText: alt, milliseconds: milliseconds)
    media.variants = [
      Variant(bitRate: 256_000, contentType: "video/mp4", path: "/media/video/\(name)-small.mp4"),
      Variant(contentType: "application/x-mpegURL", path: "/media/video/\(name).m3u8"),
      Variant(bitRate: 2_176_000, contentType: "video/mp4", path: "/media/video/\(name)-large.mp4"),
    ]
    return media
  }

  /// Returns an animated GIF, which X serves as a video without sound and with a bit rate of 0.
  package static func animatedGIF(
    _ name: String, width: Int = 480, height: Int = 270, alt: String? = nil
  ) -> StubMedia {
    var media = StubMedia(
      kind: .animatedGIF, path: StubMediaFiles.path(name + "-poster.jpg", width: width, height: height),
      width: width, height: height, altText: alt)
    media.variants = [
      Variant(bitRate: 0, contentType: "video/mp4", path: "/media/video/\(name).mp4")
    ]
    return media
  }
}

/// A link in a text: its t.co URL, and X's data about the linked page.
package struct StubLink: Sendable {
  package struct Image: Sendable {
    package var path: String
    package var width: Int
    package var height: Int
  }

  /// The t.co URL; `nil` until the world assigns it.
  package var short: String?
  package var expanded: String
  package var display: String
  package var title: String?
  package var description: String?
  package var images: [Image] = []

  /// Creates a link. Title, description and image of the page form a link card.
  package init(_ expanded: String, title: String? = nil, description: String? = nil, image: String? = nil) {
    self.expanded = expanded
    display = Self.display(of: expanded)
    self.title = title
    self.description = description
    if let image {
      images = [
        Image(path: StubMediaFiles.path(image, width: 800, height: 419), width: 800, height: 419),
        Image(path: StubMediaFiles.path("small-" + image, width: 150, height: 150), width: 150, height: 150),
      ]
    }
  }

  /// Returns the URL without scheme and `www.`, cut after 15 characters of the path.
  static func display(of address: String) -> String {
    var rest = address[...]
    for prefix in ["https://", "http://", "www."] where rest.hasPrefix(prefix) {
      rest = rest.dropFirst(prefix.count)
    }
    let host = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(host.count)
    return path.count > 16 ? host + path.prefix(16) + "…" : String(rest)
  }
}
