// The same by Pagefind's own script: node pagefind.mjs SITE queries.json
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { pathToFileURL } from 'node:url'
import { report } from './report.mjs'
const [site, queries] = process.argv.slice(2)
const folder = `${site}/pagefind/`
// What Pagefind's script expects of a browser.
globalThis.window = globalThis
globalThis.location = new URL('http://site.example/')
globalThis.document = { querySelector: () => ({ getAttribute: () => 'en', dataset: {} }), documentElement: { lang: 'en' }, currentScript: null }
let count = () => {}
globalThis.fetch = async (url) => {
  const path = new URL(url, 'http://site.example/').pathname.replace(/^\/pagefind\//, '')
  const bytes = readFileSync(folder + path)
  count(bytes.length, Math.min(bytes.length, gzipSync(bytes).length))
  return new Response(bytes)
}
const source = readFileSync(folder + 'pagefind.js')
let instance = 0

await report('Pagefind', JSON.parse(readFileSync(queries)), async (query, counting) => {
  count = counting
  count(source.length, gzipSync(source).length)
  // A new address is a new module: nothing is kept of the query before.
  const pagefind = await import(pathToFileURL(folder + 'pagefind.js').href + '?' + instance++)
  await pagefind.options({ basePath: '/pagefind/', baseUrl: '/' })
  await pagefind.init()
  const { results } = await pagefind.search(query)
  const data = []
  for (const result of results.slice(0, 5)) data.push(await result.data())
  return data.map((d) => d.url)
})
