// Searches texts that are expensive for some scripts, for callgrind (Tests/Growth/run):
//   node search.mjs SCRIPT [TEXT [FACTOR]]
// Prints a line NAME <tab> SIZE before each measurement. callgrind starts to count at `getpriority`, which node calls for
// `os.getPriority`, and writes its counts at `getppid`.
import { readFileSync, writeSync } from 'node:fs'
import { getPriority } from 'node:os'

const TEXTS = {
  'short words': (n) => 'a '.repeat(n / 2),
  'one word': (n) => 'a'.repeat(n),
  'underscores between two words': (n) => `a${'_'.repeat(n)}b a`,
  'words joined by underscores': (n) => 'a_'.repeat(n / 2),
  'an attribute of quotes': (n) => `<a href="${'"'.repeat(n)}">a</a>`,
  'an attribute that does not end': (n) => `<a href="${'a'.repeat(n)}`,
  'classes': (n) => `<a${' class="'.repeat(n / 8)}>`,
  'tags that do not end': (n) => '<a '.repeat(n / 3),
  'the name of a tag': (n) => '<' + 'a'.repeat(n),
  'signs of tags': (n) => '<'.repeat(n),
  'ends of tags': (n) => '</a>'.repeat(n / 4),
  'elements in elements': (n) => '<em>'.repeat(n / 4) + '</em>'.repeat(n / 5),
  'backslashes': (n) => '\\'.repeat(n) + '(',
  'references': (n) => '&amp;'.repeat(n / 5),
  'references that do not end': (n) => '&#3'.repeat(n / 3),
  'dashes': (n) => ' — '.repeat(n / 3),
  'spaces': (n) => `a${' '.repeat(n)}b`,
  'lines': (n) => 'a\n'.repeat(n / 2),
  'headings': (n) => '<h2>a'.repeat(n / 5),
  'sections that do not end': (n) => '<section class="post"><div class="post-text">a'.repeat(n / 45),
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
  const document = `<section class="post" id="post-1">\n<div class="post-text">\n<p>${text}</p>\n</div>\n</section>\n`
  getPriority()
  excerpt(posts(document), marks)
  excerpt([{ id: '1', text }], marks)
  parse(text)
  process.ppid
}

for (const [kind, text] of Object.entries(TEXTS)) {
  const name = `the script of the search: ${kind}`
  if (!name.includes(only)) continue
  // The first run includes work that is done once per process. Its count is ignored.
  for (const size of [SIZES[0], ...SIZES]) {
    writeSync(1, `${name}\t${size}\n`)
    measure(text(size))
  }
}
