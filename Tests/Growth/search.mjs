// Searches texts that are expensive for some scripts, for callgrind (Tests/Growth/run):
//   node search.mjs SCRIPT [TEXT [FACTOR]]
// Prints a line NAME <tab> SIZE before each measurement. callgrind starts to count at `getpriority`, which node calls for
// `os.getPriority`, and writes what it has counted at `getppid`.
import { readFileSync, writeSync } from 'node:fs'
import { getPriority } from 'node:os'

const TEXTS = {
  'short words': (n) => 'a '.repeat(n / 2),
  'one word': (n) => 'a'.repeat(n),
  'underscores between two words': (n) => `a${'_'.repeat(n)}b a`,
  'words joined by underscores': (n) => 'a_'.repeat(n / 2),
  'the address of a link, of quotes': (n) => `[a](https://t.co/a${'"'.repeat(n)}" \\(`,
  'quotes behind an address with a quote': (n) => `[a](https://t.co/a") ${'"'.repeat(n)} (`,
  'links that do not end': (n) => '[a]('.repeat(n / 4),
  'links in links': (n) => '[]('.repeat(n / 3) + ')'.repeat(n / 3),
  'quotes and brackets': (n) => '"('.repeat(n / 2),
  'backslashes': (n) => '\\'.repeat(n) + '(',
  'references that do not end': (n) => '&#1'.repeat(n / 3),
  'one reference': (n) => '&#' + '1'.repeat(n),
  'dashes': (n) => ' — '.repeat(n / 3),
  'quotation': (n) => '> '.repeat(n / 2),
  'marks of lists': (n) => '- '.repeat(n / 2) + '*',
  'stars': (n) => '*'.repeat(n),
  'spaces': (n) => `a${' '.repeat(n)}b`,
  'lines': (n) => 'a\n'.repeat(n / 2),
  'headings': (n) => '## a\n'.repeat(n / 5),
  'sections that do not end': (n) => '<!-- text -->\n<!-- post 1 -->\n'.repeat(n / 30),
  'markers that do not end': (n) => '<!-- text '.repeat(n / 10),
  'marks on one letter': (n) => 'a' + '\u0301\u0316'.repeat(n / 2),
  'families': (n) => '👩‍👩‍👧‍👦'.repeat(n / 11),
  'halves of surrogates': (n) => '\ud83d'.repeat(n),
  'ideographs': (n) => '静か'.repeat(n / 2),
  'half-width kana': (n) => 'ﾊﾞ'.repeat(n / 2),
  'ligatures': (n) => 'ﷺ'.repeat(n / 8),
}
const [script, only = '', factor = 1] = process.argv.slice(2)
const SIZES = [2_048, 4_096, 8_192].map((size) => size * factor)
const { posts, excerpt, parse } = await import('data:text/javascript;base64,' + readFileSync(script).toString('base64'))
const marks = [new Set(['a', '静か', 'ハ']), new Set(['b', 'headings'])]

const measure = (text) => {
  const document = `<!-- post 1 -->\n\n<!-- text -->\n\n${text}\n\n<!-- /text -->\n\n<!-- /post -->\n`
  getPriority()
  excerpt(posts(document), marks)
  excerpt([{ id: '1', text }], marks)
  parse(text)
  process.ppid
}

for (const [kind, text] of Object.entries(TEXTS)) {
  const name = `the script of the search: ${kind}`
  if (!name.includes(only)) continue
  // The first run pays for what is made once per process. Its count is ignored.
  for (const size of [SIZES[0], ...SIZES]) {
    writeSync(1, `${name}\t${size}\n`)
    measure(text(size))
  }
}
