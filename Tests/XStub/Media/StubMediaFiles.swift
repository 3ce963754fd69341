import Synchronization

/// A file that the stub serves.
package struct StubFile: Sendable {
  package var contentType: String
  package var bytes: [UInt8]
  package var status: Int
  package init(contentType: String, bytes: [UInt8], status: Int = 200) {
    self.contentType = contentType
    self.bytes = bytes
    self.status = status
  }
}

/// The files in `/media/`, which are drawn from their names when requested, so that a name always gives the same bytes, and
/// different names give different bytes.
package enum StubMediaFiles {
  /// Returns the path of an image: `/media/<width>x<height>/<name>`.
  package static func path(_ name: String, width: Int, height: Int) -> String {
    "/media/\(width)x\(height)/\(name)"
  }

  /// A path with the response 404.
  package static let missing = "/media/missing/gone.jpg"
  /// The path of an HTML page with the name and the content type of an image.
  package static let page = "/media/odd/page.jpg"
  /// The path of an SVG with a script.
  package static let drawing = "/media/odd/drawing.svg"

  static let odd: [String: StubFile] = [
    missing: StubFile(contentType: "text/plain", bytes: Array("Not found\n".utf8), status: 404),
    page: StubFile(
      contentType: "image/jpeg", bytes: Array("<!doctype html><title>x</title><script>alert(1)</script>".utf8)
    ),
    drawing: StubFile(
      contentType: "image/svg+xml",
      bytes: Array(#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#.utf8)),
  ]

  /// Draws the file of a path; returns `nil` if the path has no file.
  ///
  /// - Parameter size: `thumb`, `small`, `medium`, `large` or `orig`, as in `?name=small` of X's images.
  package static func file(at path: String, size: String? = nil) -> StubFile? {
    let parts = path.split(separator: "/")
    guard parts.count >= 3, parts[0] == "media", let name = parts.last.map(String.init) else { return nil }
    let seed = SeededNumbers.seed(of: path)
    switch parts[1] {
    case "profile_images": return picture(name, width: avatarSide(name), height: avatarSide(name), seed: seed)
    case "banners": return picture(name, width: 1500, height: 500, seed: seed)
    case "video": return video(name, seed: seed)
    default:
      let sides = parts[1].split(separator: "x").compactMap { Int($0) }
      guard sides.count == 2, sides.allSatisfy({ (1...20_000).contains($0) }) else { return nil }
      let (width, height) = scaled(sides[0], sides[1], to: size)
      return picture(name, width: width, height: height, seed: seed)
    }
  }

  /// Cached drawings. All stubs of a run serve the same few images, and drawing is most of their work.
  private static let drawn = Mutex<[Drawing: StubFile]>([:])

  private struct Drawing: Hashable {
    let isPNG: Bool
    let width: Int
    let height: Int
    let seed: UInt64
  }

  private static func picture(_ name: String, width: Int, height: Int, seed: UInt64) -> StubFile {
    let drawing = Drawing(isPNG: name.hasSuffix(".png"), width: width, height: height, seed: seed)
    if let file = drawn.withLock({ $0[drawing] }) { return file }
    let file = draw(drawing)
    drawn.withLock { $0[drawing] = file }
    return file
  }

  private static func draw(_ drawing: Drawing) -> StubFile {
    let (width, height, seed) = (drawing.width, drawing.height, drawing.seed)
    return drawing.isPNG
      ? StubFile(
        contentType: "image/png", bytes: PNGPicture.bytes(width: width, height: height, seed: seed))
      : StubFile(
        contentType: "image/jpeg", bytes: JPEGPicture.bytes(width: width, height: height, seed: seed))
  }

  private static func video(_ name: String, seed: UInt64) -> StubFile {
    if name.hasSuffix(".m3u8") {
      let playlist = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-ENDLIST\n"
      return StubFile(contentType: "application/x-mpegURL", bytes: Array(playlist.utf8))
    }
    return StubFile(contentType: "video/mp4", bytes: MP4Video.bytes(milliseconds: 71_292, seed: seed))
  }

  /// Returns the width and height of an avatar in pixels, by the end of its name before the dot.
  private static func avatarSide(_ name: String) -> Int {
    let stem = name.split(separator: ".").first ?? ""
    for (ending, side) in [("_normal", 48), ("_bigger", 73), ("_mini", 24), ("_400x400", 400)]
    where stem.hasSuffix(ending) {
      return side
    }
    return 512
  }

  /// Returns the width and height of a size in pixels, in the proportions of the original and not larger; a thumbnail is a square of 150 pixels.
  private static func scaled(_ width: Int, _ height: Int, to size: String?) -> (Int, Int) {
    let limits = ["small": 680, "medium": 1200, "large": 2048]
    if size == "thumb" { return (150, 150) }
    guard let limit = size.flatMap({ limits[$0] }), max(width, height) > limit else { return (width, height) }
    let longest = max(width, height)
    return (max(1, width * limit / longest), max(1, height * limit / longest))
  }
}
