/// The arrangement of a gallery's pictures in rows of equal height, so that no picture has to be cropped.
///
/// Heights are equal if widths are proportional to the pictures' aspect ratios, so each picture has a share of its row. Rows are chosen
/// like lines of a paragraph: the arrangement with the lowest total cost, by the heights of its rows, is used.
struct GalleryRows {
  /// The place of one picture.
  struct Place: Equatable {
    /// Whole percent of the row's width; the shares of a row add up to 100.
    var share: Int
    var beginsRow: Bool
    var endsRow: Bool
  }

  /// One place for each picture.
  let places: [Place]

  /// The maximum number of pictures in a row. With more, they would be smaller than a thumb on a phone.
  private static let mostInRow = 3

  /// The ideal ratio of a row's width to its height.
  private static let bestShape = 2.4

  /// - Parameter shapes: the pictures' ratios of width to height; `nil` if unknown.
  init(_ shapes: [Double?]) {
    // Extreme ratios are limited. The picture is then placed within its share of the row.
    let shapes = shapes.map { min(max($0 ?? 4 / 3, 0.4), 4) }
    // For each number of pictures, the lowest cost of rows that contain them, and the number of pictures in the last row.
    var best: [(cost: Double, last: Int)] = [(0, 0)]
    for end in 1...max(shapes.count, 1) where end <= shapes.count {
      var choice = (cost: Double.infinity, last: 1)
      var width = 0.0
      for last in 1...min(Self.mostInRow, end) {
        width += shapes[end - last]
        let strain = max(width / Self.bestShape, Self.bestShape / width) - 1
        let cost = best[end - last].cost + strain * strain
        // If two arrangements are equally good, the one that begins with the larger pictures is chosen.
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
