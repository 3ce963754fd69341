/// The limits that a media file must not exceed.
package struct MediaLimits: Sendable, Hashable {
  /// The maximum number of bytes of a picture.
  package var imageBytes = 32 << 20
  /// The maximum number of bytes of a video.
  package var videoBytes = 512 << 20
  /// The maximum number of bytes of a sound.
  package var audioBytes = 256 << 20
  /// The maximum number of bytes of captions: enough for more than two days of speech.
  package var captionBytes = 4 << 20
  /// The maximum product of width and height.
  package var pixels = 100_000_000
  /// The maximum number of pixels of the longer side.
  package var side = 30_000

  package init() {}

  func bytes(of family: MediaType.Family?) -> Int {
    switch family {
    case .image: imageBytes
    case .video: videoBytes
    case .audio: audioBytes
    case .captions: captionBytes
    case nil: max(imageBytes, videoBytes, audioBytes)
    }
  }

  /// Checks the dimensions in a file's header. Only the header counts, because a decoder allocates memory for all pixels before it decodes
  /// the first one.
  ///
  /// - Throws: `MediaError.tooManyPixels`.
  func check(_ shape: MediaDimensions) throws(MediaError) {
    guard shape.width <= side, shape.height <= side, shape.width * shape.height <= pixels else {
      throw .tooManyPixels(width: shape.width, height: shape.height)
    }
  }
}
