/// A text made of pieces, so that its entities are known without parsing.
///
/// ```swift
/// "Thanks \(mention: "bo_stub"), see \(link: StubLink("https://example.org/")) \(hashtag: "harbour")"
/// ```
package struct StubText: Sendable, ExpressibleByStringInterpolation {
  enum Piece: Sendable {
    case plain(String)
    case mention(String)
    case hashtag(String)
    case cashtag(String)
    case link(StubLink)
  }

  var pieces: [Piece]

  init(pieces: [Piece]) { self.pieces = pieces }
  package init(_ text: String) { pieces = [.plain(text)] }
  package init(stringLiteral value: String) { pieces = [.plain(value)] }
  package init(stringInterpolation: Interpolation) { pieces = stringInterpolation.pieces }

  package struct Interpolation: StringInterpolationProtocol {
    var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}
    package mutating func appendLiteral(_ literal: String) { pieces.append(.plain(literal)) }
    package mutating func appendInterpolation(_ text: some CustomStringConvertible) {
      pieces.append(.plain(text.description))
    }
    package mutating func appendInterpolation(mention username: String) { pieces.append(.mention(username)) }
    package mutating func appendInterpolation(hashtag tag: String) { pieces.append(.hashtag(tag)) }
    package mutating func appendInterpolation(cashtag tag: String) { pieces.append(.cashtag(tag)) }
    package mutating func appendInterpolation(link: StubLink) { pieces.append(.link(link)) }
  }

  var mentions: [String] {
    pieces.compactMap { if case .mention(let name) = $0 { name } else { nil } }
  }

  /// The text without escapes, with links as their t.co URLs.
  package var plain: String {
    pieces.map { piece in
      switch piece {
      case .plain(let text): text
      case .mention(let name): "@" + name
      case .hashtag(let tag): "#" + tag
      case .cashtag(let tag): "$" + tag
      case .link(let link): link.short ?? link.expanded
      }
    }.joined()
  }

  /// Returns at most `limit` scalars of the text, followed by an ellipsis, as X cuts a long post. Pieces other than plain text are
  /// not cut.
  func cut(to limit: Int) -> StubText {
    var kept: [Piece] = []
    var count = 0
    for piece in pieces {
      let length = StubText(pieces: [piece]).plain.unicodeScalars.count
      guard count + length > limit else {
        kept.append(piece)
        count += length
        continue
      }
      if case .plain(let text) = piece {
        var start = String.UnicodeScalarView()
        start.append(contentsOf: text.unicodeScalars.prefix(limit - count))
        kept.append(.plain(String(start)))
      }
      break
    }
    return StubText(pieces: kept + [.plain("…")])
  }
}
