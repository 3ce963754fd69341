import Basics
import CCmark

/// The state of converting one document to HTML: the output so far and the open elements.
struct HTMLRenderer: ~Copyable {
  var output: UTF8Buffer
  let options: HTMLOptions
  /// Host and port of the site.
  let ownAuthority: [UInt8]
  /// The offset of this document in the output, in bytes.
  let start: Int

  /// The open sections, the innermost last.
  private var sections: [OpenSection] = []
  /// How many of the open sections are polls.
  private var openPolls = 0
  /// Whether the element for the words of a choice's share is open.
  private var isInShare = false
  /// The id of the post whose beginning is the header.
  private var headerID: [UInt8]?
  /// The ids of headings, with the last number that was appended to each.
  private var headingNames: [String: Int] = [:]
  /// Whether a picture of a post has been written.
  private var hasPictures = false
  /// The number of pictures that can be opened in full size.
  private var enlargedPictures = 0
  /// The paragraph that is a control's label.
  private var controlParagraph: CmarkNode?
  /// The number of bytes of HTML that roughly fill the first screen.
  private static let firstWindow = 3000
  /// The image whose alt text is being written: until it is left, only text is written.
  private var altOf: CmarkNode?
  /// Whether that image is written as its alt text alone, because its URL is not safe.
  private var altIsAll = false
  /// Everything up to the end of this node has been written already.
  private var skipped: CmarkNode?
  /// The paragraph that is written as figures.
  private var figureParagraph: CmarkNode?
  /// The link that is open in the HTML. cmark allows an address in angle brackets within another link, HTML does not, so of nested links only the
  /// outermost safe one is written as a link, and the others as text.
  private var openLink: CmarkNode?

  init(output: UTF8Buffer, options: HTMLOptions) {
    start = output.count
    self.output = output
    self.options = options
    ownAuthority = LinkTarget.authority(of: options.baseURL)
  }

  mutating func write(_ document: borrowing CmarkDocument) throws(MarkdownHTMLError) {
    var iterator = try CmarkIterator(over: document.root)
    while let (node, isEntering) = iterator.next() {
      if let skipped {
        if skipped == node { self.skipped = nil }
      } else if let image = altOf {
        if image == node { endImage(image) } else if isEntering { output.appendPlainText(of: node) }
      } else if isEntering {
        try enter(node)
      } else {
        try leave(node)
      }
    }
  }

  private mutating func enter(_ node: CmarkNode) throws(MarkdownHTMLError) {
    switch node.type {
    case CMARK_NODE_TEXT: output.appendEscapedText(node.literal)
    case CMARK_NODE_LINEBREAK:
      write("<br")
      endVoidElement()
    case CMARK_NODE_SOFTBREAK: if figureParagraph == nil { write("\n") }
    case CMARK_NODE_PARAGRAPH: beginParagraph(node)
    case CMARK_NODE_LINK: try beginLink(node)
    case CMARK_NODE_IMAGE: beginImage(node)
    case CMARK_NODE_CODE: writeCode(node)
    case CMARK_NODE_EMPH: write("<em>")
    case CMARK_NODE_STRONG: write("<strong>")
    case CMARK_NODE_HTML_BLOCK: try writeHTMLBlock(node)
    case CMARK_NODE_HTML_INLINE: try writeHTMLInline(node)
    case CMARK_NODE_LIST: beginList(node)
    case CMARK_NODE_ITEM: try beginItem(node)
    case CMARK_NODE_BLOCK_QUOTE: beginBlockQuote(node)
    case CMARK_NODE_HEADING: beginHeading(node)
    case CMARK_NODE_CODE_BLOCK: writeCodeBlock(node)
    case CMARK_NODE_THEMATIC_BREAK:
      writeBlock("<hr")
      endVoidElement()
      write("\n")
    default: break
    }
  }

  private mutating func leave(_ node: CmarkNode) throws(MarkdownHTMLError) {
    switch node.type {
    case CMARK_NODE_PARAGRAPH: endParagraph(node)
    case CMARK_NODE_LINK: endLink(node)
    case CMARK_NODE_EMPH: write("</em>")
    case CMARK_NODE_STRONG: write("</strong>")
    case CMARK_NODE_LIST: write(node.isOrderedList ? "</ol>\n" : "</ul>\n")
    case CMARK_NODE_ITEM:
      try checkSectionsClosed(in: node)
      endShare()
      write("</li>\n")
    case CMARK_NODE_BLOCK_QUOTE:
      try checkSectionsClosed(in: node)
      writeBlock("</blockquote>\n")
    case CMARK_NODE_HEADING: endHeading(node)
    case CMARK_NODE_DOCUMENT: try checkSectionsClosed(in: node)
    default: break
    }
  }

  // MARK: - Writing

  mutating func write(_ text: StaticString) {
    output.append(text)
  }

  /// Begins a line unless the output is at the start of one, as cmark does before every block.
  private mutating func beginLine() {
    if output.count > start, output.bytes.last != UInt8(ascii: "\n") { output.append(UInt8(ascii: "\n")) }
  }

  private mutating func writeBlock(_ tag: StaticString) {
    beginLine()
    write(tag)
  }

  /// Ends the tag of a void element.
  private mutating func endVoidElement() {
    write(options.syntax == .xml ? "/>" : ">")
  }

  /// Writes a boolean attribute: XML requires a value.
  private mutating func writeFlag(_ name: StaticString) {
    write(" ")
    write(name)
    guard options.syntax == .xml else { return }
    write("=\"")
    write(name)
    write("\"")
  }

  /// Writes ` name="value"`.
  private mutating func writeAttribute(_ name: StaticString, _ value: UnsafeBufferPointer<UInt8>) {
    write(" ")
    write(name)
    write("=\"")
    output.appendEscapedText(value)
    write("\"")
  }

  private mutating func writeAttribute(_ name: StaticString, _ value: String) {
    var value = value
    value.withUTF8 { writeAttribute(name, $0) }
  }

  private mutating func writeAttribute(_ name: StaticString, _ value: Int) {
    write(" ")
    write(name)
    write("=\"")
    output.append(integer: value)
    write("\"")
  }

  /// Begins a paragraph: in a tight list it has no element, and a paragraph of images becomes figures.
  private mutating func beginParagraph(_ node: CmarkNode) {
    if isOfTightList(node) || beginControl(node) { return }
    if let section = sections.last, section.kind.holdsFigures, section.container == node.parent,
      figureCount(of: node) > 0
    {
      figureParagraph = node
      beginLine()
    } else {
      writeBlock("<p")
      writeWordsLanguage()
      write(">")
    }
  }

  /// Writes the `lang` of a paragraph or heading of the site's wording within a section that also contains texts.
  private mutating func writeWordsLanguage() {
    guard let kind = sections.last?.kind, kind.mixesWords, let language = languageOfWords else { return }
    writeAttribute("lang", language)
  }

  /// The language to state for the site's wording at this place; `nil` if it equals the surrounding language.
  private var languageOfWords: String? {
    options.languages?.words ?? (sections.last?.namesLanguage == true ? options.wordsLanguage : nil)
  }

  private mutating func endParagraph(_ node: CmarkNode) {
    endShare()
    if controlParagraph == node {
      endControl()
    } else if figureParagraph == node {
      figureParagraph = nil
    } else if !isOfTightList(node) {
      write("</p>\n")
    }
  }

  private func isOfTightList(_ paragraph: CmarkNode) -> Bool {
    guard let item = paragraph.parent, item.type == CMARK_NODE_ITEM else { return false }
    return item.parent?.isTightList == true
  }

  private mutating func beginHeading(_ node: CmarkNode) {
    writeBlock("<h")
    output.append(integer: headingLevel(node))
    if options.namesHeadings { writeAttribute("id", headingName(node)) }
    if let languages = options.languages, sections.last?.kind == .header {
      writeAttribute("lang", languages.texts)
    } else {
      writeWordsLanguage()
    }
    write(">")
  }

  /// Returns a heading's words in lower case with hyphens between them, a common form of heading ids; repeated ids get a number.
  private mutating func headingName(_ node: CmarkNode) -> String {
    var name = String.UnicodeScalarView()
    for scalar in MarkdownHTML.text(of: node).lowercased().unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
        || scalar.properties.isGraphemeExtend || scalar == "_"
      {
        name.append(scalar)
      } else if scalar == " " || scalar == "-" {
        name.append("-")
      }
    }
    let text = name.isEmpty ? "section" : String(name)
    // A numbered id may equal another heading's id without a number.
    var number = headingNames[text] ?? 0
    var free = text
    while headingNames[free] != nil {
      number += 1
      free = "\(text)-\(number)"
    }
    headingNames[text] = number
    if free != text { headingNames[free] = 0 }
    return options.idPrefix + free
  }

  private mutating func endHeading(_ node: CmarkNode) {
    write("</h")
    output.append(integer: headingLevel(node))
    write(">\n")
  }

  /// Whether the current text is the owner's, within a thread by others.
  private var isInOwnerTexts: Bool { sections.last?.kind.isOwners ?? false }

  private func headingLevel(_ node: CmarkNode) -> Int {
    min(6, max(options.highestHeading, node.headingLevel + options.headingOffset + (isInOwnerTexts ? 1 : 0)))
  }

  private mutating func beginList(_ node: CmarkNode) {
    beginLine()
    guard node.isOrderedList else { return write("<ul>\n") }
    write("<ol")
    if node.listStart != 1 { writeAttribute("start", node.listStart) }
    write(">\n")
  }

  private mutating func beginItem(_ node: CmarkNode) throws(MarkdownHTMLError) {
    writeBlock("<li")
    if isInPoll {
      let choice = try choice(node)
      if choice.isWinner || choice.percent != nil {
        write(" class=\"")
        if choice.isWinner { write(choice.percent == nil ? "winner" : "winner ") }
        if let percent = choice.percent { writePercent(percent) }
        write("\"")
      }
    }
    write(">")
  }

  /// Writes a share as classes for its tens and ones, such as `t4 u3`: a style sheet derives a width from these without a style in the page.
  private mutating func writePercent(_ percent: Int) {
    write("t")
    output.append(integer: percent / 10)
    write(" u")
    output.append(integer: percent % 10)
  }

  private mutating func beginBlockQuote(_ node: CmarkNode) {
    let isQuote = sections.last.map { $0.kind == .embed && $0.container == node.parent } ?? false
    writeBlock(isQuote ? "<blockquote class=\"quote\">\n" : "<blockquote>\n")
  }

  /// The first word of a fence's info string is the language.
  private mutating func writeCodeBlock(_ node: CmarkNode) {
    beginLine()
    let language = node.fenceInfo.prefix { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    write("<pre><code")
    if !language.isEmpty {
      write(" class=\"language-")
      output.appendEscapedText(UnsafeBufferPointer(rebasing: language))
      write("\"")
    }
    write(">")
    output.appendEscapedText(node.literal)
    write("</code></pre>\n")
  }

  private mutating func writeCode(_ node: CmarkNode) {
    write("<code>")
    output.appendEscapedText(node.literal)
    write("</code>")
  }

  /// Writes `<a href="…"` and its `rel`, for a link whose target is not `unsafe`.
  private mutating func beginAnchor(to url: UnsafeBufferPointer<UInt8>, _ target: LinkTarget) {
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
      options.vouchesForLinks || isInOwnerTexts ? " rel=\"noopener\"" : " rel=\"noopener nofollow ugc\"")
  }

  /// Returns the replacement for a destination; `nil` for most.
  private func ownAddress(_ url: UnsafeBufferPointer<UInt8>) -> String? {
    options.destinations.isEmpty ? nil : options.destinations[String(decoding: url, as: UTF8.self)]
  }

  private mutating func beginLink(_ node: CmarkNode) throws(MarkdownHTMLError) {
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

  /// Whether a link contains only the picture that it leads to.
  private func isOfItself(_ link: CmarkNode) -> Bool {
    soleImage(of: link).map { $0.url.elementsEqual(link.url) } ?? false
  }

  /// Whether a link contains no words: only an image without alt text, or the sign of a permalink. Its title is then its accessible name.
  private func isNamedByTitle(_ link: CmarkNode) -> Bool {
    if let image = soleImage(of: link) { return image.firstChild == nil }
    guard let text = link.firstChild, text.type == CMARK_NODE_TEXT, text.next == nil else { return false }
    return text.literal.elementsEqual("¶".utf8)
  }

  private mutating func endLink(_ node: CmarkNode) {
    if openLink == node {
      write("</a>")
      openLink = nil
    }
    if let figureParagraph, figureParagraph == node.parent {
      writeEnlarged(node)
      endFigure()
    }
  }

  /// Begins `<img … alt="`; everything until the image is left is its alt text.
  private mutating func beginImage(_ node: CmarkNode) {
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

  private mutating func endImage(_ node: CmarkNode) {
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

  /// Whether a picture is the document's first one and near its beginning, where it is visible at once: lazy loading would delay the page's largest
  /// element until layout.
  private mutating func isEager() -> Bool {
    guard !hasPictures, sections.last?.kind == .images else { return false }
    hasPictures = true
    return output.count - start < Self.firstWindow
  }

  /// Whether an image within text is a server's custom emoji: its title is a short code between colons. Its size attributes give it the height of a
  /// line if there is no style sheet.
  private func isEmoji(_ image: CmarkNode) -> Bool {
    let title = image.title
    guard title.count > 2, title.first == UInt8(ascii: ":"), title.last == UInt8(ascii: ":") else {
      return false
    }
    if let figureParagraph, figureParagraph == image.parent { return false }
    return title.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  private var isInPoll: Bool { openPolls > 0 }

  /// Writes a block of raw HTML: a marker is interpreted, other HTML is dropped.
  private mutating func writeHTMLBlock(_ node: CmarkNode) throws(MarkdownHTMLError) {
    if options.keepsHTML {
      beginLine()
      return output.append(node.literal)
    }
    switch try Marker(node.literal, line: node.line) {
    case .open(let kind, let arguments):
      guard let container = node.parent else { return }
      sections.append(OpenSection(kind: kind, line: node.line, container: container))
      if kind == .poll { openPolls += 1 }
      try writeSectionStart(kind, arguments, at: node)
    case .close(let kind):
      try closeSection(kind, at: node)
    case .meter(let share) where isInPoll:
      writeMeter(share)
    case .meter, .winner, .dash, .votes, nil:
      break
    }
  }

  /// Writes raw HTML within text: a poll's marker is interpreted, other HTML is dropped. Sections cannot begin or end within text.
  private mutating func writeHTMLInline(_ node: CmarkNode) throws(MarkdownHTMLError) {
    if options.keepsHTML { return output.append(node.literal) }
    switch try Marker(node.literal, line: node.line) {
    case .open(let kind, _), .close(let kind):
      throw MarkdownHTMLError(
        line: node.line, message: "A marker \(kind) stands within text; it must stand alone on its line.")
    case .meter(let share) where isInPoll:
      endShare()
      writeMeter(share)
    case .dash where isInPoll && openLink == nil:
      beginShare("dash")
    case .votes where isInPoll && openLink == nil:
      beginShare("votes")
    case .meter, .winner, .dash, .votes, nil:
      break
    }
  }

  private mutating func writeSectionStart(
    _ kind: ComponentKind, _ arguments: MarkerArguments, at node: CmarkNode
  ) throws(MarkdownHTMLError) {
    guard let element = kind.element else { return }
    let isFolded = kind == .warning && options.controls != nil
    var isVeiled = false
    if kind == .sensitive, options.controls != nil { isVeiled = try holdsPictures(after: node) }
    if isFolded || isVeiled {
      sections[sections.count - 1].awaitsControl = true
      sections[sections.count - 1].isFolded = isFolded
    }
    writeBlock("<")
    write(isFolded ? "details" : element)
    write(" class=\"")
    write(kind.className)
    if kind == .images {
      write(" images-")
      let shapes = try figureShapes(after: node)
      output.append(integer: shapes.count)
      if shapes.count == 1, shapes.allSatisfy(\.isWide) { write(" wide") }
      if !sections.isEmpty {
        sections[sections.count - 1].figures = shapes.count
        if shapes.count > 1, shapes.allSatisfy(\.isPicture) {
          sections[sections.count - 1].rows = GalleryRows(shapes.map(\.ratio))
        }
      }
    }
    write("\"")
    if kind == .header { headerID = arguments.id.map(Array.init) }
    // Links to the first post lead to the heading if that is the beginning of the post.
    if let idStart = kind.idStart, let id = arguments.id,
      kind == .header || headerID.map({ !id.elementsEqual($0) }) ?? true
    {
      write(" id=\"")
      output.appendEscapingHTML(options.idPrefix)
      write(idStart)
      output.append(UnsafeBufferPointer(rebasing: id))
      write("\"")
    }
    if kind.isNote { write(" role=\"note\"") }
    if kind.isDecoration { write(" aria-hidden=\"true\"") }
    if let language = arguments.language {
      if !sections.isEmpty { sections[sections.count - 1].namesLanguage = true }
      writeAttribute("lang", UnsafeBufferPointer(rebasing: language))
    } else if kind.isInWords, let languages = options.languages {
      writeAttribute("lang", languages.words)
    }
    if kind.isOwners { write(" dir=\"auto\"") }
    if let direction = arguments.direction { writeAttribute("dir", UnsafeBufferPointer(rebasing: direction)) }
    write(">\n")
  }

  private mutating func closeSection(_ kind: ComponentKind, at node: CmarkNode) throws(MarkdownHTMLError) {
    guard let section = sections.last, section.container == node.parent else {
      throw MarkdownHTMLError(
        line: node.line,
        message: "The marker <!-- /\(kind) --> closes nothing: no marker is open "
          + "in the document, block quote or list item that it stands in.")
    }
    guard section.kind == kind else {
      throw MarkdownHTMLError(
        line: node.line,
        message: "The marker <!-- /\(kind) --> stands where <!-- /\(section.kind) --> is expected: "
          + "<!-- \(section.kind) --> was opened last, in line \(section.line).")
    }
    sections.removeLast()
    if kind == .poll { openPolls -= 1 }
    guard let element = kind.element else { return }
    writeBlock("</")
    write(section.isFolded ? "details" : element)
    write(">\n")
  }

  /// Throws if a section is still open at the end of its container.
  private func checkSectionsClosed(in container: CmarkNode) throws(MarkdownHTMLError) {
    guard let section = sections.last, section.container == container else { return }
    throw MarkdownHTMLError(
      line: section.line,
      message: "The marker <!-- \(section.kind) --> is never closed: <!-- /\(section.kind) --> is expected "
        + "in the same document, block quote or list item.")
  }

  // MARK: - What readers are warned of

  /// Whether the section whose opening marker is `marker` contains pictures, videos or sounds, and not only words in their place.
  private func holdsPictures(after marker: CmarkNode) throws(MarkdownHTMLError) -> Bool {
    var block = marker.next
    while let node = block {
      if node.type == CMARK_NODE_HTML_BLOCK {
        switch try Marker(node.literal, line: node.line) {
        case .open(.images, _), .open(.video, _), .open(.audio, _): return true
        // Another opening marker also ends the search, so that a document of such markers only takes time linear in its length.
        case .open(.sensitive, _), .close(.sensitive): return false
        default: break
        }
      }
      block = node.next
    }
    return false
  }

  /// Begins the label of the control that reveals the rest of the section; returns whether `paragraph` is this label.
  private mutating func beginControl(_ paragraph: CmarkNode) -> Bool {
    guard let section = sections.last, section.awaitsControl, section.container == paragraph.parent else {
      return false
    }
    sections[sections.count - 1].awaitsControl = false
    controlParagraph = paragraph
    writeBlock(section.isFolded ? "<summary" : "<label")
    writeWordsLanguage()
    write(section.isFolded ? ">" : "><span>")
    return true
  }

  /// Ends the label: a warning is a `<details>` element, sensitive media have a checkbox.
  private mutating func endControl() {
    controlParagraph = nil
    if sections.last?.isFolded ?? false { return write("</summary>\n") }
    write(" <input type=\"checkbox\"")
    endVoidElement()
    write(" ")
    output.appendEscapingHTML(options.controls?.show ?? "")
    write("</span></label>\n")
  }

  // MARK: - Polls

  /// Begins the words for a share, or the separator between these and the choice.
  private mutating func beginShare(_ name: StaticString) {
    endShare()
    write("<span class=\"")
    write(name)
    write("\">")
    isInShare = true
  }

  /// Ends the element, if it is open: at the latest at the end of its paragraph or item.
  private mutating func endShare() {
    guard isInShare else { return }
    write("</span>")
    isInShare = false
  }

  /// Writes a meter, hidden from screen readers, because the text beside it says the same.
  private mutating func writeMeter(_ share: Marker.Bytes) {
    write("<meter min=\"0\" max=\"100\" value=\"")
    output.append(UnsafeBufferPointer(rebasing: share))
    write("\" aria-hidden=\"true\"></meter>")
  }

  /// Returns the properties of a poll's item, from the markers in it or in a paragraph of it.
  func choice(_ item: CmarkNode) throws(MarkdownHTMLError) -> PollChoice {
    var choice = PollChoice()
    var block = item.firstChild
    while let node = block {
      if node.type == CMARK_NODE_HTML_BLOCK { choice.add(try Marker(node.literal, line: node.line)) }
      var inline = node.type == CMARK_NODE_PARAGRAPH ? node.firstChild : nil
      while let node = inline {
        if node.type == CMARK_NODE_HTML_INLINE { choice.add(try Marker(node.literal, line: node.line)) }
        inline = node.next
      }
      block = node.next
    }
    return choice
  }

  /// Returns the figures in the section whose opening marker is `marker`.
  private func figureShapes(after marker: CmarkNode) throws(MarkdownHTMLError) -> [FigureShape] {
    var shapes: [FigureShape] = []
    var block = marker.next
    while let node = block {
      switch node.type {
      case CMARK_NODE_PARAGRAPH:
        if figureCount(of: node) > 0 { addShapes(of: node, to: &shapes) }
      case CMARK_NODE_HTML_BLOCK:
        // The first marker ends the count, so that a document of opening markers only takes time linear in its length.
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

  /// Returns the number of figures in `paragraph`, 0 if it contains anything but images and links to media, with an image or with words.
  private func figureCount(of paragraph: CmarkNode) -> Int {
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

  /// Returns the image that is a link's only content.
  private func soleImage(of link: CmarkNode) -> CmarkNode? {
    guard let child = link.firstChild, child.type == CMARK_NODE_IMAGE, child.next == nil else { return nil }
    return child
  }

  /// Begins the figure of an image; an image without alt text is marked, so that a theme can show that.
  private mutating func beginFigure(alt image: CmarkNode) {
    beginFigure(isUndescribed: image.firstChild == nil)
  }

  /// Begins a figure, preceded by the start of its row and with its share of the row, if it is in one.
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

  /// Ends a figure, and its row after the last figure of it.
  private mutating func endFigure() {
    write("</figure>\n")
    if sections.last?.place?.endsRow ?? false { write("</div>\n") }
  }

  /// Writes, after a picture that is a link to itself, the popover that opens it in full size with its description, without a script. Browsers
  /// without popovers use the link.
  private mutating func writeEnlarged(_ link: CmarkNode) {
    guard let controls = options.controls, let image = soleImage(of: link),
      image.url.elementsEqual(link.url), sections.last?.kind == .images, isSafeImage(image.url)
    else { return }
    enlargedPictures += 1
    let id = "\(options.idPrefix)large-\(enlargedPictures)"
    write("<button")
    writeAttribute("popovertarget", id)
    if let language = languageOfWords { writeAttribute("lang", language) }
    writeAttribute("aria-label", controls.enlarge)
    // A picture without a description is identified by its number.
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

  /// Begins the figure of a link; a video or a sound is written completely. Returns whether it was.
  private mutating func beginFigure(of link: CmarkNode, _ target: LinkTarget) throws(MarkdownHTMLError)
    -> Bool
  {
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
    _ link: CmarkNode, _ target: LinkTarget, poster: CmarkNode?, _ info: MediaFacts?
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
    // The title is used if the video has no description.
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
    // For browsers without video support.
    beginAnchor(to: link.url, target)
    write(">")
    if alt.isEmpty { output.appendEscapedText(link.url) } else { output.append(alt) }
    write("</a></video>")
    endFigure()
  }

  private mutating func writeTrack(_ captions: MediaFacts.Captions) {
    withUTF8(captions.url) { url, renderer in
      guard renderer.isSafeImage(url) else { return }
      renderer.write("<track kind=\"captions\" src=\"")
      renderer.output.appendEscapedURL(url)
      renderer.write("\"")
      renderer.writeAttribute("srclang", captions.language)
      renderer.writeAttribute("label", captions.label)
      renderer.endVoidElement()
    }
  }

  /// Writes a player, preceded by the picture at the beginning of the link and followed by its words, which serve readers who cannot hear the sound.
  /// The link's title is the player's name.
  private mutating func writeAudio(
    _ link: CmarkNode, _ target: LinkTarget, _ info: MediaFacts?
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
    // For browsers without audio support.
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

  private mutating func writePoster(_ image: CmarkNode?, _ info: MediaFacts?) {
    if let image, isSafeImage(image.url) {
      write(" poster=\"")
      output.appendEscapedURL(image.url)
      write("\"")
    } else if let poster = info?.poster {
      withUTF8(poster) { poster, renderer in
        guard renderer.isSafeImage(poster) else { return }
        renderer.write(" poster=\"")
        renderer.output.appendEscapedURL(poster)
        renderer.write("\"")
      }
    }
  }

  // MARK: - What is known of media

  private func mediaInfo(_ url: UnsafeBufferPointer<UInt8>) -> MediaFacts? {
    options.media.isEmpty ? nil : options.media[String(decoding: url, as: UTF8.self)]
  }

  private mutating func writeImageAttributes(_ info: MediaFacts) {
    writeSize(info)
    var isFirst = true
    for source in info.sources where source.width > 0 {
      withUTF8(source.url) { url, renderer in
        guard renderer.isSafeImage(url) else { return }
        renderer.write(isFirst ? " srcset=\"" : ", ")
        isFirst = false
        renderer.output.appendEscapedURL(url, encodesCommas: true)
        renderer.write(" ")
        renderer.output.append(integer: source.width)
        renderer.write("w")
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

  private mutating func writeSize(_ info: MediaFacts?) {
    if let width = info?.width, width > 0 { writeAttribute("width", width) }
    if let height = info?.height, height > 0 { writeAttribute("height", height) }
  }

  private func isSafeImage(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    let target = LinkTarget(url, ownAuthority: ownAuthority)
    return !url.isEmpty && (target == .own || target == .web)
  }

  private mutating func withUTF8(
    _ string: String, _ body: (UnsafeBufferPointer<UInt8>, inout HTMLRenderer) -> Void
  ) {
    var string = string
    string.withUTF8 { body($0, &self) }
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

extension UTF8Buffer {
  /// Appends an inline node's contribution to alt text, as cmark does: text and code, and a space for every line break.
  mutating func appendPlainText(of node: CmarkNode) {
    switch node.type {
    case CMARK_NODE_TEXT, CMARK_NODE_CODE: appendEscapedText(node.literal)
    case CMARK_NODE_LINEBREAK, CMARK_NODE_SOFTBREAK: append(UInt8(ascii: " "))
    default: break
    }
  }
}

/// A section whose opening marker was read.
struct OpenSection {
  let kind: ComponentKind
  /// The 1-based line of its opening marker.
  let line: Int
  /// The document, block quote or list item that contains both markers.
  let container: CmarkNode
  /// The number of figures of a section of images; 0 for other sections.
  var figures = 0
  /// The arrangement of several pictures, if all figures are pictures.
  var rows: GalleryRows?
  /// Whether its first paragraph, not yet reached, is the label of the control that reveals the rest.
  var awaitsControl = false
  /// Whether it is folded.
  var isFolded = false
  /// Whether its marker states a language that is not that of the site's wording.
  var namesLanguage = false
  /// The number of its figures that have begun.
  var figuresBegun = 0

  /// The place of the figure that began last.
  var place: GalleryRows.Place? {
    guard let rows, (1...rows.places.count).contains(figuresBegun) else { return nil }
    return rows.places[figuresBegun - 1]
  }
}

/// The properties of a poll's item.
struct PollChoice {
  var isWinner = false
  /// Whole percent.
  var percent: Int?

  fileprivate mutating func add(_ marker: Marker?) {
    switch marker {
    case .winner: isWinner = true
    case .meter(let share):
      percent = Double(String(decoding: share, as: UTF8.self)).map { min(max(Int($0.rounded()), 0), 100) }
    default: break
    }
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

  init(isPicture: Bool, _ info: MediaFacts?) {
    self.isPicture = isPicture
    guard let width = info?.width, let height = info?.height, width > 0, height > 0 else { return }
    let ratio = Double(width) / Double(height)
    self.ratio = ratio
    isWide = isPicture && ratio >= 1.25 && width >= 1000
  }
}
