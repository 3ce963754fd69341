import Basics
import CCmark

/// Writes the elements of sections, and the controls that reveal the content behind a warning and sensitive media.
///
///     <!-- text lang=de -->            <div class="post-text" lang="de">
///     Guten Tag               →        <p>Guten Tag</p>
///     <!-- /text -->                   </div>
///
///     <!-- warning -->                 <details class="warning">
///     Spoilers                →        <summary>Spoilers</summary>
///
///     The end                          <p>The end</p>
///     <!-- /warning -->                </details>
struct SectionRenderer {
  /// The id of the post whose beginning is the header.
  private var headerID: [UInt8]?
  /// The paragraph that is a control's label.
  private var controlParagraph: CmarkNode?

  /// Writes the start tag of a section, whose opening marker is `node`.
  mutating func open(
    _ kind: ComponentKind, _ arguments: MarkerArguments, at node: CmarkNode, to writer: inout HTMLWriter
  ) throws(MarkdownHTMLError) {
    guard let container = node.parent else { return }
    var section = OpenSection(kind, line: node.line, in: container)
    guard let element = kind.element else { return writer.sections.open(section) }
    let hasControls = writer.options.controls != nil
    section.isFolded = kind == .warning && hasControls
    section.awaitsControl = section.isFolded
    if kind == .sensitive, hasControls { section.awaitsControl = try Self.holdsMedia(after: node) }
    section.isFirstHeader = kind == .header && writer.count == 0
    section.namesLanguage = arguments.language != nil
    let figures = kind == .images ? try FigureShape.shapes(after: node, in: writer) : []
    section.figures = figures.count
    if figures.count > 1, figures.allSatisfy(\.isPicture) {
      section.rows = GalleryRows(figures.map(\.ratio))
    }
    writer.sections.open(section)
    writer.writeBlock("<")
    writer.write(section.isFolded ? "details" : element)
    writer.write(" class=\"")
    writer.write(kind.className)
    if kind == .images {
      writer.write(" images-")
      writer.write(figures.count)
      if figures.count == 1, figures.allSatisfy(\.isWide) { writer.write(" wide") }
    }
    if let weeks = arguments.weeks {
      writer.write(" ")
      writer.writeDigits(of: weeks)
    }
    writer.write("\"")
    writeAttributes(of: kind, arguments, to: &writer)
    writer.write(">\n")
  }

  private mutating func writeAttributes(
    of kind: ComponentKind, _ arguments: MarkerArguments, to writer: inout HTMLWriter
  ) {
    if kind == .header { headerID = arguments.id.map(Array.init) }
    // Links to the first post lead to the heading if that is the beginning of the post.
    if let idStart = kind.idStart, let id = arguments.id,
      kind == .header || headerID.map({ !id.elementsEqual($0) }) ?? true
    {
      writer.write(" id=\"")
      writer.write(text: writer.options.idPrefix)
      writer.write(idStart)
      writer.write(html: UnsafeBufferPointer(rebasing: id))
      writer.write("\"")
    }
    if kind.isNote { writer.write(" role=\"note\"") }
    if kind.isDecoration { writer.write(" aria-hidden=\"true\"") }
    if let language = arguments.language {
      writer.writeAttribute("lang", UnsafeBufferPointer(rebasing: language))
    } else if kind.isInWords, let languages = writer.options.languages {
      writer.writeAttribute("lang", languages.words)
    }
    if kind.isOwners { writer.write(" dir=\"auto\"") }
    if let direction = arguments.direction {
      writer.writeAttribute("dir", UnsafeBufferPointer(rebasing: direction))
    }
  }

  /// Writes the end tag of a section, whose closing marker is `node`.
  func close(
    _ kind: ComponentKind, at node: CmarkNode, to writer: inout HTMLWriter
  ) throws(MarkdownHTMLError) {
    let section = try writer.sections.close(kind, at: node)
    guard let element = kind.element else { return }
    writer.writeBlock("</")
    writer.write(section.isFolded ? "details" : element)
    writer.write(">\n")
    if section.isFirstHeader { writer.endHeader() }
  }

  /// Whether the section whose opening marker is `marker` contains pictures, videos or sounds, and not only words in their place.
  private static func holdsMedia(after marker: CmarkNode) throws(MarkdownHTMLError) -> Bool {
    var block = marker.next
    while let node = block {
      if node.type == CMARK_NODE_HTML_BLOCK {
        switch try Marker(node.literal, line: node.line) {
        case .open(.images, _), .open(.video, _), .open(.audio, _): return true
        // Another opening marker also ends the search, so that a document of only such markers takes time linear in its length.
        case .open(.sensitive, _), .close(.sensitive): return false
        default: break
        }
      }
      block = node.next
    }
    return false
  }

  // MARK: - Controls

  /// Begins the label of the control that reveals the rest of the section; returns whether `paragraph` is this label.
  mutating func beginControl(_ paragraph: CmarkNode, to writer: inout HTMLWriter) -> Bool {
    guard writer.sections.beginControl(paragraph) else { return false }
    controlParagraph = paragraph
    let isFolded = writer.sections.innermost?.isFolded ?? false
    writer.writeBlock(isFolded ? "<summary" : "<label")
    writer.writeWordsLanguage()
    writer.write(isFolded ? ">" : "><span>")
    return true
  }

  /// Ends the label, if the paragraph is one. A warning is a `<details>` element, sensitive media have a checkbox.
  mutating func endControl(_ paragraph: CmarkNode, to writer: inout HTMLWriter) -> Bool {
    guard controlParagraph == paragraph else { return false }
    controlParagraph = nil
    if writer.sections.innermost?.isFolded ?? false {
      writer.write("</summary>\n")
      return true
    }
    writer.write(" <input type=\"checkbox\"")
    writer.endVoidElement()
    writer.write(" ")
    writer.write(text: writer.options.controls?.show ?? "")
    writer.write("</span></label>\n")
    return true
  }
}
