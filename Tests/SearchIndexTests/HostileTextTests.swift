import Basics
import Foundation
import SearchIndex
import TestSupport
import Testing

/// Texts that make one search expensive. `Tests/Growth` counts how the cost grows with such texts.
@Suite(.enabled(if: Node.exists, "node is not installed"))
struct HostileTextTests {
  static func fixture(_ name: String) -> String {
    ProjectFolders.fixtures(of: "SearchIndexTests").appending(path: name).path
  }

  /// Two words thousands of times each. Neither the proximity nor the phrase search compares all pairs.
  @Test func findsFrequentWordsNearEachOther() throws {
    let folder = try TemporaryFolder()
    var collector = SearchCollector()
    for number in 0..<3 {
      var document = SearchDocument(url: "x/ada/\(number)/", title: "Title \(number)", author: "Ada")
      let text = number == 1 ? "lantern quay " : "quay of a lantern of a "
      document.passages = [.init(String(repeating: text, count: 6_000 / (number + 1)))]
      try collector.add(document, at: 2 - number)
    }
    let order = (0..<3).reversed().map { "x/ada/\($0)/" }
    for file in try SearchIndex([collector], order: order).files {
      try folder.write(Data(file.bytes), to: "search/" + file.path)
    }
    let printed = try Node.run(
      Self.fixture("query.mjs"), Node.script, folder.path,
      input: "\"lantern quay \"\n\"\\\"lantern quay\\\"\"\n\"\\\"quay lantern\\\"\"\n")
    let answers = try printed.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(answers.map { $0["count"]?.int } == [3, 1, 1])
    #expect(
      answers.map { $0["results"]?.array?.first?["url"]?.string } == ["x/ada/1/", "x/ada/1/", "x/ada/1/"])
  }

  /// A link to the search page can contain any query.
  @Test func onlyTheFirstWordsOfAQueryCount() throws {
    let program = """
      import { readFileSync } from 'node:fs'
      const { parse } = await import('data:text/javascript;base64,' + readFileSync(process.argv[1]).toString('base64'))
      for (const query of ['a '.repeat(5000), '"' + 'a '.repeat(5000), 'tag:a '.repeat(5000), '静か'.repeat(5000), '-a '.repeat(5000), '-' + '静か'.repeat(5000)])
        console.log(parse(query).reduce((sum, clause) => sum + clause.terms.length, 0))
      """
    let printed = try Node.run("--input-type=module", "-e", program, Node.script)
    #expect(printed == "32\n32\n32\n32\n32\n32\n")
  }

  /// Excerpts begin and end between words, if there are any, and never within a grapheme cluster.
  @Test func excerptsCutNeitherWordsNorCharacters() throws {
    let program = #"""
      import { readFileSync } from 'node:fs'
      const { excerpt } = await import('data:text/javascript;base64,' + readFileSync(process.argv[1]).toString('base64'))
      const show = (text) => excerpt([{ id: '1', text }], [new Set(['wal', '静か'])]).pieces.map((p) => p.text).join('')
      const bad = []
      for (let n = 0; n < 130; n++) {
        const words = 'ein Wal und '.repeat(20).slice(0, 200) + 'y'.repeat(n % 50) + ' unteilbar'.repeat(20)
        if (!show(words).replace(/^… | …$/g, '').split(' ').every((word) => words.split(' ').includes(word))) bad.push(['words', n, show(words)])
        const family = '👩‍👩‍👧‍👦'
        const families = 'Wal ' + 'x'.repeat(n) + family.repeat(60)
        const shown = show(families).replace(/ …$/, '')
        if (shown.slice(4 + n).length % family.length || shown.length < 180) bad.push(['families', n, shown])
        const flags = 'Wal' + 'x'.repeat(n % 7) + '🇩🇪'.repeat(90)
        if (show(flags).replace(/ …$/, '').slice(3 + n % 7).length % 4) bad.push(['flags', n])
        const kana = 'そ'.repeat(n) + 'が。'.repeat(99) + '静かな朝です。' + 'か\u3099'.repeat(200)
        if (/か …$|^… [。\u3099]/.test(show(kana))) bad.push(['kana', n, show(kana)])
        if (!show(kana).includes('静かな朝') || show(kana).indexOf('静か') < 10) bad.push(['before', n, show(kana)])
      }
      console.log(JSON.stringify(bad.slice(0, 3)))
      """#
    let printed = try Node.run("--input-type=module", "-e", program, Node.script)
    #expect(printed == "[]\n")
  }

  /// Excerpts are cut between characters, and a URL does not include the text after it.
  @Test func excerptsContainWholeCharactersAndOwnWords() throws {
    let program = #"""
      import { readFileSync } from 'node:fs'
      const { posts, excerpt } = await import('data:text/javascript;base64,' + readFileSync(process.argv[1]).toString('base64'))
      const post = (text) => posts('<section class="post" id="post-1">\n<div class="post-text">\n<p>' + text + '</p>\n</div>\n</section>\n')
      for (const before of [239, 240, 241]) {
        const { pieces } = excerpt(post('a' + 'b'.repeat(before - 1) + '😀'.repeat(9)), [new Set(['a'])])
        console.log(pieces.every((p) => p.text.isWellFormed()))
      }
      console.log(post('see <a href="https://t.co/a%22" title="x&quot;">https://t.co/a</a> and (so on) &quot;there&quot;')[0].text)
      console.log(post('<img src="b" alt="a &amp;amp;" title="Image 1"> after<br><em>d</em>e <i')[0].text)
      """#
    let printed = try Node.run("--input-type=module", "-e", program, Node.script)
    #expect(
      printed == """
        true
        true
        true
        see https://t.co/a and (so on) "there"
        a &amp; after de <i

        """)
  }
}
