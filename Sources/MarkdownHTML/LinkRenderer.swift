import Basics
import CCmark

/// Writes links within text. A link to an unsafe destination is written as its words.
///
///     [words](https://a.example "Title")      →   <a href="https://a.example" rel="noopener nofollow ugc" title="Title">words</a>
///     [¶](#post-20 "Link to this post")       →   <a href="#post-20" aria-label="Link to this post">¶</a>
///     [archived](https://web.archive.org/web/… "archived: a.example")   →   <a href="…" rel="…" aria-label="archived: a.example">archived</a>
///     [words](javascript:alert)               →   words
struct LinkRenderer {
  /// The link that is open in the HTML. cmark allows a URL in angle brackets within another link, but HTML does not. So only the outermost
  /// safe one of nested links is written as a link, and the others as text.
  private var openLink: CmarkNode?

  var isOpen: Bool { openLink != nil }

  mutating func begin(_ link: CmarkNode, to writer: inout HTMLWriter) {
    let url = link.url
    let target = writer.target(of: url)
    guard target != .unsafe, openLink == nil, writer.options.linksPictures || !link.leadsToItsPicture,
      !writer.options.standsAlone || LinkTarget.isAbsolute(url)
    else { return }
    openLink = link
    writer.beginAnchor(to: url, target)
    if !link.title.isEmpty {
      // Within a text, only the mark of a dead link has a title.
      let isMark = writer.sections.innermost?.kind == .text && WebArchive.isCopy(url)
      writer.writeAttribute(isMark || isNamedByTitle(link) ? "aria-label" : "title", link.title)
      if isMark, let languages = writer.options.languages { writer.writeAttribute("lang", languages.words) }
    }
    writer.write(">")
  }

  mutating func end(_ link: CmarkNode, to writer: inout HTMLWriter) {
    guard openLink == link else { return }
    writer.write("</a>")
    openLink = nil
  }

  /// Whether a link contains no words, but only an image without alt text or the sign of a permalink. Its title is then its accessible
  /// name.
  private func isNamedByTitle(_ link: CmarkNode) -> Bool {
    if let image = link.soleImage { return image.firstChild == nil }
    guard let text = link.firstChild, text.type == CMARK_NODE_TEXT, text.next == nil else { return false }
    return text.literal.elementsEqual("¶".utf8)
  }
}

extension CmarkNode {
  /// The image that is a link's only content.
  var soleImage: CmarkNode? {
    guard let child = firstChild, child.type == CMARK_NODE_IMAGE, child.next == nil else { return nil }
    return child
  }

  /// Whether a link contains only the picture to which it leads.
  var leadsToItsPicture: Bool {
    soleImage.map { $0.url.elementsEqual(url) } ?? false
  }
}
