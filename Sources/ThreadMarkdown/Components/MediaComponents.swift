import Basics
import InterfaceText
import MarkdownHTML
import Templates
import ThreadModel

extension DocumentWriter {
  /// Appends a post's media in their order: consecutive pictures together, other media separately. If the site shows no media, or only
  /// copies, the other media are replaced by words.
  mutating func appendMedia(of post: Post, author: Author?) throws(ThreadMarkdownError) {
    guard !post.media.isEmpty else { return }
    let page = address(of: post, by: author)
    var images = ImagesComponent(post: post)
    for medium in post.media {
      if medium.lacksAltText, options.media != .none { countMissingAltText(of: medium) }
      switch medium.shown(options, page: page) {
      case .picture(let address, let alt, let full):
        show(address, medium.pictureFacts(address, options))
        images.add(address, alt: alt, full: full)
      case .mention(let url) where options.media != .link:
        images.add(words: medium.label(in: localization), url)
      case .still(let address, let page):
        try appendAll(of: &images)
        show(address, medium.facts(.image))
        images.add(address, alt: medium.label(in: localization), full: page)
        try appendAll(of: &images)
        let words = localization.text(
          medium.kind == .gif ? .watchGif : .watchVideo, ["network": post.id.platform.displayName])
        try append(AttachmentComponent(words, safe: page))
      case .video(let address, let poster):
        try appendAll(of: &images)
        try append(VideoComponent(medium: medium, address: address, poster: poster, post: post))
      case .sound(let address, let poster):
        try appendAll(of: &images)
        try append(AudioComponent(medium: medium, address: address, poster: poster, post: post))
      case .mention(let url):
        try appendAll(of: &images)
        try append(AttachmentComponent(medium.label(in: localization), safe: url.flatMap(WebAddress.safe)))
      }
    }
    try appendAll(of: &images)
  }

  /// Appends the collected pictures, and empties the collection.
  private mutating func appendAll(of images: inout ImagesComponent) throws(ThreadMarkdownError) {
    try append(images)
    images.removeAll()
  }

  /// Records a video or a sound and its still picture as shown, and returns their values.
  fileprivate mutating func show(
    _ medium: Media, of post: Post, _ address: MediaAddress, _ facts: MediaFacts, poster: MediaAddress?
  ) -> TemplateObject {
    if let poster { show(poster, medium.facts(.image)) }
    show(address, facts)
    var values = TemplateObject()
    values["url"] = MarkdownPieces.destination(address.url)
    values["alt"] = .text(medium.describedAs ?? "")
    values["label"] = .text(medium.label(in: localization))
    // Without a description, all words come from the site.
    values["lang"] = medium.describedAs == nil ? .missing : otherLanguage(of: post)
    if let poster { values["poster"] = MarkdownPieces.destination(poster.url) }
    return values
  }
}

/// Consecutive pictures of a post, in one section.
private struct ImagesComponent: Component {
  static let kind = ComponentKind.images

  private let post: Post
  private var images: [TemplateObject] = []

  init(post: Post) { self.post = post }

  mutating func add(_ address: MediaAddress, alt: String, full: String) {
    let destination = MarkdownPieces.destination(address.url)
    images.append([
      "alt": .text(alt), "src": destination,
      "full": full == address.url ? destination : MarkdownPieces.destination(full),
    ])
  }

  /// Adds the replacement for a picture that is not shown: its description, linked.
  mutating func add(words label: String, _ url: String?) {
    images.append(["link": MarkdownPieces.link(label, url)])
  }

  mutating func removeAll() { images = [] }

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    guard !images.isEmpty else { return nil }
    var images = images
    if images.count > 1 {
      for index in images.indices {
        images[index]["number"] = .text(document.localization.number(index + 1))
        images[index]["count"] = .text(document.localization.number(images.count))
      }
    }
    return ["images": .list(images.map { .object($0) }), "lang": document.otherLanguage(of: post)]
  }
}

/// A video, or a GIF, which is a looping video: its still picture linked to it, or its description.
private struct VideoComponent: Component {
  static let kind = ComponentKind.video

  let medium: Media
  let address: MediaAddress
  let poster: MediaAddress?
  let post: Post

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    var facts = medium.facts(.video)
    facts.poster = poster?.url
    facts.contentType = medium.videoType
    facts.captions = medium.captions.compactMap { captions($0, document.options) }
    facts.isLooping = medium.kind == .gif
    return document.show(medium, of: post, address, facts, poster: poster)
  }

  /// Uses only the store's copy, because browsers load captions from another server only if it allows this.
  private func captions(_ captions: MediaCaptions, _ options: MarkdownOptions) -> MediaFacts.Captions? {
    guard let language = LanguageTag.valid(captions.language), let file = captions.file,
      let address = MediaAddress(stored: file, options.links)
    else { return nil }
    return MediaFacts.Captions(
      url: address.url, language: language, label: LanguageTag.ownName(of: language))
  }
}

/// A sound: its words linked to it, with its picture if it has one.
private struct AudioComponent: Component {
  static let kind = ComponentKind.audio

  let medium: Media
  let address: MediaAddress
  let poster: MediaAddress?
  let post: Post

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    var facts = MediaFacts(kind: .audio)
    facts.contentType = Media.soundType(address)
    facts.poster = poster?.url
    facts.durationMilliseconds = medium.plausibleDuration
    var values = document.show(medium, of: post, address, facts, poster: poster)
    values["name"] = .text(medium.name(in: document.localization))
    return values
  }
}

/// A link in place of an attachment that is not shown: a media item, or a quoted post.
struct AttachmentComponent: Component {
  static let kind = ComponentKind.attachment

  private let label: String
  private let url: String?

  /// - Parameter url: a URL already checked to be safe; `nil` for words without a link.
  init(_ label: String, safe url: String?) {
    self.label = label
    self.url = url
  }

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    ["link": MarkdownPieces.link(label, safe: url)]
  }
}

/// How a media item of a post is shown.
enum ShownMedia {
  /// A picture, linked to itself or to the page of the video that it represents.
  case picture(MediaAddress, alt: String, full: String)
  case video(MediaAddress, poster: MediaAddress?)
  case sound(MediaAddress, poster: MediaAddress?)
  /// The still picture of a video that has no copy here, linked to a page that shows the video.
  case still(MediaAddress, page: String)
  /// The name of the media item, linked if a URL is known.
  case mention(url: String?)
}

extension Media {
  /// The author's description; `nil` if it is missing or only white space.
  var describedAs: String? {
    guard let altText, !altText.allSatisfy(\.isWhitespace) else { return nil }
    return altText
  }

  /// The name of the kind: `Photo`, `GIF`, or the network's word for it.
  private func kindName(in localization: Localization) -> String {
    switch kind {
    case .photo: return localization.text(.photo)
    case .video: return localization.text(.video)
    case .gif: return localization.text(.gif)
    case .audio: return localization.text(.audio)
    default:
      guard let word = PlainText.nonEmptyLine(kind.rawValue) else { return localization.text(.attachment) }
      return localization.text(.attachmentKind, ["kind": PlainText.shortened(word, to: 40)])
    }
  }

  /// `Audio (3:25)`, if the duration is known.
  func name(in localization: Localization) -> String {
    let kind = kindName(in: localization)
    guard self.kind == .audio, let length = plausibleDuration.map(Self.length) else { return kind }
    return localization.text(.withLength, ["kind": kind, "length": length])
  }

  /// The duration in milliseconds; `nil` for zero, negative and implausibly long durations, with which calculations could overflow.
  fileprivate var plausibleDuration: Int? {
    durationMilliseconds.flatMap { (1..<3_600_000_000).contains($0) ? $0 : nil }
  }

  /// `3:25`, `1:00:07`
  private static func length(_ milliseconds: Int) -> String {
    let seconds = max(1, (milliseconds + 500) / 1000)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return (hours > 0 ? "\(hours):\(padded(minutes))" : "\(minutes)") + ":" + padded(seconds % 60)
  }

  /// `Photo: a cat on a keyboard`
  func label(in localization: Localization) -> String {
    let kind = name(in: localization)
    return describedAs.map { localization.text(.described, ["kind": kind, "text": $0]) } ?? kind
  }

  /// The URL of the video: the best variant, or the URL of the media item itself.
  private var videoURL: String? { bestVideo?.url ?? url }

  /// Returns how the media item is shown with `options`.
  ///
  /// - Parameter page: The post on its network, for media whose URL is unknown.
  func shown(_ options: MarkdownOptions, page: String?) -> ShownMedia {
    let isVideo = kind == .video || kind == .gif
    let remote = (isVideo ? videoURL : url).flatMap(WebAddress.safe)
    // A video's URL leads to a bare file or a playlist, so a page without a player does not link to it.
    let link = options.media == .mirror && isVideo ? page ?? remote : remote ?? page
    guard options.media != .none else { return .mention(url: link) }
    switch kind {
    case .photo:
      guard let address = MediaAddress(file: file, url: url, options) else { return .mention(url: link) }
      return .picture(address, alt: describedAs ?? "", full: address.url)
    case .audio:
      guard let address = MediaAddress(file: file, url: url, options) else { return .mention(url: link) }
      return .sound(address, poster: MediaAddress(file: posterFile, url: posterURL, options))
    case .video, .gif:
      let poster = MediaAddress(file: posterFile, url: posterURL, options)
      if let address = MediaAddress(file: file, url: videoURL, options) {
        return .video(address, poster: poster)
      }
      guard let poster, let link else { return .mention(url: link) }
      if options.media == .mirror { return .still(poster, page: link) }
      return .picture(poster, alt: describedAs ?? "", full: link)
    default:
      return .mention(url: link)
    }
  }

  func facts(_ kind: MediaFacts.Kind) -> MediaFacts {
    var facts = MediaFacts(kind: kind)
    if let width, let height, Self.pixels.contains(width), Self.pixels.contains(height) {
      facts.width = width
      facts.height = height
    }
    return facts
  }

  /// Returns the facts of a photo that is shown from `address`, with its smaller copies if the URL is the store's.
  func pictureFacts(_ address: MediaAddress, _ options: MarkdownOptions) -> MediaFacts {
    var facts = facts(.image)
    guard kind == .photo, let width = facts.width, let file else { return facts }
    // The transparent parts of other pictures would keep the color.
    if [".jpg", ".jpeg"].contains(where: file.hasByteSuffix), let color, Self.isColor(color) {
      facts.color = color
    }
    guard !sizes.isEmpty, MediaAddress(stored: file, options.links) == address else { return facts }
    let sources = sizes.compactMap { size -> MediaFacts.Source? in
      guard Self.pixels.contains(size.width), size.width < width || size.format != nil else { return nil }
      return MediaAddress(stored: size.file, options.links)
        .map { MediaFacts.Source(url: $0.url, width: size.width, format: size.format) }
    }
    facts.sources = sources.filter { $0.format == nil }
    if !facts.sources.isEmpty { facts.sources.append(MediaFacts.Source(url: address.url, width: width)) }
    facts.sources += sources.filter { $0.format != nil }
    return facts
  }

  /// Whether a text is `#` and six lowercase hexadecimal digits.
  private static func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#")
      && text.utf8.dropFirst().allSatisfy { ($0 &- 0x30) < 10 || (0x61...0x66).contains($0) }
  }

  /// Returns the MIME type of a sound by the file name extension in its URL. The store's files always have one.
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

  /// The MIME type of the variant, if the network's video is shown and the type is well-formed.
  var videoType: String? {
    guard file == nil, let type = bestVideo?.contentType, type.utf8.count <= 60,
      type.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") })
    else { return nil }
    return type
  }

  /// The valid range in pixels of a picture's sides. Any other value is a server's mistake.
  private static var pixels: ClosedRange<Int> { 1...100_000 }
}
