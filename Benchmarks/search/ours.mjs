// Runs each query with our script, with an empty cache, and prints the rank of the right answer, the bytes and the files.
//   node ours.mjs SITE queries.json SCRIPT
import { copyFileSync, readFileSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { report } from './report.mjs'
const [site, queries, script] = process.argv.slice(2)
const source = readFileSync(script)
const module = `${tmpdir()}/threadsite-search-${process.pid}.mjs`
copyFileSync(script, module)
const { Index } = await import(pathToFileURL(module).href)
unlinkSync(module)
const page = readFileSync(`${site}/search/index.html`)

await report('threadsite', JSON.parse(readFileSync(queries)), async (query, count) => {
  // The page and the script are loaded first; a browser caches both.
  for (const bytes of [page, source]) count(bytes.length, gzipSync(bytes).length)
  const index = new Index(async (path) => {
    const file = decodeURIComponent(path)
    const bytes = readFileSync(`${site}/search/${file.endsWith('/') ? `${file}index.html` : file}`)
    count(bytes.length, Math.min(bytes.length, gzipSync(bytes).length))
    return new Uint8Array(bytes)
  })
  const { found } = await index.find(query)
  const records = await Promise.all(found.slice(0, 10).map((f) => index.record(f.doc)))
  // The texts of the visible results, as many as Pagefind's own interface loads.
  for (const record of records.slice(0, 5)) await index.posts(record.url)
  return records.map((record) => record.url)
})
