import ThreadModel
import UTF8Text

/// What becomes of one medium of a post.
enum ShownMedia {
  /// A picture, linked to itself or to where the film is that it stands for.
  case picture(MediaAddress, alt: String, full: String)
  case video(MediaAddress, poster: MediaAddress?, alt: String)
  /// Named, and linked where it has an address.
  case mention(url: String?)
}

extension Media {
  /// What the author said it shows; `nil` for nothing but white space.
  var describedAs: String? {
    guard let altText, !altText.allSatisfy(\.isWhitespace) else { return nil }
    return altText
  }

  /// The kind in a word: `Photo`, `GIF`, or the network's own word for it.
  var kindName: String {
    switch kind {
    case .photo: return "Photo"
    case .video: return "Video"
    case .gif: return "GIF"
    default:
      guard let word = PlainText.nonEmptyLine(kind.rawValue) else { return "Attachment" }
      return "Attachment (\(PlainText.shortened(word, to: 40)))"
    }
  }

  /// `Photo: a cat on a keyboard`
  var label: String { describedAs.map { "\(kindName): \($0)" } ?? kindName }

  /// Where it plays: the store's copy, the best variant, or the address that stands for the whole.
  var videoURL: String? { bestVideo?.url ?? url }

  /// How it is shown by `options`.
  ///
  /// - Parameter page: The post on its network, where a medium is whose own address is not known.
  func shown(_ options: MarkdownOptions, page: String?) -> ShownMedia {
    let remote = kind == .video || kind == .gif ? videoURL : url
    let link = remote.flatMap(WebAddress.safe) ?? page
    guard options.media == .link else { return .mention(url: link) }
    switch kind {
    case .photo:
      guard let address = address(file: file, url: url, options) else { return .mention(url: link) }
      return .picture(address, alt: describedAs ?? "", full: address.url)
    case .video, .gif:
      let poster = address(file: posterFile, url: posterURL, options)
      if let address = address(file: file, url: videoURL, options) {
        return .video(address, poster: poster, alt: describedAs ?? "")
      }
      guard let poster, let link else { return .mention(url: link) }
      return .picture(poster, alt: describedAs ?? "", full: link)
    default:
      return .mention(url: link)
    }
  }

  private func address(file: String?, url: String?, _ options: MarkdownOptions) -> MediaAddress? {
    file.flatMap { MediaAddress(stored: $0, locate: options.mediaURL) }
      ?? url.flatMap { MediaAddress(external: $0) }
  }

  func facts(_ kind: MediaFacts.Kind) -> MediaFacts {
    var facts = MediaFacts(kind: kind)
    if let width, let height, Self.sizes.contains(width), Self.sizes.contains(height) {
      facts.width = width
      facts.height = height
    }
    return facts
  }

  /// The type of what plays, where it is well-formed.
  var videoType: String? {
    guard file == nil, let type = bestVideo?.contentType, type.utf8.count <= 60,
      type.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") })
    else { return nil }
    return type
  }

  /// Pixels that a picture may have a side of; everything else is a server's mistake.
  private static var sizes: ClosedRange<Int> { 1...100_000 }
}
