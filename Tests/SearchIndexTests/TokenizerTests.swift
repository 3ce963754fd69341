import Basics
import Foundation
import SearchIndex
import TestSupport
import Testing

/// Splits text into terms, with the same test cases as for the search script.
@Suite struct TokenizerTests {
  struct Case: Sendable {
    let text: String
    let terms: [String]
  }

  static let cases: [Case] = {
    let file = ProjectFolders.fixtures(of: "SearchIndexTests").appending(path: "tokens.json")
    guard let bytes = try? Data(contentsOf: file), let value = try? JSONValue(parsing: Array(bytes)) else {
      return []
    }
    return (value.array ?? []).map { item in
      Case(text: item["text"]?.string ?? "", terms: (item["terms"]?.array ?? []).compactMap(\.string))
    }
  }()

  private func terms(of text: String) -> [String] {
    var tokenizer = SearchTokenizer()
    var terms: [String] = []
    _ = tokenizer.forEachTerm(in: text, from: 0) { term, position in
      terms.append("\(String(decoding: term, as: UTF8.self))@\(position)")
    }
    return terms
  }

  @Test func hasTestCases() { #expect(Self.cases.count > 30) }

  @Test(arguments: TokenizerTests.cases)
  func termsMatchTheTestCases(example: Case) { #expect(terms(of: example.text) == example.terms) }

  @Test(.enabled(if: Node.exists, "node is not installed"))
  func scriptSplitsTheSameTerms() throws {
    let printed = try Node.run(
      ProjectFolders.fixtures(of: "SearchIndexTests").appending(path: "make-tokens.mjs").path)
    let file = ProjectFolders.fixtures(of: "SearchIndexTests").appending(path: "tokens.json")
    #expect(printed == (try String(contentsOf: file, encoding: .utf8)))
  }

  /// Every assigned scalar, in texts that are long enough for all rows of a plane.
  @Test(.enabled(if: Node.exists, "node is not installed"))
  func scriptFoldsEveryLetterTheSame() throws {
    var lines: [String] = []
    for row in 0..<0x320 {
      let scalars = (row * 256..<row * 256 + 256).compactMap {
        UInt32(exactly: $0).flatMap(Unicode.Scalar.init)
      }
      let known = scalars.filter {
        ![.unassigned, .privateUse, .control].contains($0.properties.generalCategory)
      }
      lines.append(known.map { "\($0)" }.joined(separator: " "))
    }
    // Also the marks of half-width kana after other characters.
    let marked = (0xFF61...0xFF9F).compactMap { Unicode.Scalar(UInt32($0)) } + ["ハ", "か", "a", "é", "_", "㌔"]
    lines += ["\u{FF9E}", "\u{FF9F}"].map { mark in marked.map { "\($0)\(mark)" }.joined(separator: " ") }
    let text = lines.joined(separator: "\n")
    let ours = text.split(separator: "\n").map { terms(of: String($0)).joined(separator: ",") }
    let program = """
      import { readFileSync } from 'node:fs'
      const script = readFileSync(process.argv[1])
      const { tokens } = await import('data:text/javascript;base64,' + script.toString('base64'))
      for (const line of readFileSync(0, 'utf8').split('\\n').filter(Boolean))
        console.log(tokens(line.normalize('NFC')).map((t) => t.term + '@' + t.position).join(','))
      """
    let theirs = try Node.run("--input-type=module", "-e", program, Node.script, input: text)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var differing: [String] = []
    for (row, pair) in zip(ours, theirs).enumerated() where pair.0 != pair.1 {
      let left = pair.0.split(separator: ",")
      let right = pair.1.split(separator: ",")
      if let first = zip(left, right).first(where: { $0 != $1 }) { differing.append("row \(row): \(first)") }
    }
    // The two know different versions of Unicode. Scalars without properties are excluded above in one of
    // them only.
    #expect(differing.count <= 3, "\(differing)")
  }
}
