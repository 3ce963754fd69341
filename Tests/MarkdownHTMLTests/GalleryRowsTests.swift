import Foundation
import TestSupport
import Testing

@testable import MarkdownHTML

@Suite struct GalleryRowsTests {
  /// The number of images in each row.
  private func rows(_ shapes: [Double?]) -> [Int] {
    var rows: [Int] = []
    for place in GalleryRows(shapes).places {
      if place.beginsRow { rows.append(0) }
      rows[rows.count - 1] += 1
    }
    return rows
  }

  @Test(
    arguments: [
      ([1, 1, 1, 1], [2, 2]), ([1.5, 1.5], [2]), ([0.75, 0.75, 0.75], [3]), ([1.5, 1.5, 1.5], [1, 2]),
      ([4, 4], [1, 1]), ([nil, nil], [2]), ([1], [1]), ([], []),
      ([0.5, 0.5, 0.5, 4], [3, 1]), ([4, 0.5, 0.5, 0.5], [1, 3]), ([2.4, 2.4, 2.4], [1, 1, 1]),
    ] as [([Double?], [Int])])
  func makesBalancedRows(_ shapes: [Double?], _ expected: [Int]) {
    #expect(rows(shapes) == expected)
  }

  /// The rows of every gallery of up to three images of these shapes, and of longer ones, with the widths of
  /// their images.
  @Test func matchesTheGoldenFile() throws {
    let shapes: [Double?] = [0.3, 0.5, 0.75, 1, nil, 1.6, 2.2, 3, 5]
    var galleries: [[Double?]] = shapes.map { [$0] }
    for first in shapes { galleries += shapes.map { [first, $0] } }
    for first in shapes {
      for second in shapes { galleries += shapes.map { [first, second, $0] } }
    }
    for start in 0..<60 {
      galleries.append((0..<4 + start % 7).map { shapes[(start * 5 + $0 * $0 * 3 + $0) % shapes.count] })
    }
    var table =
      "The shares, in percent, that pictures have of their rows, by their ratios of width to height.\n\n"
    for gallery in galleries {
      var line = gallery.map { $0.map { "\($0)" } ?? "?" }.joined(separator: " ") + ":"
      for place in GalleryRows(gallery).places {
        line += (place.beginsRow ? " |" : "") + " \(place.share)" + (place.endsRow ? " |" : "")
      }
      table += line + "\n"
    }
    try Golden.compare(
      table, with: ProjectFolders.fixtures(of: "MarkdownHTMLTests").appending(path: "gallery-rows.txt"))
  }

  @Test func fillsEveryRow() {
    var generator = SeededRandom()
    for count in 1...60 {
      let shapes = (0..<count).map { _ in Double.random(in: 0.01...50, using: &generator) }
      let places = GalleryRows(shapes).places
      #expect(places.count == count)
      var sum = 0
      var isOpen = false
      for place in places {
        #expect(place.beginsRow == !isOpen)
        #expect(place.share > 0)
        sum += place.share
        isOpen = !place.endsRow
        if place.endsRow {
          #expect(sum == 100)
          sum = 0
        }
      }
      #expect(!isOpen)
    }
  }
}
