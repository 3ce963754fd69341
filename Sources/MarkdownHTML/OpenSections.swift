/// The sections whose opening markers were read and whose closing markers were not; the innermost is last.
struct OpenSections {
  private var stack: [OpenSection] = []
  /// The number of polls among them.
  private var polls = 0

  var innermost: OpenSection? { stack.last }

  var isInPoll: Bool { polls > 0 }

  /// Whether the current text is the owner's, within a thread by others.
  var isInOwnersText: Bool { stack.last?.kind.isOwners ?? false }

  mutating func open(_ section: OpenSection) {
    stack.append(section)
    if section.kind == .poll { polls += 1 }
  }

  /// Closes the innermost section, which must be of this kind and in the same container as the closing marker.
  mutating func close(_ kind: ComponentKind, at node: CmarkNode) throws(MarkdownHTMLError) -> OpenSection {
    guard let section = stack.last, section.container == node.parent else {
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
    stack.removeLast()
    if kind == .poll { polls -= 1 }
    return section
  }

  /// Throws if a section is still open at the end of its container.
  func checkClosed(in container: CmarkNode) throws(MarkdownHTMLError) {
    guard let section = stack.last, section.container == container else { return }
    throw MarkdownHTMLError(
      line: section.line,
      message: "The marker <!-- \(section.kind) --> is never closed: <!-- /\(section.kind) --> is expected "
        + "in the same document, block quote or list item.")
  }

  /// Returns whether a paragraph is the first one of a section whose first paragraph becomes the label of a control; only the first call returns
  /// `true`.
  mutating func beginControl(_ paragraph: CmarkNode) -> Bool {
    guard let section = stack.last, section.awaitsControl, section.container == paragraph.parent else {
      return false
    }
    stack[stack.count - 1].awaitsControl = false
    return true
  }

  /// Moves to the place of the next figure in the innermost section.
  mutating func beginFigure() {
    if !stack.isEmpty { stack[stack.count - 1].figuresBegun += 1 }
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
  /// Whether it is the header with which the document begins.
  var isFirstHeader = false
  /// Whether its marker states a language different from that of the site's wording.
  var namesLanguage = false
  /// The number of its figures that have begun.
  fileprivate var figuresBegun = 0

  init(_ kind: ComponentKind, line: Int, in container: CmarkNode) {
    self.kind = kind
    self.line = line
    self.container = container
  }

  /// The place of the figure that began last.
  var place: GalleryRows.Place? {
    guard let rows, (1...rows.places.count).contains(figuresBegun) else { return nil }
    return rows.places[figuresBegun - 1]
  }
}
