import NetworkSources
import ThreadModel

/// Finds links, mentions and tags in a text of Threads, which is plain text without marks.
struct ThreadsText {
  private let marks: PlainTextMarks
  private var found: [TextEntity] = []
  private var scalars: [Unicode.Scalar] { marks.scalars }

  /// The maximum number of marks in a text. A post has at most 500 characters, and an attached text 10,000.
  private static let most = 3000

  static func inline(_ text: String) -> InlineText {
    guard
      text.utf8.contains(where: { [UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: ":")].contains($0) })
    else {
      return InlineText(text)
    }
    var search = ThreadsText(marks: PlainTextMarks(text))
    search.run()
    return InlineText(text, entities: search.found)
  }

  private init(marks: PlainTextMarks) { self.marks = marks }

  private mutating func run() {
    var position = 0
    while position < scalars.count, found.count < Self.most {
      let entity: TextEntity? =
        switch scalars[position] {
        case "h", "H": marks.link(at: position)
        case "@": mention(at: position)
        case "#": marks.tag(at: position)
        default: nil
        }
      if let entity {
        found.append(entity)
        position = entity.range.upperBound
      } else {
        position += 1
      }
    }
  }

  private func mention(at start: Int) -> TextEntity? {
    guard marks.canBegin(at: start) else { return nil }
    var end = start + 1
    while end < scalars.count, end - start <= 40, Self.isOfName(scalars[end]) { end += 1 }
    // `@ada@social.example` is a name on another network.
    if end < scalars.count, scalars[end] == "@" || PlainTextMarks.isOfWord(scalars[end]) { return nil }
    while end > start + 1, scalars[end - 1] == "." { end -= 1 }
    let name = marks.string(start + 1..<end)
    guard ThreadsID.isName(name) else { return nil }
    return TextEntity(start..<end, .mention(handle: name, url: ThreadsAddresses.url(ofAccount: name)))
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (PlainTextMarks.isOfWord(scalar) || scalar == ".")
  }
}
