import Basics
import CCmark

/// Writes pictures, videos and sounds as figures: in a section for them, a paragraph that contains only images and links is a list of figures.
///
///     <!-- images -->                  <div class="images images-1">
///     [![a cat](cat.jpg)](cat.jpg) →   <figure><a href="cat.jpg"><img src="cat.jpg" alt="a cat" …></a></figure>
///     <!-- /images -->                 </div>
///
///     <!-- video -->
///     [![a cat](cat.jpg)](cat.mp4) →   <figure class="video"><video … poster="cat.jpg" aria-label="a cat">…</video></figure>
///     <!-- /video -->
struct FigureRenderer {
  /// The paragraph that is written as figures.
  private var paragraph: CmarkNode?
  /// The number of pictures that can be opened in full size.
  private var enlargedPictures = 0
  /// The number of characters of a description in the name of a button, beside which the whole description is.
  private static let mostInName = 60

  var isOpen: Bool { paragraph != nil }

  /// Whether an image or a link is a figure.
  func contains(_ node: CmarkNode) -> Bool { paragraph.map { $0 == node.parent } ?? false }

  /// Begins a list of figures; returns whether the paragraph is one.
  mutating func begin(_ paragraph: CmarkNode, to writer: inout HTMLWriter) -> Bool {
    guard let section = writer.sections.innermost, section.kind.holdsFigures,
      section.container == paragraph.parent, paragraph.figureCount > 0
    else { return false }
    self.paragraph = paragraph
    writer.beginLine()
    return true
  }

  /// Ends the list of figures; returns whether the paragraph is one.
  mutating func end(_ paragraph: CmarkNode) -> Bool {
    guard self.paragraph == paragraph else { return false }
    self.paragraph = nil
    return true
  }

  /// Begins the figure of an image. An image without alt text is marked, so that a theme can show this.
  func begin(image: CmarkNode, to writer: inout HTMLWriter) {
    beginFigure(isUndescribed: image.firstChild == nil, to: &writer)
  }

  /// Begins the figure of a link. A video or a sound is written completely; returns whether this was the case.
  func begin(link: CmarkNode, to writer: inout HTMLWriter) throws(MarkdownHTMLError) -> Bool {
    let target = writer.target(of: link.url)
    let facts = writer.facts(of: link.url)
    let kind = writer.sections.innermost?.kind
    let isPlayable = target == .own || target == .web
    if isPlayable, kind == .audio || facts?.kind == .audio {
      try writeAudio(link, target, facts, to: &writer)
      return true
    }
    if isPlayable, kind == .video || facts?.kind == .video {
      try writeVideo(link, target, facts, to: &writer)
      return true
    }
    beginFigure(isUndescribed: link.soleImage.map { $0.firstChild == nil } ?? false, to: &writer)
    return false
  }

  /// Ends the figure of a link.
  mutating func end(link: CmarkNode, to writer: inout HTMLWriter) {
    writeEnlarged(link, to: &writer)
    endFigure(to: &writer)
  }

  /// Ends a figure, and its row after the row's last figure.
  func endFigure(to writer: inout HTMLWriter) {
    writer.write("</figure>\n")
    if writer.sections.innermost?.place?.endsRow ?? false { writer.write("</div>\n") }
  }

  /// Begins a figure. If it is in a row, the start of the row precedes it, and the figure has its share of the row.
  private func beginFigure(
    isUndescribed: Bool, _ name: StaticString? = nil, to writer: inout HTMLWriter
  ) {
    writer.sections.beginFigure()
    let place = writer.sections.innermost?.place
    if place?.beginsRow ?? false { writer.write("<div class=\"row\">\n") }
    writer.write("<figure")
    if isUndescribed || place != nil || name != nil {
      writer.write(" class=\"")
      if let name { writer.write(name) }
      if isUndescribed { writer.write(name == nil ? "no-alt" : " no-alt") }
      if let place {
        if isUndescribed || name != nil { writer.write(" ") }
        writer.writeDigits(of: place.share)
      }
      writer.write("\"")
    }
    writer.write(">")
  }

  /// Writes, after a picture that is a link to itself, the popover that opens it in full size with its description, without a script.
  /// Browsers without popovers use the link.
  private mutating func writeEnlarged(_ link: CmarkNode, to writer: inout HTMLWriter) {
    guard let controls = writer.options.controls, let image = link.soleImage, link.leadsToItsPicture,
      writer.sections.innermost?.kind == .images, writer.isLoadable(image.url)
    else { return }
    enlargedPictures += 1
    let id = "\(writer.options.idPrefix)large-\(enlargedPictures)"
    // Several pictures need different names.
    let description = MarkdownHTML.text(of: image)
    let beginning = description.prefix(Self.mostInName)
    let name = beginning.endIndex == description.endIndex ? description : beginning + "…"
    beginButton(
      for: id, label: name.isEmpty ? controls.enlarge : "\(controls.enlarge): \(name)", to: &writer)
    // A picture without a description is identified by its number.
    if image.firstChild == nil, !link.title.isEmpty { writer.writeAttribute("title", link.title) }
    writer.write("></button><div class=\"large\" popover")
    writer.writeAttribute("id", id)
    writer.write("><img")
    writer.writeURL("src", image.url)
    writer.write(" alt=\"\"")
    writer.writeSize(writer.facts(of: image.url))
    writer.write(" loading=\"lazy\"")
    writer.endVoidElement()
    if image.firstChild != nil {
      writer.write("<p>")
      var inline = image.firstChild
      while let node = inline {
        writer.writePlainText(of: node)
        inline = node.next
      }
      writer.write("</p>")
    }
    beginButton(for: id, label: controls.close, to: &writer)
    writer.write(">×</button></div>")
  }

  /// Begins a button that opens or closes a popover.
  private func beginButton(for id: String, label: String, to writer: inout HTMLWriter) {
    writer.write("<button")
    writer.writeAttribute("popovertarget", id)
    if let language = writer.languageOfWords { writer.writeAttribute("lang", language) }
    writer.writeAttribute("aria-label", label)
  }

  // MARK: - Videos and sounds

  private func writeVideo(
    _ link: CmarkNode, _ target: LinkTarget, _ facts: MediaFacts?, to writer: inout HTMLWriter
  ) throws(MarkdownHTMLError) {
    let poster = link.soleImage
    // Without a poster, the words of the link are the description, or if it has a title, only the label of a video without one.
    var alt = try poster == nil && !link.title.isEmpty ? UTF8Buffer() : plainText(of: poster ?? link)
    beginFigure(isUndescribed: alt.isEmpty, "video", to: &writer)
    writer.write("<video")
    writer.writeFlag("controls")
    writer.write(" preload=\"none\"")
    writer.writeFlag("playsinline")
    if facts?.isLooping == true {
      writer.writeFlag("loop")
      writer.writeFlag("muted")
    }
    if let poster, writer.isLoadable(poster.url) {
      writer.writeURL("poster", poster.url)
    } else if var poster = facts?.poster {
      poster.withUTF8 { url in
        if writer.isLoadable(url) { writer.writeURL("poster", url) }
      }
    }
    writer.writeSize(facts)
    // The title is used if the video has no description.
    if alt.isEmpty { alt.appendEscapedText(link.title) }
    if !alt.isEmpty { writer.writeAttribute("aria-label", escaped: alt) }
    writer.write(">")
    writeSource(link, facts, to: &writer)
    for captions in facts?.captions ?? [] { writeTrack(captions, to: &writer) }
    writeFallback(link, target, alt, to: &writer)
    writer.write("</video>")
    endFigure(to: &writer)
  }

  /// Writes a player, preceded by the picture at the beginning of the link and followed by its words, which serve readers who cannot hear
  /// the sound. The link's title is the player's name.
  private func writeAudio(
    _ link: CmarkNode, _ target: LinkTarget, _ facts: MediaFacts?, to writer: inout HTMLWriter
  ) throws(MarkdownHTMLError) {
    beginFigure(isUndescribed: false, "audio", to: &writer)
    if let image = link.firstChild, image.type == CMARK_NODE_IMAGE, writer.isLoadable(image.url) {
      writer.write("<img")
      writer.writeURL("src", image.url)
      writer.write(" alt=\"\"")
      writer.writeSize(writer.facts(of: image.url))
      writer.write(" loading=\"lazy\" decoding=\"async\"")
      writer.endVoidElement()
    }
    var words = try plainText(of: link)
    words.bytes.removeFirst(words.bytes.prefix { $0 == UInt8(ascii: " ") }.count)
    writer.write("<audio")
    writer.writeFlag("controls")
    writer.write(" preload=\"none\"")
    if !link.title.isEmpty {
      writer.writeAttribute("aria-label", link.title)
    } else if !words.isEmpty {
      writer.writeAttribute("aria-label", escaped: words)
    }
    writer.write(">")
    writeSource(link, facts, to: &writer)
    writeFallback(link, target, words, to: &writer)
    writer.write("</audio>")
    if !words.isEmpty {
      writer.write("<figcaption>")
      writer.write(html: words)
      writer.write("</figcaption>")
    }
    endFigure(to: &writer)
  }

  private func writeSource(_ link: CmarkNode, _ facts: MediaFacts?, to writer: inout HTMLWriter) {
    writer.write("<source")
    writer.writeURL("src", link.url)
    if let type = facts?.contentType { writer.writeAttribute("type", type) }
    writer.endVoidElement()
  }

  private func writeTrack(_ captions: MediaFacts.Captions, to writer: inout HTMLWriter) {
    var address = captions.url
    address.withUTF8 { url in
      guard writer.isLoadable(url) else { return }
      writer.write("<track kind=\"captions\"")
      writer.writeURL("src", url)
      writer.writeAttribute("srclang", captions.language)
      writer.writeAttribute("label", captions.label)
      writer.endVoidElement()
    }
  }

  /// Writes the link for browsers that cannot play the media.
  private func writeFallback(
    _ link: CmarkNode, _ target: LinkTarget, _ words: UTF8Buffer, to writer: inout HTMLWriter
  ) {
    writer.beginAnchor(to: link.url, target)
    writer.write(">")
    if words.isEmpty { writer.write(text: link.url) } else { writer.write(html: words) }
    writer.write("</a>")
  }

  /// Returns the text of a subtree, escaped, for alt text.
  private func plainText(of node: CmarkNode) throws(MarkdownHTMLError) -> UTF8Buffer {
    var text = UTF8Buffer()
    var iterator = try CmarkIterator(over: node)
    while let (inner, isEntering) = iterator.next() {
      if isEntering { text.appendPlainText(of: inner) }
    }
    return text
  }
}

/// The properties of one figure of a gallery that are needed before writing it.
struct FigureShape {
  /// Whether it is a picture, and not only words in its place.
  let isPicture: Bool
  /// The ratio of width to height.
  private(set) var ratio: Double?
  /// Whether it benefits from more width than the text column, and has enough pixels for that.
  private(set) var isWide = false

  private init(isPicture: Bool, _ facts: MediaFacts?) {
    self.isPicture = isPicture
    guard let width = facts?.width, let height = facts?.height, width > 0, height > 0 else { return }
    let ratio = Double(width) / Double(height)
    self.ratio = ratio
    isWide = isPicture && ratio >= 1.25 && width >= 1000
  }

  /// Returns the figures in the section whose opening marker is `marker`.
  static func shapes(
    after marker: CmarkNode, in writer: borrowing HTMLWriter
  ) throws(MarkdownHTMLError) -> [FigureShape] {
    var shapes: [FigureShape] = []
    var block = marker.next
    while let node = block {
      switch node.type {
      case CMARK_NODE_PARAGRAPH:
        if node.figureCount > 0 { add(node, to: &shapes, in: writer) }
      case CMARK_NODE_HTML_BLOCK:
        // The first marker ends the count, so that a document of only opening markers takes time linear in its length.
        if try Marker(node.literal, line: node.line) != nil { return shapes }
      default:
        break
      }
      block = node.next
    }
    return shapes
  }

  private static func add(
    _ paragraph: CmarkNode, to shapes: inout [FigureShape], in writer: borrowing HTMLWriter
  ) {
    var inline = paragraph.firstChild
    while let node = inline {
      inline = node.next
      guard node.type != CMARK_NODE_SOFTBREAK else { continue }
      let image = node.type == CMARK_NODE_LINK ? node.soleImage : node
      shapes.append(FigureShape(isPicture: image != nil, writer.facts(of: (image ?? node).url)))
    }
  }
}

extension CmarkNode {
  /// The number of figures in a paragraph; 0 if it contains anything but images and links to media, with an image or with words.
  fileprivate var figureCount: Int {
    var count = 0
    var inline = firstChild
    while let node = inline {
      switch node.type {
      case CMARK_NODE_IMAGE, CMARK_NODE_LINK: count += 1
      case CMARK_NODE_SOFTBREAK: break
      default: return 0
      }
      inline = node.next
    }
    return count
  }
}
