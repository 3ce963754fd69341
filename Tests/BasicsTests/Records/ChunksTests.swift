import Basics
import TestSupport
import Testing

@Suite struct ChunksTests {
  /// Adds and merges lists at random, and compares the values at all indices with those that were added.
  @Test func keepsEveryValueAtItsIndex() {
    var random = SeededRandom()
    func list(_ start: Int, _ count: Int) -> (chunks: Chunks<String>, values: [UInt32: String]) {
      var (chunks, values) = (Chunks<String>(), [UInt32: String]())
      for number in start..<start + count { values[chunks.append("\(number)")] = "\(number)" }
      return (chunks, values)
    }
    var (chunks, values) = (Chunks<String>(), [UInt32: String]())
    for round in 0..<20 {
      let (other, others) = list(round * 10_000, Int.random(in: 0...3000, using: &random))
      let shift = chunks.append(other)
      for (index, value) in others { values[index + shift] = value }
      for number in 0..<Int.random(in: 0...20, using: &random) {
        values[chunks.append("\(round) \(number)")] = "\(round) \(number)"
      }
      if let index = values.keys.min() {
        chunks.replace(index, with: "replaced in \(round)")
        values[index] = "replaced in \(round)"
      }
    }
    for (index, value) in values { #expect(chunks[index] == value) }
  }
}
