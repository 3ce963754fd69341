import CCmark
import UTF8Text

extension SectionKind {
  /// Paragraphs of nothing but images become figures here.
  var holdsFigures: Bool { self == .images || self == .video || self == .audio }
}

extension HTMLWalk {
  /// How many figures the section whose opening marker is `marker` holds.
  func figureCount(after marker: CmarkNode) throws(MarkdownHTMLError) -> Int {
    var count = 0
    var block = marker.next
    while let node = block {
      switch node.type {
      case CMARK_NODE_PARAGRAPH:
        count += figureCount(of: node)
      case CMARK_NODE_HTML_BLOCK:
        // The first marker ends the count, so that a document of nothing but openings costs no more than its length.
        if try Marker(node.literal, line: node.line) != nil { return count }
      default:
        break
      }
      block = node.next
    }
    return count
  }

  /// How many figures `paragraph` is, if it is nothing else: images, and links to media, with an image or with words.
  func figureCount(of paragraph: CmarkNode) -> Int {
    var count = 0
    var inline = paragraph.firstChild
    while let node = inline {
      switch node.type {
      case CMARK_NODE_IMAGE:
        count += 1
      case CMARK_NODE_LINK:
        count += 1
      case CMARK_NODE_SOFTBREAK:
        break
      default:
        return 0
      }
      inline = node.next
    }
    return count
  }

  /// The image that is all that a link holds.
  func soleImage(of link: CmarkNode) -> CmarkNode? {
    guard let child = link.firstChild, child.type == CMARK_NODE_IMAGE, child.next == nil else { return nil }
    return child
  }

  /// Begins the figure of an image, marked where there is no alt text, so that a theme can say so.
  mutating func beginFigure(alt image: CmarkNode) {
    write(image.firstChild == nil ? "<figure class=\"no-alt\">" : "<figure>")
  }

  /// Begins the figure of a link, or writes the whole of it where it is a video or a sound; says whether it did that.
  mutating func beginFigure(of link: CmarkNode, _ target: LinkTarget) throws(MarkdownHTMLError) -> Bool {
    let image = soleImage(of: link)
    let info = mediaInfo(link.url)
    if sections.last?.kind == .audio || info?.kind == .audio, target == .own || target == .web {
      try writeAudio(link, target, info)
      skipped = link
      return true
    }
    let isVideo = sections.last?.kind == .video || info?.kind == .video
    guard isVideo, target == .own || target == .web else {
      if let image { beginFigure(alt: image) } else { write("<figure>") }
      return false
    }
    try writeVideo(link, target, poster: image, info)
    skipped = link
    return true
  }

  private mutating func writeVideo(
    _ link: CmarkNode, _ target: LinkTarget, poster: CmarkNode?, _ info: MediaInfo?
  ) throws(MarkdownHTMLError) {
    var alt = try plainText(of: poster ?? link)
    write(alt.isEmpty ? "<figure class=\"video no-alt\">" : "<figure class=\"video\">")
    write("<video")
    writeFlag("controls")
    write(" preload=\"none\"")
    writeFlag("playsinline")
    if info?.isLooping == true {
      writeFlag("loop")
      writeFlag("muted")
    }
    writePoster(poster, info)
    writeSize(info)
    // A title stands in where nobody described the video.
    if alt.isEmpty { alt.appendEscapedText(link.title) }
    if !alt.isEmpty {
      write(" aria-label=\"")
      output.append(alt)
      write("\"")
    }
    write("><source src=\"")
    output.appendEscapedURL(link.url)
    write("\"")
    if let type = info?.contentType { writeAttribute("type", type) }
    endVoidElement()
    for captions in info?.captions ?? [] { writeTrack(captions) }
    // For what does not know videos.
    beginAnchor(to: link.url, target)
    write(">")
    if alt.isEmpty { output.appendEscapedText(link.url) } else { output.append(alt) }
    write("</a></video></figure>\n")
  }

  private mutating func writeTrack(_ captions: MediaInfo.Captions) {
    withUTF8(captions.url) { url, walk in
      guard walk.isSafeImage(url) else { return }
      walk.write("<track kind=\"captions\" src=\"")
      walk.output.appendEscapedURL(url)
      walk.write("\"")
      walk.writeAttribute("srclang", captions.language)
      walk.writeAttribute("label", captions.label)
      walk.endVoidElement()
    }
  }

  /// A player, with the picture that the link begins with before it and its words below: what is heard has to be read by some. The link's
  /// title is the player's name.
  private mutating func writeAudio(
    _ link: CmarkNode, _ target: LinkTarget, _ info: MediaInfo?
  ) throws(MarkdownHTMLError) {
    write("<figure class=\"audio\">")
    if let image = link.firstChild, image.type == CMARK_NODE_IMAGE, isSafeImage(image.url) {
      write("<img src=\"")
      output.appendEscapedURL(image.url)
      write("\" alt=\"\"")
      if let info = mediaInfo(image.url) { writeSize(info) }
      write(" loading=\"lazy\" decoding=\"async\"")
      endVoidElement()
    }
    var words = try plainText(of: link)
    words.bytes.removeFirst(words.bytes.prefix { $0 == UInt8(ascii: " ") }.count)
    write("<audio")
    writeFlag("controls")
    write(" preload=\"none\"")
    if !link.title.isEmpty {
      writeAttribute("aria-label", link.title)
    } else if !words.isEmpty {
      write(" aria-label=\"")
      output.append(words)
      write("\"")
    }
    write("><source src=\"")
    output.appendEscapedURL(link.url)
    write("\"")
    if let type = info?.contentType { writeAttribute("type", type) }
    endVoidElement()
    // For what does not know sounds.
    beginAnchor(to: link.url, target)
    write(">")
    if words.isEmpty { output.appendEscapedText(link.url) } else { output.append(words) }
    write("</a></audio>")
    if !words.isEmpty {
      write("<figcaption>")
      output.append(words)
      write("</figcaption>")
    }
    write("</figure>\n")
  }

  private mutating func writePoster(_ image: CmarkNode?, _ info: MediaInfo?) {
    if let image, isSafeImage(image.url) {
      write(" poster=\"")
      output.appendEscapedURL(image.url)
      write("\"")
    } else if let poster = info?.posterURL {
      withUTF8(poster) { poster, walk in
        guard walk.isSafeImage(poster) else { return }
        walk.write(" poster=\"")
        walk.output.appendEscapedURL(poster)
        walk.write("\"")
      }
    }
  }

  // MARK: - What is known of media

  func mediaInfo(_ url: UnsafeBufferPointer<UInt8>) -> MediaInfo? {
    options.media.isEmpty ? nil : options.media[String(decoding: url, as: UTF8.self)]
  }

  mutating func writeImageAttributes(_ info: MediaInfo) {
    writeSize(info)
    var isFirst = true
    for source in info.sources where source.width > 0 {
      withUTF8(source.url) { url, walk in
        guard walk.isSafeImage(url) else { return }
        walk.write(isFirst ? " srcset=\"" : ", ")
        isFirst = false
        walk.output.appendEscapedURL(url, encodesCommas: true)
        walk.write(" ")
        walk.output.append(integer: source.width)
        walk.write("w")
      }
    }
    guard !isFirst else { return }
    write("\"")
    let isShared = (sections.last?.figures ?? 0) > 1
    writeAttribute("sizes", isShared ? options.sharedImageSizes : options.imageSizes)
  }

  private mutating func writeSize(_ info: MediaInfo?) {
    if let width = info?.width, width > 0 { writeAttribute("width", width) }
    if let height = info?.height, height > 0 { writeAttribute("height", height) }
  }

  func isSafeImage(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    let target = LinkTarget(url, ownAuthority: ownAuthority)
    return !url.isEmpty && (target == .own || target == .web)
  }

  private mutating func withUTF8(
    _ string: String, _ body: (UnsafeBufferPointer<UInt8>, inout HTMLWalk) -> Void
  ) {
    var string = string
    string.withUTF8 { body($0, &self) }
  }

  /// The text of a subtree, escaped: what alt text is made of.
  private func plainText(of node: CmarkNode) throws(MarkdownHTMLError) -> UTF8Buffer {
    var text = UTF8Buffer()
    var iterator = try CmarkIterator(over: node)
    while let (inner, isEntering) = iterator.next() {
      if isEntering { text.appendPlainText(of: inner) }
    }
    return text
  }
}
