import CCmark
import UTF8Text

extension HTMLWalk {
  mutating func writeCode(_ node: CmarkNode) {
    write("<code>")
    output.appendEscapedText(node.literal)
    write("</code>")
  }

  /// Writes `<a href="…"` and its `rel`, for a link whose target is not `unsafe`.
  mutating func beginAnchor(to url: UnsafeBufferPointer<UInt8>, _ target: LinkTarget) {
    write("<a href=\"")
    if let own = ownAddress(url) {
      output.appendEscapingHTML(own)
    } else if url.first == UInt8(ascii: "#") {
      output.appendEscapingHTML(options.pageURL)
      write("#")
      let fragment = UnsafeBufferPointer(rebasing: url.dropFirst())
      let isOfPage = options.pageIDStart.map { fragment.starts(with: $0.utf8) } ?? false
      if !isOfPage { output.append(options.idPrefix) }
      output.appendEscapedURL(fragment)
    } else {
      output.appendEscapedURL(url, isStrict: options.syntax == .xml)
    }
    write("\"")
    guard target != .own else { return }
    write(
      options.vouchesForLinks || isInOwnersWords ? " rel=\"noopener\"" : " rel=\"noopener nofollow ugc\"")
  }

  /// What stands in the place of a destination; `nil` for most.
  private func ownAddress(_ url: UnsafeBufferPointer<UInt8>) -> String? {
    options.destinations.isEmpty ? nil : options.destinations[String(decoding: url, as: UTF8.self)]
  }

  mutating func beginLink(_ node: CmarkNode) throws(MarkdownHTMLError) {
    let url = node.url
    let target = LinkTarget(url, ownAuthority: ownAuthority)
    if let figureParagraph, figureParagraph == node.parent, try beginFigure(of: node, target) { return }
    guard target != .unsafe, openLink == nil, options.linksPictures || !isOfItself(node),
      !options.standsAlone || LinkTarget.isAbsolute(url)
    else { return }
    openLink = node
    beginAnchor(to: url, target)
    if !node.title.isEmpty { writeAttribute(isNamedByTitle(node) ? "aria-label" : "title", node.title) }
    write(">")
  }

  /// Whether a link holds nothing but the picture that it leads to.
  private func isOfItself(_ link: CmarkNode) -> Bool {
    soleImage(of: link).map { $0.url.elementsEqual(link.url) } ?? false
  }

  /// Whether what a link holds is no words: an image without alt text, or the sign of a permalink. Its title is then
  /// the name that screen readers say.
  private func isNamedByTitle(_ link: CmarkNode) -> Bool {
    if let image = soleImage(of: link) { return image.firstChild == nil }
    guard let text = link.firstChild, text.type == CMARK_NODE_TEXT, text.next == nil else { return false }
    return text.literal.elementsEqual("¶".utf8)
  }

  mutating func endLink(_ node: CmarkNode) {
    if openLink == node {
      write("</a>")
      openLink = nil
    }
    if let figureParagraph, figureParagraph == node.parent {
      writeEnlarged(node)
      endFigure()
    }
  }

  /// Begins `<img … alt="`; what follows until the image is left is its alt text.
  mutating func beginImage(_ node: CmarkNode) {
    if let figureParagraph, figureParagraph == node.parent { beginFigure(alt: node) }
    altOf = node
    let target = LinkTarget(node.url, ownAuthority: ownAuthority)
    altIsAll = target == .unsafe || target == .mail || node.url.isEmpty || options.standsAlone
    guard !altIsAll else { return }
    write(isEmoji(node) ? "<img class=\"emoji\" src=\"" : "<img src=\"")
    if let own = ownAddress(node.url) {
      output.appendEscapingHTML(own)
    } else {
      output.appendEscapedURL(node.url)
    }
    write("\" alt=\"")
  }

  mutating func endImage(_ node: CmarkNode) {
    altOf = nil
    if !altIsAll {
      write("\"")
      if !node.title.isEmpty { writeAttribute("title", node.title) }
      if isEmoji(node) {
        write(" width=\"20\" height=\"20\"")
      } else if let info = mediaInfo(node.url) {
        writeImageAttributes(info)
      }
      if options.loadsLazily {
        if isEager() { write(" fetchpriority=\"high\"") } else { write(" loading=\"lazy\"") }
        write(" decoding=\"async\"")
      }
      endVoidElement()
    }
    if let figureParagraph, figureParagraph == node.parent { endFigure() }
  }
}

extension HTMLWalk {
  /// Whether a picture is the document's first one and stands near its beginning, where it is seen as soon as it is loaded: waiting for the layout would make
  /// the page's largest part later.
  private mutating func isEager() -> Bool {
    guard !hasPictures, sections.last?.kind == .images else { return false }
    hasPictures = true
    return output.count - start < Self.firstWindow
  }

  /// Whether an image within text is an emoji that a server has a picture of: its title is a short code between colons. It is as high as
  /// a line, which its size says where there is no style sheet.
  private func isEmoji(_ image: CmarkNode) -> Bool {
    let title = image.title
    guard title.count > 2, title.first == UInt8(ascii: ":"), title.last == UInt8(ascii: ":") else {
      return false
    }
    if let figureParagraph, figureParagraph == image.parent { return false }
    return title.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}

extension UTF8Buffer {
  /// Appends what an inline node gives to alt text, as cmark has it: text and code, and a space for every line break.
  mutating func appendPlainText(of node: CmarkNode) {
    switch node.type {
    case CMARK_NODE_TEXT, CMARK_NODE_CODE: appendEscapedText(node.literal)
    case CMARK_NODE_LINEBREAK, CMARK_NODE_SOFTBREAK: append(UInt8(ascii: " "))
    default: break
    }
  }
}
