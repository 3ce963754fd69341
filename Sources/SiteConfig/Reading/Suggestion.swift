import Basics

/// Finds the known name that was probably meant by an unknown one.
package enum Suggestion {
  /// Returns the candidate nearest to `name`, if at most a third of the letters differ; otherwise `nil`.
  ///
  /// Letter case, hyphens, underscores and spaces are ignored, so `baseUrl` finds `base_url`. Of equally near candidates, the first is returned.
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

  /// Returns the words `; did you mean "…"?` for the nearest candidate; empty if no candidate is near enough.
  package static func phrase(for name: String, among candidates: some Sequence<String>) -> String {
    nearest(to: name, among: candidates).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  private static func letters(of name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.filter { !["-", "_", " ", "/"].contains($0) }
  }
}
