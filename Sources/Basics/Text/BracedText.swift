/// A text with placeholders, which are names in braces: `Page {page} of {pages}`.
package struct BracedText: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case text(String)
    /// The text between braces.
    case name(String)
  }

  package let pieces: [Piece]

  /// - Returns: `nil` if a brace has no counterpart, or if only spaces are between braces.
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

  /// The names of all placeholders.
  package var names: Set<String> {
    Set(pieces.compactMap { if case .name(let name) = $0 { name } else { nil } })
  }

  /// The text with its placeholders in braces.
  package var source: String {
    pieces.map {
      switch $0 {
      case .text(let text): text
      case .name(let name): "{\(name)}"
      }
    }.joined()
  }

  /// Returns the text with values instead of the placeholders; a placeholder without a value becomes empty.
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
