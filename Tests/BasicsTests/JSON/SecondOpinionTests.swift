import Basics
import Foundation
import TestSupport
import Testing

/// Compares with Foundation's JSONSerialization.
///
/// `isKnownDifference` excludes the known differences (our reader makes U+FFFD only in these cases):
/// - Foundation rejects a lone surrogate escape; ours reads U+FFFD.
/// - Foundation rejects a number beyond the range of Double; ours keeps its text.
/// - Foundation on Linux accepts a comma after an array's last element; ours rejects it.
/// - Foundation limits nesting to 512 levels, and it guesses UTF-16 and UTF-32. The mutations do not reach
///   either.
@Suite struct SecondOpinionTests {
  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func agreesOnFixtures() throws {
    var count = 0
    for bytes in try fixtures() {
      let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      let ours = try JSONValue(parsing: bytes)
      #expect(agree(ours, theirs))
      #expect(!agree(.array([ours]), theirs))
      count += 1
    }
    #expect(count > 100)
  }

  @Test func agreesOnMutations() throws {
    let seeds = [
      #"{"a":[1,-2.5e3,true,false,null,"x\n\u00e9\uD83D\uDE00é日本😀"],"bb":{"c":{},"d":[]},"long key here":"long text value"}"#,
      #"[{"id":"1346889436626259968","n":0,"z":-0.0,"e":1E-2},[[["deep"]]],"\"\\\/\b\f\r\t"]"#,
    ]
    var random = SeededRandom(seed: 20_260_817)
    let alphabet = Array("{}[]\",:\\ue0123456789.+-tfnE \n\t\u{1}é😀".utf8) + [0x80, 0xFF, 0xC3, 0xED]
    var accepted = 0
    for round in 0..<20_000 {
      var bytes = Array(seeds[round % seeds.count].utf8)
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: index)
        case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0x20, at: index)
        case 2: bytes[index] = alphabet.randomElement(using: &random) ?? 0x20
        default:
          let other = Int.random(in: index..<min(index + 12, bytes.count), using: &random)
          bytes.removeSubrange(index...other)
        }
        if bytes.isEmpty { bytes = [0x5B] }
      }
      let ours = try? JSONValue(parsing: bytes)  // a refusal is one of the two answers compared
      if isKnownDifference(bytes) { continue }
      let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      let source = String(decoding: bytes, as: UTF8.self)
      #expect((ours == nil) == (theirs == nil), "\(source)")
      guard let ours, let theirs else { continue }
      accepted += 1
      #expect(agree(ours, theirs), "\(source)")
    }
    #expect(accepted > 1000)
  }

  @Test func writtenValuesReadBack() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<2000 {
      let value = randomValue(depth: 4, using: &random)
      for layout in [JSONWriter.Layout.pretty, .compact, .script] {
        let bytes = JSONWriter.text(of: value, layout).bytes
        #expect(try JSONValue(parsing: bytes) == value)
        #expect(try agree(value, JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)))
      }
    }
  }

  // MARK: Helpers

  private func fixtures() throws -> [[UInt8]] {
    let folder = try #require(ProjectFolders.sharedFixtures)
    var all: [[UInt8]] = []
    for name in ["x", "mastodon", "bluesky"] {
      let files = FileManager.default.enumerator(atPath: folder.appending(path: name).path)
      for case let path as String in try #require(files) {
        let url = folder.appending(path: name).appending(path: path)
        if path.hasSuffix(".json") {
          all.append(Array(try Data(contentsOf: url)))
        } else if path.hasSuffix(".jsonl") {
          all += try Data(contentsOf: url).split(separator: 0x0A).map { Array($0) }
        }
      }
    }
    return all
  }

  private func isKnownDifference(_ bytes: [UInt8]) -> Bool {
    do {
      return isKnownDifference(try JSONValue(parsing: bytes))
    } catch {
      return error.message == "a comma without a value after it"
    }
  }

  private func isKnownDifference(_ ours: JSONValue) -> Bool {
    switch ours {
    case .string(let text): text.unicodeScalars.contains("\u{FFFD}")
    case .number(let source): !(Double(source)?.isFinite ?? false)
    case .array(let elements): elements.contains(where: isKnownDifference)
    case .object(let members):
      members.contains { isKnownDifference($0.value) || isKnownDifference(.string($0.key)) }
    case .null, .bool, .integer: false
    }
  }

  /// Whether both values are equal. Foundation only partly distinguishes integers, doubles and Booleans.
  private func agree(_ ours: JSONValue, _ theirs: Any) -> Bool {
    switch ours {
    case .null: return theirs is NSNull
    case .bool(let value): return (theirs as? Bool) == value
    case .integer(let value): return (theirs as? NSNumber)?.int64Value == value
    case .number(let source):
      guard let number = theirs as? NSNumber, let value = Double(source) else { return false }
      return abs(number.doubleValue - value) <= abs(value) * 1e-14
    case .string(let value): return (theirs as? String).map { $0.utf8.elementsEqual(value.utf8) } ?? false
    case .array(let elements):
      guard let others = theirs as? [Any], others.count == elements.count else { return false }
      return zip(elements, others).allSatisfy { agree($0, $1) }
    case .object(let members):
      guard let others = theirs as? [String: Any], others.count == members.count else { return false }
      return members.allSatisfy { key, value in others[key].map { agree(value, $0) } ?? false }
    }
  }

  private func randomValue(depth: Int, using random: inout SeededRandom) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
    case 3: return .number("\(Double.random(in: -1e6...1e6, using: &random))")
    case 4: return .string(randomString(using: &random))
    case 5:
      return .array(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in randomValue(depth: depth - 1, using: &random) }
      )
    default:
      var members: [String: JSONValue] = [:]
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        members[randomString(using: &random)] = randomValue(depth: depth - 1, using: &random)
      }
      return .object(members)
    }
  }

  private func randomString(using random: inout SeededRandom) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      let limit: UInt32 = [0x20, 0x80, 0x800, 0x2100, 0x10FFFF].randomElement(using: &random) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) { text.append(scalar) }
    }
    return String(text)
  }
}
