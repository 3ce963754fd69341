import Basics

/// "Did you mean": the known name that is closest to a wrong one.
enum Suggestion {
  /// ` Did you mean …?` with the closest of `names`, or nothing where none is close. Of equally close ones the first in
  /// alphabetical order.
  static func text(for wrong: String, among names: some Collection<String>) -> String {
    let most = max(1, wrong.utf8.count / 3)
    let closest = names.sorted().map { (name: $0, distance: distance(wrong, $0)) }.min {
      $0.distance < $1.distance
    }
    guard let closest, closest.distance <= most else { return "" }
    return " Did you mean `\(closest.name)`?"
  }

  /// Of the first hundred bytes.
  private static func distance(_ first: String, _ second: String) -> Int {
    EditDistance.between(Array(first.utf8.prefix(100)), Array(second.utf8.prefix(100)))
  }
}
