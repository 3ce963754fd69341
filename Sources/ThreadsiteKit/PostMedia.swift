import ThreadModel

/// An image, a video or a sound file of a post.
public struct PostMedia: Sendable, Hashable {
  /// "photo", "video", "gif" (a short video without sound) or "audio"; other kinds of a network are kept unchanged.
  public let kind: String
  /// The network's URL of the image or the sound file, or of the best MP4 of a video.
  public let url: String?
  /// The network's URL of the preview image of a video or GIF.
  public let posterURL: String?
  /// The author's description for people who cannot see the attachment.
  public let altText: String?
  /// In pixels.
  public let width: Int?
  /// In pixels.
  public let height: Int?
  /// In milliseconds.
  public let duration: Int?
  /// The name of the copy in the store's folder `media`; `nil` if there is no copy.
  public let file: String?

  init(_ media: Media) {
    kind = media.kind.rawValue
    url = media.bestVideo?.url ?? media.url
    posterURL = media.posterURL
    altText = media.altText
    width = media.width
    height = media.height
    duration = media.durationMilliseconds
    file = media.file
  }
}
