// Answers queries by the script of the search: node query.mjs SCRIPT FOLDER, queries as JSON lines on stdin, answers on stdout.
// FOLDER is the site's; the pages of threads are read if they are there.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const [script, folder] = process.argv.slice(2)
const { Index, excerpt, marked } = await import('data:text/javascript;base64,' + readFileSync(script).toString('base64'))
const index = new Index(async (path) => new Uint8Array(readFileSync(`${folder}/search/${decodeURI(path).replace(/\/$/, '/index.html')}`)))
for await (const line of createInterface({ input: process.stdin })) {
  const { found, partly, marks, corrected } = await index.find(JSON.parse(line))
  const results = []
  const text = (pieces) => pieces.map((p) => (p.marked ? `[${p.text}]` : p.text)).join('')
  for (const { doc } of found.slice(0, 10)) {
    const record = await index.record(doc)
    const result = { title: record.title, marked: text(marked(record.title, marks)), url: record.url }
    try {
      const cut = excerpt(await index.posts(record.url), marks)
      result.post = cut.id
      result.text = text(cut.pieces)
    } catch {}
    results.push(result)
  }
  console.log(JSON.stringify({ count: found.length, partly, corrected, results }))
}
