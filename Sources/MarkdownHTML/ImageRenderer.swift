import Basics
import CCmark

/// Writes images, in figures and within text. An image with an unsafe URL is written as its alt text.
///
///     ![a cat](cat.jpg)                →   <img src="cat.jpg" alt="a cat" loading="lazy" decoding="async">
///     ![:cat:](cat.png ":cat:")        →   <img class="emoji" src="cat.png" alt=":cat:" title=":cat:" width="20" height="20" …>
struct ImageRenderer {
  /// The image whose alt text is being written. Until it is left, only text is written.
  private(set) var altOf: CmarkNode?
  /// Whether that image is written as its alt text alone.
  private var altIsAll = false
  /// Whether that image is in a `picture` element.
  private var isInPicture = false
  /// Whether a picture of a post has been written.
  private var hasPictures = false
  /// The number of bytes of HTML that roughly fill the first screen.
  private static let firstWindow = 3000

  /// Begins `<img … alt="`; everything until the image is left is its alt text.
  mutating func begin(_ image: CmarkNode, isFigure: Bool, to writer: inout HTMLWriter) {
    altOf = image
    let target = writer.target(of: image.url)
    altIsAll = target == .unsafe || target == .mail || image.url.isEmpty || writer.options.standsAlone
    guard !altIsAll else { return }
    isInPicture = writer.facts(of: image.url).map { writeFormats(of: $0, to: &writer) } ?? false
    writer.write(!isFigure && isEmoji(image) ? "<img class=\"emoji\" src=\"" : "<img src=\"")
    writer.writePictureURL(image.url)
    writer.write("\" alt=\"")
  }

  mutating func end(_ image: CmarkNode, isFigure: Bool, to writer: inout HTMLWriter) {
    altOf = nil
    guard !altIsAll else { return }
    writer.write("\"")
    if !image.title.isEmpty { writer.writeAttribute("title", image.title) }
    if !isFigure, isEmoji(image) {
      writer.write(" width=\"20\" height=\"20\"")
    } else if let facts = writer.facts(of: image.url) {
      writer.writeSize(facts)
      writeSources(facts.sources.filter { $0.format == nil }, to: &writer)
      if let color = facts.color, writer.options.controls != nil {
        writer.writeAttribute("data-color", color)
      }
    }
    if writer.options.loadsLazily {
      writer.write(isEager(in: writer) ? " fetchpriority=\"high\"" : " loading=\"lazy\"")
      writer.write(" decoding=\"async\"")
    }
    writer.endVoidElement()
    if isInPicture { writer.write("</picture>") }
  }

  /// Begins a `picture` with a `source` for each format that only some browsers show, except in feeds and books.
  ///
  /// - Returns: whether there are such formats.
  private func writeFormats(of facts: MediaFacts, to writer: inout HTMLWriter) -> Bool {
    guard writer.options.controls != nil else { return false }
    var rest = facts.sources.filter { $0.format != nil }[...]
    guard !rest.isEmpty else { return false }
    writer.write("<picture>")
    while let format = rest.first?.format {
      let sources = rest.prefix { $0.format == format }
      rest = rest.dropFirst(sources.count)
      writer.write("<source")
      writer.writeAttribute("type", format)
      writeSources(sources, to: &writer)
      writer.endVoidElement()
    }
    return true
  }

  /// Whether a picture is the document's first one and near its beginning, where it is immediately visible. Lazy loading would delay the
  /// page's largest element until layout.
  private mutating func isEager(in writer: borrowing HTMLWriter) -> Bool {
    guard !hasPictures, writer.sections.innermost?.kind == .images else { return false }
    hasPictures = true
    return writer.count < Self.firstWindow
  }

  /// Whether an image within text is a custom emoji of a server: its title is a short code between colons. Without a style sheet, its size
  /// attributes give it the height of a line.
  private func isEmoji(_ image: CmarkNode) -> Bool {
    let title = image.title
    return title.count > 2 && title.first == UInt8(ascii: ":") && title.last == UInt8(ascii: ":")
      && title.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  /// Writes the same picture in other widths, as `srcset`, and the width at which the page shows it, as `sizes`.
  private func writeSources(_ sources: some Sequence<MediaFacts.Source>, to writer: inout HTMLWriter) {
    var isFirst = true
    for source in sources where source.width > 0 {
      var address = source.url
      address.withUTF8 { url in
        guard writer.isLoadable(url) else { return }
        writer.write(isFirst ? " srcset=\"" : ", ")
        isFirst = false
        writer.writeListed(url)
        writer.write(" ")
        writer.write(source.width)
        writer.write("w")
      }
    }
    guard !isFirst else { return }
    writer.write("\"")
    writer.writeAttribute("sizes", sizes(in: writer))
  }

  /// Returns the width of a picture on the page: the width of the column, or its share of a row.
  private func sizes(in writer: borrowing HTMLWriter) -> String {
    let section = writer.sections.innermost
    let isShared = (section?.figures ?? 0) > 1
    guard let column = writer.options.column else { return isShared ? "50vw" : "100vw" }
    let condition = "(min-width: \(column.windowWidth)rem)"
    if let share = section?.place?.share {
      let tenths = column.width * share / 10
      return "\(condition) \(tenths / 10).\(tenths % 10)rem, \(share)vw"
    }
    return isShared
      ? "\(condition) \(column.width / 2)rem, 50vw" : "\(condition) \(column.width)rem, 100vw"
  }
}
