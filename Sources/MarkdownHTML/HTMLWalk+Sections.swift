import CCmark
import UTF8Text

/// A section between its two markers.
struct OpenSection {
  let kind: SectionKind
  /// Of its opening marker, 1-based.
  let line: Int
  /// The document, block quote or list item that holds both markers.
  let container: CmarkNode
  /// Figures of a section of images; 0 of any other.
  var figures = 0
  /// How several pictures stand beside each other, where all are pictures.
  var rows: GalleryRows?
  /// Whether its first paragraph, which is to come, is what a reader presses to see the rest.
  var awaitsControl = false
  /// Whether it is folded away.
  var isFolded = false
  /// Whether its marker names a language, in which the site's words are not.
  var namesLanguage = false
  /// How many of its figures are begun.
  var figuresBegun = 0

  /// Where the figure that was begun last stands.
  var place: GalleryRows.Place? {
    guard let rows, (1...rows.places.count).contains(figuresBegun) else { return nil }
    return rows.places[figuresBegun - 1]
  }
}

extension HTMLWalk {
  var isInPoll: Bool { openPolls > 0 }

  /// A block of raw HTML is a marker or nothing.
  mutating func writeHTMLBlock(_ node: CmarkNode) throws(MarkdownHTMLError) {
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

  /// Raw HTML within text is a poll's marker or nothing; a section cannot begin or end there.
  mutating func writeHTMLInline(_ node: CmarkNode) throws(MarkdownHTMLError) {
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
    _ kind: SectionKind, _ arguments: MarkerArguments, at node: CmarkNode
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
    // Links to the first post lead to the heading where that is its beginning.
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

  private mutating func closeSection(_ kind: SectionKind, at node: CmarkNode) throws(MarkdownHTMLError) {
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

  /// Called where a container ends, which its sections must not outlive.
  func checkSectionsClosed(in container: CmarkNode) throws(MarkdownHTMLError) {
    guard let section = sections.last, section.container == container else { return }
    throw MarkdownHTMLError(
      line: section.line,
      message: "The marker <!-- \(section.kind) --> is never closed: <!-- /\(section.kind) --> is expected "
        + "in the same document, block quote or list item.")
  }

  // MARK: - What readers are warned of

  /// Whether pictures or films stand in the section whose opening marker is `marker`, and not only their words.
  private func holdsPictures(after marker: CmarkNode) throws(MarkdownHTMLError) -> Bool {
    var block = marker.next
    while let node = block {
      if node.type == CMARK_NODE_HTML_BLOCK {
        switch try Marker(node.literal, line: node.line) {
        case .open(.images, _), .open(.video, _): return true
        // Another opening ends the search as well, so that a document of nothing but these costs no more than its length.
        case .open(.sensitive, _), .close(.sensitive): return false
        default: break
        }
      }
      block = node.next
    }
    return false
  }

  /// Begins the words of what a reader presses to see the rest of the section; says whether `paragraph` is these.
  mutating func beginControl(_ paragraph: CmarkNode) -> Bool {
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

  /// Ends them: a warning is opened by itself, and sensitive media by a box that is checked.
  mutating func endControl() {
    controlParagraph = nil
    if sections.last?.isFolded ?? false { return write("</summary>\n") }
    write(" <input type=\"checkbox\"")
    endVoidElement()
    write(" ")
    output.appendEscapingHTML(options.controls?.show ?? "")
    write("</span></label>\n")
  }

  // MARK: - Polls

  /// Begins the words for a share, or what parts them from the choice.
  private mutating func beginShare(_ name: StaticString) {
    endShare()
    write("<span class=\"")
    write(name)
    write("\">")
    isInShare = true
  }

  /// Ends them, where they are begun: at the latest where their paragraph or their item ends.
  mutating func endShare() {
    guard isInShare else { return }
    write("</span>")
    isInShare = false
  }

  /// Hidden from screen readers, because the text beside it says the same.
  private mutating func writeMeter(_ share: Marker.Bytes) {
    write("<meter min=\"0\" max=\"100\" value=\"")
    output.append(UnsafeBufferPointer(rebasing: share))
    write("\" aria-hidden=\"true\"></meter>")
  }

  /// What the markers within an item of a poll, or within a paragraph in it, say of the item.
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
}

/// What an item of a poll is, beside its words.
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
