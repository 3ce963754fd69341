/// How large a picture or a video is shown, and how long a video or a sound is, as its header says: what a page reserves room with.
package struct MediaShape: Sendable, Hashable {
  /// Pixels, after the rotation that the file asks for; 0 of what has no size.
  package var width: Int
  /// Pixels, after the rotation that the file asks for; 0 of what has no size.
  package var height: Int
  /// Of a video or a sound, where its header says so.
  package var durationMilliseconds: Int?

  /// `nil` where a side is nothing, or more than any format can say and multiply.
  init?(width: Int, height: Int, durationMilliseconds: Int? = nil) {
    guard (1...Int(UInt32.max)).contains(width), (1...Int(UInt32.max)).contains(height),
      !width.multipliedReportingOverflow(by: height).overflow
    else { return nil }
    self.width = width
    self.height = height
    self.durationMilliseconds = durationMilliseconds
  }

  /// A sound or captions, which have no size.
  init(withoutSizeOfMilliseconds duration: Int?) {
    width = 0
    height = 0
    durationMilliseconds = duration
  }

  /// The same for a file whose bytes are all in memory.
  package init?(_ type: MediaType, of bytes: [UInt8]) {
    var window = ByteWindow(bytes)
    self.init(type, reading: &window)
  }

  /// `nil` where the header is damaged, cut short or of something else.
  init?(_ type: MediaType, reading window: inout ByteWindow) {
    let shape =
      switch type {
      case .jpeg: Self.jpeg(&window)
      case .png: Self.png(&window)
      case .gif: Self.gif(&window)
      case .webp: Self.webp(&window)
      case .avif: Self.avif(&window)
      case .mp4: Self.mp4(&window)
      case .vtt: Self.captions(&window)
      case .mp3, .ogg, .wav, .flac, .m4a: Self.sound(type, &window)
      }
    guard let shape else { return nil }
    self = shape
  }

  /// The same turned by a quarter.
  var turned: MediaShape {
    var result = self
    (result.width, result.height) = (height, width)
    return result
  }

  /// The first chunk is `IHDR` (PNG specification, 5.6 and 11.2.1).
  private static func png(_ window: inout ByteWindow) -> MediaShape? {
    guard window.matches("IHDR", at: 12), let width = window.big(4, at: 16),
      let height = window.big(4, at: 20)
    else { return nil }
    return MediaShape(width: width, height: height)
  }

  /// The logical screen (GIF89a specification, 18).
  private static func gif(_ window: inout ByteWindow) -> MediaShape? {
    guard let width = window.little(2, at: 6), let height = window.little(2, at: 8) else { return nil }
    return MediaShape(width: width, height: height)
  }

  /// One of three first chunks: extended, lossless, lossy (WebP container specification; RFC 6386, 9.1, for the last).
  private static func webp(_ window: inout ByteWindow) -> MediaShape? {
    if window.matches("VP8X", at: 12) {
      guard let width = window.little(3, at: 24), let height = window.little(3, at: 27) else { return nil }
      return MediaShape(width: width + 1, height: height + 1)
    }
    if window.matches("VP8L", at: 12) {
      guard window.big(1, at: 20) == 0x2F, let bits = window.little(4, at: 21) else { return nil }
      return MediaShape(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
    guard window.matches("VP8 ", at: 12), window.big(3, at: 23) == 0x9D012A,
      let width = window.little(2, at: 26), let height = window.little(2, at: 28)
    else { return nil }
    return MediaShape(width: width & 0x3FFF, height: height & 0x3FFF)
  }
}
