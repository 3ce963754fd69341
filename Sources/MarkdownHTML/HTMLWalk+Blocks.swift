import CCmark
import UTF8Text

extension HTMLWalk {
  /// A paragraph of a tight list is only its text; one of images is figures.
  mutating func beginParagraph(_ node: CmarkNode) {
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

  /// The `lang` of a paragraph or heading that a section has beside the texts within it.
  mutating func writeWordsLanguage() {
    guard let kind = sections.last?.kind, kind.holdsWords, let language = languageOfWords else { return }
    writeAttribute("lang", language)
  }

  /// What the site's words have to say that they are in, where they stand; `nil` where all around them is, too.
  var languageOfWords: String? {
    options.languages?.words ?? (sections.last?.namesLanguage == true ? options.wordsLanguage : nil)
  }

  mutating func endParagraph(_ node: CmarkNode) {
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

  mutating func beginHeading(_ node: CmarkNode) {
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

  /// The words of a heading in small letters with hyphens between them, as many programs name headings; numbered where it is not the first of its name.
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
    // One that is numbered may have the name of another that is not.
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

  mutating func endHeading(_ node: CmarkNode) {
    write("</h")
    output.append(integer: headingLevel(node))
    write(">\n")
  }

  /// Whether what is written now is the site's owner's, within a thread of others.
  var isInOwnersWords: Bool { sections.last?.kind.isOwners ?? false }

  private func headingLevel(_ node: CmarkNode) -> Int {
    min(6, max(options.highestHeading, node.headingLevel + options.headingOffset + (isInOwnersWords ? 1 : 0)))
  }

  mutating func beginList(_ node: CmarkNode) {
    beginLine()
    guard node.isOrderedList else { return write("<ul>\n") }
    write("<ol")
    if node.listStart != 1 { writeAttribute("start", node.listStart) }
    write(">\n")
  }

  mutating func beginItem(_ node: CmarkNode) throws(MarkdownHTMLError) {
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

  /// Writes a share as the classes of its tens and its ones, as in `t4 u3`: a style sheet can take a width from these, and needs no
  /// style in the page.
  mutating func writePercent(_ percent: Int) {
    write("t")
    output.append(integer: percent / 10)
    write(" u")
    output.append(integer: percent % 10)
  }

  mutating func beginBlockQuote(_ node: CmarkNode) {
    let isQuote = sections.last.map { $0.kind == .embed && $0.container == node.parent } ?? false
    writeBlock(isQuote ? "<blockquote class=\"quote\">\n" : "<blockquote>\n")
  }

  /// The first word of a fence's info is the language.
  mutating func writeCodeBlock(_ node: CmarkNode) {
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
}
