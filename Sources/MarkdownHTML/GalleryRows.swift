/// How the pictures of one gallery stand in rows: all of a row are equally high, and so none has to be cropped.
///
/// Heights are equal where widths are in the proportion of the pictures' own shapes, so each picture has a share of its row. Which
/// pictures share a row is chosen as paragraphs are broken into lines: the rows whose heights are pleasant taken together.
struct GalleryRows {
  /// Where one picture stands.
  struct Place: Equatable {
    /// Whole percent of the row's width; those of a row are 100 together.
    var share: Int
    var beginsRow: Bool
    var endsRow: Bool
  }

  /// One for each picture.
  let places: [Place]

  /// No row has more: what is in it would be smaller than a thumb on a phone.
  private static let mostInRow = 3

  /// How wide a row is at its best, in heights of its pictures.
  private static let bestShape = 2.4

  /// - Parameter shapes: of the pictures, width by height; `nil` where nobody knows.
  init(_ shapes: [Double?]) {
    // Extremes are drawn as if they were less so, within their share of the row.
    let shapes = shapes.map { min(max($0 ?? 4 / 3, 0.4), 4) }
    // For each number of pictures, the least cost of rows that hold so many, and how many the last of them has.
    var best: [(cost: Double, last: Int)] = [(0, 0)]
    for end in 1...max(shapes.count, 1) where end <= shapes.count {
      var choice = (cost: Double.infinity, last: 1)
      var width = 0.0
      for last in 1...min(Self.mostInRow, end) {
        width += shapes[end - last]
        let strain = max(width / Self.bestShape, Self.bestShape / width) - 1
        let cost = best[end - last].cost + strain * strain
        // Of two ways that are equally good, the one that begins with the larger pictures.
        if cost <= choice.cost { choice = (cost, last) }
      }
      best.append(choice)
    }
    var rows: [Range<Int>] = []
    var end = shapes.count
    while end > 0 {
      rows.append(end - best[end].last..<end)
      end -= best[end].last
    }
    places = rows.reversed().flatMap { row in
      let width = row.reduce(0) { $0 + shapes[$1] }
      var left = 100
      return row.map { index in
        let isLast = index == row.upperBound - 1
        let share = isLast ? left : Int((shapes[index] / width * 100).rounded())
        left -= share
        return Place(share: share, beginsRow: index == row.lowerBound, endsRow: isLast)
      }
    }
  }
}
