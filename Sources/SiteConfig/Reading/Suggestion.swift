import Basics

/// Finds what was probably meant by a name which is not known.
package enum Suggestion {
  /// The candidate nearest to `name`, if it is near enough to be a slip: at most a third of the letters wrong.
  ///
  /// Case, hyphens, underscores and spaces count for nothing, so `baseUrl` finds `base_url`. Of equally near
  /// candidates, the first is taken.
  static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = letters(of: name)
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let letters = letters(of: candidate)
      let allowed = max(1, min(wanted.count, letters.count) / 3)
      guard abs(letters.count - wanted.count) <= allowed else { continue }
      let distance = EditDistance.between(wanted, letters)
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
  }

  /// The words `; did you mean "…"?` for the nearest candidate; nothing where there is none.
  package static func phrase(for name: String, among candidates: some Sequence<String>) -> String {
    nearest(to: name, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  private static func letters(of name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.filter { !["-", "_", " ", "/"].contains($0) }
  }
}
