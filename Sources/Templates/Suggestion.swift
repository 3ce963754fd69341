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

  /// The number of bytes to insert, delete or replace (Levenshtein).
  private static func distance(_ first: String, _ second: String) -> Int {
    let first = Array(first.utf8.prefix(100))
    let second = Array(second.utf8.prefix(100))
    var row = Array(0...second.count)
    for (i, byte) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let replaced = diagonal + (byte == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
