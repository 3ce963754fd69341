import Basics
import ThreadModel

/// Finds links, mentions and tags in a text of Threads, which is plain text without marks.
struct ThreadsText {
  private let scalars: [Unicode.Scalar]
  private var found: [TextEntity] = []

  /// The maximum number of marks in a text. A post has at most 500 characters, and an attached text 10,000.
  private static let most = 3000

  static func inline(_ text: String) -> InlineText {
    guard
      text.utf8.contains(where: { [UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: ":")].contains($0) })
    else {
      return InlineText(text)
    }
    var search = ThreadsText(scalars: Array(text.unicodeScalars))
    search.run()
    return InlineText(text, entities: search.found)
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private mutating func run() {
    var position = 0
    while position < scalars.count, found.count < Self.most {
      let entity: TextEntity? =
        switch scalars[position] {
        case "h", "H": link(at: position)
        case "@": mention(at: position)
        case "#": tag(at: position)
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

  /// Returns whether a mark may begin at a position: not within a word, an email address or a path.
  private func canBegin(at position: Int) -> Bool {
    guard position > 0 else { return true }
    let previous = scalars[position - 1]
    return !Self.isOfWord(previous) && !["@", "#", "/", "&", ".", "-"].contains(previous)
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "_" { return true }
    if scalar.isASCII { return scalar.properties.isAlphabetic || scalar.properties.numericType != nil }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .nonspacingMark, .spacingMark:
      return true
    default: return false
    }
  }

  private func link(at start: Int) -> TextEntity? {
    guard start == 0 || !Self.isOfWord(scalars[start - 1]), let host = host(at: start) else { return nil }
    var end = host.upperBound
    var open = 0
    var closed = 0
    while end < scalars.count, Self.isOfURL(scalars[end]) {
      if scalars[end] == "(" { open += 1 }
      if scalars[end] == ")" { closed += 1 }
      end += 1
    }
    // Punctuation at the end belongs to the sentence, and so does a closing bracket without an opening one.
    while end > start, let last = scalars[start..<end].last {
      if last == ")" {
        guard closed > open else { break }
        closed -= 1
      } else if !".,;:!?'*".unicodeScalars.contains(last) {
        break
      }
      end -= 1
    }
    let url = Self.string(scalars[start..<end])
    return WebAddress.host(of: url).map { _ in TextEntity(start..<end, .link(url: url, short: nil)) }
  }

  /// Returns the range of the host, with its port, of a URL; `nil` if no URL begins here.
  ///
  /// A URL is rejected before its path is read, so that each scalar of a text is read a few times at most.
  private func host(at start: Int) -> Range<Int>? {
    for scheme in [Self.https, Self.http] where start + scheme.count < scalars.count {
      let isScheme = zip(scheme, scalars[start...]).allSatisfy {
        $0 == $1.properties.lowercaseMapping.unicodeScalars.first
      }
      guard isScheme else { continue }
      let first = start + scheme.count
      guard scalars[first].isASCII, Self.isOfWord(scalars[first]) else { return nil }
      let isOfHost: (Unicode.Scalar) -> Bool = {
        $0.isASCII && (Self.isOfWord($0) || ["-", ".", ":"].contains($0))
      }
      let end = scalars[first...].firstIndex { !isOfHost($0) } ?? scalars.count
      return end < scalars.count && scalars[end] == "@" ? nil : first..<end
    }
    return nil
  }

  private static let https = Array("https://".unicodeScalars)
  private static let http = Array("http://".unicodeScalars)

  /// The characters of URLs (RFC 3986, section 2). Other characters end a URL, as in texts without spaces between words.
  private static func isOfURL(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return false }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || "-._~:/?#[]@!$&'()*+,;=%".unicodeScalars.contains(scalar)
  }

  private func mention(at start: Int) -> TextEntity? {
    guard canBegin(at: start) else { return nil }
    var end = start + 1
    while end < scalars.count, end - start <= 40, Self.isOfName(scalars[end]) { end += 1 }
    // `@ada@social.example` is a name on another network.
    if end < scalars.count, scalars[end] == "@" || Self.isOfWord(scalars[end]) { return nil }
    while end > start + 1, scalars[end - 1] == "." { end -= 1 }
    let name = Self.string(scalars[start + 1..<end])
    guard ThreadsID.isName(name) else { return nil }
    return TextEntity(start..<end, .mention(handle: name, url: ThreadsAddresses.url(ofAccount: name)))
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (isOfWord(scalar) || scalar == ".")
  }

  private func tag(at start: Int) -> TextEntity? {
    guard canBegin(at: start) else { return nil }
    var end = start + 1
    while end < scalars.count, Self.isOfWord(scalars[end]) { end += 1 }
    let name = scalars[start + 1..<end]
    guard name.contains(where: \.properties.isAlphabetic), name.count <= 100 else { return nil }
    return TextEntity(start..<end, .hashtag(tag: Self.string(name), url: nil))
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
