import ThreadModel
import UTF8Text
import Wording

/// What becomes of one medium of a post.
enum ShownMedia {
  /// A picture, linked to itself or to where the film is that it stands for.
  case picture(MediaAddress, alt: String, full: String)
  case video(MediaAddress, poster: MediaAddress?, alt: String)
  case sound(MediaAddress, poster: MediaAddress?)
  /// The still picture of a film that is not here, linked to where it can be seen.
  case still(MediaAddress, page: String)
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
  private func kindName(in wording: Wording) -> String {
    switch kind {
    case .photo: return wording.text(.photo)
    case .video: return wording.text(.video)
    case .gif: return wording.text(.gif)
    case .audio: return wording.text(.audio)
    default:
      guard let word = PlainText.nonEmptyLine(kind.rawValue) else { return wording.text(.attachment) }
      return wording.text(.attachmentKind, ["kind": PlainText.shortened(word, to: 40)])
    }
  }

  /// `Audio (3:25)`, where it is known how long it is.
  func name(in wording: Wording) -> String {
    let kind = kindName(in: wording)
    guard self.kind == .audio, let length = durationMilliseconds.flatMap(Self.length) else { return kind }
    return wording.text(.withLength, ["kind": kind, "length": length])
  }

  /// `3:25`, `1:00:07`; `nil` for nothing, and for what nobody would post.
  private static func length(_ milliseconds: Int) -> String? {
    guard milliseconds > 0, milliseconds < 3_600_000_000 else { return nil }
    let seconds = max(1, (milliseconds + 500) / 1000)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return (hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)") + ":" + padded(seconds % 60)
  }

  /// `Photo: a cat on a keyboard`
  func label(in wording: Wording) -> String {
    let kind = name(in: wording)
    return describedAs.map { wording.text(.described, ["kind": kind, "text": $0]) } ?? kind
  }

  /// Where it plays: the store's copy, the best variant, or the address that stands for the whole.
  var videoURL: String? { bestVideo?.url ?? url }

  /// How it is shown by `options`.
  ///
  /// - Parameter page: The post on its network, where a medium is whose own address is not known.
  func shown(_ options: MarkdownOptions, page: String?) -> ShownMedia {
    let isFilm = kind == .video || kind == .gif
    let remote = (isFilm ? videoURL : url).flatMap(WebAddress.safe)
    // A film's own address is a bare file or a playlist, which a page that has no player of it does not lead to.
    let link = options.media == .mirror && isFilm ? page ?? remote : remote ?? page
    guard options.media != .none else { return .mention(url: link) }
    switch kind {
    case .photo:
      guard let address = address(file: file, url: url, options) else { return .mention(url: link) }
      return .picture(address, alt: describedAs ?? "", full: address.url)
    case .audio:
      guard let address = address(file: file, url: url, options) else { return .mention(url: link) }
      return .sound(address, poster: self.address(file: posterFile, url: posterURL, options))
    case .video, .gif:
      let poster = address(file: posterFile, url: posterURL, options)
      if let address = address(file: file, url: videoURL, options) {
        return .video(address, poster: poster, alt: describedAs ?? "")
      }
      guard let poster, let link else { return .mention(url: link) }
      if options.media == .mirror { return .still(poster, page: link) }
      return .picture(poster, alt: describedAs ?? "", full: link)
    default:
      return .mention(url: link)
    }
  }

  private func address(file: String?, url: String?, _ options: MarkdownOptions) -> MediaAddress? {
    MediaAddress(file: file, url: url, options)
  }

  func facts(_ kind: MediaFacts.Kind) -> MediaFacts {
    var facts = MediaFacts(kind: kind)
    if let width, let height, Self.pixels.contains(width), Self.pixels.contains(height) {
      facts.width = width
      facts.height = height
    }
    return facts
  }

  /// The facts of a photo that is shown from `address`, with its smaller copies where it is the store's.
  func pictureFacts(_ address: MediaAddress, _ options: MarkdownOptions) -> MediaFacts {
    var facts = facts(.image)
    guard kind == .photo, !sizes.isEmpty, let width = facts.width,
      let file, MediaAddress(stored: file, locate: options.mediaURL) == address
    else { return facts }
    facts.sources = sizes.compactMap { size in
      guard Self.pixels.contains(size.width), size.width < width else { return nil }
      return MediaAddress(stored: size.file, locate: options.mediaURL)
        .map { MediaFacts.Source(url: $0.url, width: size.width) }
    }
    if !facts.sources.isEmpty { facts.sources.append(MediaFacts.Source(url: address.url, width: width)) }
    return facts
  }

  /// The type of a sound, by what its address ends with: the store's files say by their names what they are.
  static func soundType(_ address: MediaAddress) -> String? {
    let path = address.url.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: ".") else { return nil }
    return switch path[path.index(after: dot)...].lowercased() {
    case "mp3": "audio/mpeg"
    case "ogg", "oga", "opus": "audio/ogg"
    case "wav": "audio/wav"
    case "flac": "audio/flac"
    case "m4a": "audio/mp4"
    default: nil
    }
  }

  /// The type of what plays, where it is well-formed.
  var videoType: String? {
    guard file == nil, let type = bestVideo?.contentType, type.utf8.count <= 60,
      type.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") })
    else { return nil }
    return type
  }

  /// Pixels that a picture may have a side of; everything else is a server's mistake.
  private static var pixels: ClosedRange<Int> { 1...100_000 }
}
