import Basics
package import ThreadModel

/// Finds links and hashtags in a text without marks, as clients of networks with plain texts do.
///
/// Each scalar is read a few times at most, so that the time grows with the length of the text.
package struct PlainTextMarks: Sendable {
  package let scalars: [Unicode.Scalar]

  package init(_ text: some StringProtocol) { scalars = Array(text.unicodeScalars) }

  /// Returns whether a mark may begin at a position: not within a word, an email address or a path.
  package func canBegin(at position: Int) -> Bool {
    guard position > 0 else { return true }
    let previous = scalars[position - 1]
    return !Self.isOfWord(previous) && !["@", "#", "/", "&", ".", "-"].contains(previous)
  }

  package static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "_" { return true }
    if scalar.isASCII { return scalar.properties.isAlphabetic || scalar.properties.numericType != nil }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .nonspacingMark, .spacingMark:
      return true
    default: return false
    }
  }

  /// Returns the link that begins at a position.
  package func link(at start: Int) -> TextEntity? {
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
    let url = string(start..<end)
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
      || "-._~:/?#@[]!$&'()*+,;=%".unicodeScalars.contains(scalar)
  }

  /// Returns the hashtag that begins at a position.
  package func tag(at start: Int) -> TextEntity? {
    guard scalars[start] == "#", canBegin(at: start) else { return nil }
    var end = start + 1
    while end < scalars.count, Self.isOfWord(scalars[end]) { end += 1 }
    let name = scalars[start + 1..<end]
    guard name.contains(where: \.properties.isAlphabetic), name.count <= 100 else { return nil }
    return TextEntity(start..<end, .hashtag(tag: string(start + 1..<end), url: nil))
  }

  /// Returns a part of the text.
  package func string(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }
}
