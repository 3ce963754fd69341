import Basics
import Testing

struct RecordFieldsTests {
  private struct Sample: Record, Equatable {
    var name = "a"
    var number = -3
    var list: [String] = ["b", ""]
    var bytes: [UInt8] = [0, 255]
    var sizes: [String: Int] = ["y": 1, "x": 2]
    var part: Part?
    var range = 4..<9
    var digest = UInt64.max

    static let fields = RecordFields(
      Self.init, \.name, \.number, \.list, \.bytes, \.sizes, \.part, \.range, \.digest)
  }

  private struct Part: Record, Equatable {
    var isSet: Bool
    var numbers: Set<Int>

    static let fields = RecordFields(Self.init, \.isSet, \.numbers)
  }

  @Test func everyFieldReadsBack() throws {
    for part in [nil, Part(isSet: true, numbers: [3, 1, 2])] {
      let sample = Sample(name: "é", part: part)
      #expect(try Sample(byteCoding: sample.byteCoding) == sample)
    }
    #expect(Sample.fields.count == Mirror(reflecting: Sample()).children.count)
  }

  @Test func equalValuesHaveEqualBytes() {
    let numbers = (0..<50).map { $0 * 7 % 50 }
    #expect(
      Part(isSet: true, numbers: Set(numbers)).byteCoding
        == Part(isSet: true, numbers: Set(numbers.reversed())).byteCoding)
  }

  @Test func everyFieldChangesTheDigest() {
    func digest(_ change: (inout Sample) -> Void) -> UInt64 {
      var (sample, digest) = (Sample(), ContentDigest())
      change(&sample)
      digest.add(sample)
      return digest.value
    }
    let digests = [
      digest { _ in }, digest { $0.name = "" }, digest { $0.number = 3 }, digest { $0.list = ["b"] },
      digest { $0.bytes = [] }, digest { $0.sizes["y"] = 2 },
      digest { $0.part = Part(isSet: false, numbers: []) }, digest { $0.range = 4..<8 },
      digest { $0.digest = 0 },
    ]
    #expect(Set(digests).count == digests.count)
  }

  @Test func rejectsTruncatedBytes() {
    let bytes = Sample(part: Part(isSet: true, numbers: [1])).byteCoding
    for count in bytes.indices {
      #expect(throws: ByteReader.Truncated.self) { try Sample(byteCoding: Array(bytes[..<count])) }
    }
  }

  /// More words than the writer remembers.
  @Test func writesRepeatedWordsOnce() throws {
    let words = (0..<20).flatMap { ["host \($0 % 10)", "x"] }
    var writer = ByteWriter()
    for word in words { writer.write(word: word) }
    var reader = ByteReader(writer.bytes)
    for word in words { #expect(try reader.word() == word) }
    #expect(writer.bytes.count < words.reduce(0) { $0 + $1.utf8.count })
  }
}
