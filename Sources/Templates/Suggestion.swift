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

  /// The number of bytes to insert, delete, replace, or exchange with their neighbours (optimal string alignment).
  private static func distance(_ first: String, _ second: String) -> Int {
    let first = Array(first.utf8.prefix(100))
    let second = Array(second.utf8.prefix(100))
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (i, byte) in first.enumerated() {
      var row = [i + 1]
      for (j, other) in second.enumerated() {
        var cost = min(last[j] + (byte == other ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, byte == second[j - 1], first[i - 1] == other {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[second.count]
  }
}
