import Basics
import TestSupport
import Testing

/// The messages about the number of results, whose words are in the page's attributes.
@Suite(.enabled(if: Node.exists, "node is not installed"))
struct MessageTests {
  /// Language, count, state, and the expected message.
  static let messages: [(String, Int64, String?, String)] = [
    ("en", 1, nil, "1 one"), ("en", 0, nil, "0 other"), ("en", 12_345, nil, "12,345 other"),
    ("de", 12_345, nil, "12.345 other"), ("pl", 2, nil, "2 few"), ("pl", 5, nil, "5 other"),
    ("ja", 1, nil, "1 other"), ("en", 1, "partly", "just 1"), ("en", 5, "partly", "some 5"),
    ("pl", 2, "partly", "some 2"), ("en", 0, "failed", "failed"),
  ]

  @Test func numbersHaveTheirPluralForm() throws {
    let program = """
      import { readFileSync } from 'node:fs'
      const script = readFileSync(process.argv[1])
      const { message } = await import('data:text/javascript;base64,' + script.toString('base64'))
      const words = { one: '{n} one', few: '{n} few', other: '{n} other', partlyOne: 'just {n}', partlyOther: 'some {n}', failed: 'failed' }
      for (const [language, count, state] of JSON.parse(readFileSync(0, 'utf8')))
        console.log(message(words, language || undefined, count, state ?? undefined))
      """
    let input = JSONValue.array(
      Self.messages.map { language, count, state, _ in
        .array([.string(language), .integer(count), state.map { .string($0) } ?? .null])
      })
    let printed = try Node.run(
      "--input-type=module", "-e", program, Node.script, input: JSONWriter.text(of: input, .compact).string)
    #expect(printed.split(separator: "\n").map(String.init) == Self.messages.map(\.3))
  }

  /// The query is shown unchanged, even if it looks like a placeholder, and cannot change the sentence's
  /// direction.
  @Test func namesTheCorrectedQuery() throws {
    let program = """
      import { readFileSync } from 'node:fs'
      const { correction } = await import('data:text/javascript;base64,' + readFileSync(process.argv[1]).toString('base64'))
      const words = { corrected: 'No {typed}, but {found}.' }
      const say = (...corrected) => console.log(correction(words, 'en', corrected).replace(/[\\u2068\\u2069]/g, '|'))
      say()
      say({ typed: 'lantren', found: ['lantern'] })
      say({ typed: '{found}$&', found: ['a', 'b', 'c'] }, { typed: 'x', found: ['y', 'z'] })
      """
    let printed = try Node.run("--input-type=module", "-e", program, Node.script)
    #expect(
      printed == """

        No |lantren|, but |lantern|.
        No |{found}$&|, but |a|, |b|, or |c|. No |x|, but |y| or |z|.

        """)
  }
}
