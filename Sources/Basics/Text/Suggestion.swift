/// Finds the known name that was probably meant by an unknown one.
package enum Suggestion {
  /// Returns the candidate nearest to `name`, if at most a third of the letters differ; otherwise `nil`.
  ///
  /// Letter case, hyphens, underscores and spaces are ignored, so `baseUrl` finds `base_url`. Among equally near candidates, the first is
  /// returned.
  package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = letters(of: name)
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let letters = letters(of: candidate)
      let allowed = max(1, min(wanted.count, letters.count) / 3)
      guard abs(letters.count - wanted.count) <= allowed else { continue }
      let distance = editDistance(wanted, letters)
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// Returns the words `; did you mean "…"?` for the nearest candidate; empty if no candidate is near enough.
  package static func phrase(for name: String, among candidates: some Sequence<String>) -> String {
    nearest(to: name, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// Returns the sentence `` Did you mean `…`?`` with a space before it; empty if no candidate is near enough.
  package static func sentence(for name: String, among candidates: some Sequence<String>) -> String {
    nearest(to: name, among: candidates).map { " Did you mean `\($0)`?" } ?? ""
  }

  private static func letters(of name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.filter { !["-", "_", " ", "/"].contains($0) }
  }

  /// The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbors each count as one.
  private static func editDistance<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let substitution = last[column] + (left[row] == right[column] ? 0 : 1)
        var cost = min(substitution, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
