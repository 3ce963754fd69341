import Foundation
import SiteConfig
import TestSupport
import Testing

/// Any damaged file gives a configuration or problems with a place in the file.
@Suite(.timeLimit(.minutes(20))) struct DamagedFileTests {
  /// Bytes with a meaning in YAML, and some that are invalid everywhere.
  static let signs = Array("-:?,[]{}#&*!|>'\"%@` \n\t\r\\~a1<=\0".utf8) + [0x80, 0xC2, 0xE2, 0xEF, 0xFF]

  @Test func randomDamageGivesAResult() throws {
    let url = ProjectFolders.fixtures(of: "SiteConfigTests").appending(path: "valid/example.yml")
    let good = Array(try Data(contentsOf: url))
    var numbers = SeededRandom(seed: 2)
    var refused = 0
    for _ in 0..<400 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        let sign = Self.signs.randomElement(using: &numbers) ?? 0
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: bytes.insert(sign, at: place)
        case 1: bytes[place] = sign
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 7))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
        }
      }
      do {
        _ = try SiteConfig.decode(bytes: bytes, file: "site.yml")
      } catch {
        refused += 1
        let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 3
        #expect(error.problems.contains { $0.severity == .error })
        for problem in error.problems {
          #expect(problem.message.isEmpty == false)
          #expect((problem.line ?? 1) <= lines && (problem.column ?? 1) >= 1)
        }
      }
    }
    #expect(refused > 100)
  }
}
