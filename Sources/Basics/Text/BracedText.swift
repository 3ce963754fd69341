/// A text with places for values, which names in braces keep: `Page {page} of {pages}`.
package struct BracedText: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case text(String)
    /// What stood between braces.
    case name(String)
  }

  package let pieces: [Piece]

  /// - Returns: `nil` where a brace has no partner, or none but blanks between.
  package init?(_ text: String) {
    var pieces: [Piece] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      let inside = rest[rest.index(after: open)...]
      guard let close = inside.firstIndex(of: "}") else { return nil }
      let (before, name) = (rest[..<open], inside[..<close])
      guard !before.contains("}"), !name.contains("{"), name.contains(where: { $0 != " " }) else {
        return nil
      }
      if !before.isEmpty { pieces.append(.text(String(before))) }
      pieces.append(.name(String(name)))
      rest = rest[rest.index(after: close)...]
    }
    guard !rest.contains("}") else { return nil }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    self.pieces = pieces
  }

  /// Every name, once.
  package var names: Set<String> {
    Set(pieces.compactMap { if case .name(let name) = $0 { name } else { nil } })
  }

  /// As it is written.
  package var source: String {
    pieces.map {
      switch $0 {
      case .text(let text): text
      case .name(let name): "{\(name)}"
      }
    }.joined()
  }

  /// With values in the places; what has none stays empty.
  package func filled(_ values: KeyValuePairs<String, String>) -> String {
    var result = ""
    for piece in pieces {
      switch piece {
      case .text(let text): result += text
      case .name(let name): result += values.first { $0.key == name }?.value ?? ""
      }
    }
    return result
  }
}
