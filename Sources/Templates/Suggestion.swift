import Basics

/// Finds the known name that is closest to a wrong one, for "Did you mean …?".
enum Suggestion {
  /// Returns ` Did you mean …?` with the closest of `names`; empty if none is close enough. Of equally close names, the first in alphabetical order is
  /// returned.
  static func text(for wrong: String, among names: some Collection<String>) -> String {
    let most = max(1, wrong.utf8.count / 3)
    let closest = names.sorted().map { (name: $0, distance: distance(wrong, $0)) }.min {
      $0.distance < $1.distance
    }
    guard let closest, closest.distance <= most else { return "" }
    return " Did you mean `\(closest.name)`?"
  }

  /// Returns the edit distance of the first hundred bytes.
  private static func distance(_ first: String, _ second: String) -> Int {
    EditDistance.between(Array(first.utf8.prefix(100)), Array(second.utf8.prefix(100)))
  }
}
