/// The distance between a mistyped and a known name, for "did you mean".
package enum EditDistance {
  /// Returns the optimal string alignment distance: insertions, deletions, substitutions and exchanges of neighbours count one each.
  package static func between<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Int {
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
