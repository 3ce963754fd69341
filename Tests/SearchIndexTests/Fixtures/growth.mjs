// Prints how the time that the script of the search takes for a post grows with the post, a line of JSON for each kind of text:
//   node growth.mjs SCRIPT
// 1 is in proportion, 2 with the square, Infinity for what had not ended after a minute. Processor time, the best of several tries, as a machine that does other things only ever
// adds to it.
import { readFileSync } from 'node:fs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

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
const [SMALL, LARGE, TRIES, PATIENCE] = [16_384, 131_072, 3, 60_000]

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { workerData: process.argv[2] })
  let waiting
  let last = 'the first'
  const wait = () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      console.log(JSON.stringify({ name: `what follows ${last}`, exponent: 'Infinity' }))
      process.exit()
    }, PATIENCE)
  }
  worker.on('message', (result) => {
    wait()
    if (!result) return
    console.log(JSON.stringify(result))
    last = result.name
  })
  worker.on('exit', () => clearTimeout(waiting))
  wait()
} else {
  const { posts, excerpt, parse } = await import('data:text/javascript;base64,' + readFileSync(workerData).toString('base64'))
  const marks = [new Set(['a', '静か', 'ハ']), new Set(['b', 'headings'])]
  const time = (text) => {
    const began = process.cpuUsage()
    excerpt(posts(`<!-- post 1 -->\n\n<!-- text -->\n\n${text}\n\n<!-- /text -->\n\n<!-- /post -->\n`), marks)
    excerpt([{ id: '1', text }], marks)
    parse(text)
    const { user, system } = process.cpuUsage(began)
    parentPort.postMessage(undefined) // still at it
    return Math.max(user + system, 1)
  }
  for (const [name, text] of Object.entries(TEXTS)) {
    const best = (size) => Math.min(...Array.from({ length: TRIES }, () => time(text(size))))
    let exponent = Infinity
    for (let tries = 0; tries < 4 && exponent > 1.5; tries++)
      exponent = Math.min(exponent, Math.log(best(LARGE) / best(SMALL)) / Math.log(LARGE / SMALL))
    parentPort.postMessage({ name, exponent: exponent.toFixed(2) })
  }
}
