import CCmark
import UTF8Text

extension SectionKind {
  /// Paragraphs of nothing but images become figures here.
  var holdsFigures: Bool { self == .images || self == .video || self == .audio }
}

extension HTMLWalk {
  /// What the figures are that the section whose opening marker is `marker` holds.
  func figureShapes(after marker: CmarkNode) throws(MarkdownHTMLError) -> [FigureShape] {
    var shapes: [FigureShape] = []
    var block = marker.next
    while let node = block {
      switch node.type {
      case CMARK_NODE_PARAGRAPH:
        if figureCount(of: node) > 0 { addShapes(of: node, to: &shapes) }
      case CMARK_NODE_HTML_BLOCK:
        // The first marker ends the count, so that a document of nothing but openings costs no more than its length.
        if try Marker(node.literal, line: node.line) != nil { return shapes }
      default:
        break
      }
      block = node.next
    }
    return shapes
  }

  private func addShapes(of paragraph: CmarkNode, to shapes: inout [FigureShape]) {
    var inline = paragraph.firstChild
    while let node = inline {
      inline = node.next
      guard node.type != CMARK_NODE_SOFTBREAK else { continue }
      let image = node.type == CMARK_NODE_LINK ? soleImage(of: node) : node
      let info =
        (image ?? node).type == CMARK_NODE_IMAGE ? image.flatMap { mediaInfo($0.url) } : mediaInfo(node.url)
      shapes.append(FigureShape(isPicture: image != nil, info))
    }
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
    beginFigure(isUndescribed: image.firstChild == nil)
  }

  /// Begins a figure, with the row before it and its share of that where it stands in one.
  private mutating func beginFigure(isUndescribed: Bool, _ name: StaticString? = nil) {
    if !sections.isEmpty { sections[sections.count - 1].figuresBegun += 1 }
    let place = sections.last?.place
    if place?.beginsRow ?? false { write("<div class=\"row\">\n") }
    write("<figure")
    if isUndescribed || place != nil || name != nil {
      write(" class=\"")
      if let name { write(name) }
      if isUndescribed { write(name == nil ? "no-alt" : " no-alt") }
      if let place {
        if isUndescribed || name != nil { write(" ") }
        writePercent(place.share)
      }
      write("\"")
    }
    write(">")
  }

  /// Ends a figure, and its row behind the last one of that.
  mutating func endFigure() {
    write("</figure>\n")
    if sections.last?.place?.endsRow ?? false { write("</div>\n") }
  }

  /// Behind a picture that is a link to itself: what opens it large, with its description, without a script. Browsers that do not know popovers
  /// have the link.
  mutating func writeEnlarged(_ link: CmarkNode) {
    guard let controls = options.controls, let image = soleImage(of: link),
      image.url.elementsEqual(link.url), sections.last?.kind == .images, isSafeImage(image.url)
    else { return }
    enlargedPictures += 1
    let id = "\(options.idPrefix)large-\(enlargedPictures)"
    write("<button")
    writeAttribute("popovertarget", id)
    if let language = languageOfWords { writeAttribute("lang", language) }
    writeAttribute("aria-label", controls.enlarge)
    // A picture that nobody described is told by its number.
    if image.firstChild == nil, !link.title.isEmpty { writeAttribute("title", link.title) }
    write("></button><div class=\"large\" popover")
    writeAttribute("id", id)
    write("><img src=\"")
    output.appendEscapedURL(image.url)
    write("\" alt=\"\"")
    writeSize(mediaInfo(image.url))
    write(" loading=\"lazy\"")
    endVoidElement()
    if image.firstChild != nil {
      write("<p>")
      var inline = image.firstChild
      while let node = inline {
        output.appendPlainText(of: node)
        inline = node.next
      }
      write("</p>")
    }
    write("<button")
    writeAttribute("popovertarget", id)
    if let language = languageOfWords { writeAttribute("lang", language) }
    writeAttribute("aria-label", controls.close)
    write(">×</button></div>")
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
      beginFigure(isUndescribed: image.map { $0.firstChild == nil } ?? false)
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
    beginFigure(isUndescribed: alt.isEmpty, "video")
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
    write("</a></video>")
    endFigure()
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
    beginFigure(isUndescribed: false, "audio")
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
    endFigure()
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
    if let place = sections.last?.place, let column = options.columnWidth {
      let tenths = column * place.share / 10
      writeAttribute("sizes", "(min-width: 44rem) \(tenths / 10).\(tenths % 10)rem, \(place.share)vw")
    } else {
      let isShared = (sections.last?.figures ?? 0) > 1
      writeAttribute("sizes", isShared ? options.sharedImageSizes : options.imageSizes)
    }
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

/// What is known of one figure of a gallery before it is written.
struct FigureShape {
  /// Whether there is a picture, and not only words in its place.
  let isPicture: Bool
  /// Width by height.
  private(set) var ratio: Double?
  /// Whether it gains by more room than the text's column, and has pixels for that.
  private(set) var isWide = false

  init(isPicture: Bool, _ info: MediaInfo?) {
    self.isPicture = isPicture
    guard let width = info?.width, let height = info?.height, width > 0, height > 0 else { return }
    let ratio = Double(width) / Double(height)
    self.ratio = ratio
    isWide = isPicture && ratio >= 1.25 && width >= 1000
  }
}
