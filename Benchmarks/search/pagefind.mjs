// The same by Pagefind's own script, in headless Chromium: node pagefind.mjs SITE queries.json
// A server on loopback counts what it asks for; nothing is cached from one query to the next.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import { report } from './report.mjs'

const [site, queries] = process.argv.slice(2)
const types = { js: 'text/javascript', json: 'application/json', html: 'text/html' }
let count = () => {}
let next = () => {}
let give = () => {}
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><script type="module">
for (let n = 0; ; n++) {
  const query = await (await fetch('/next')).json()
  let urls = []
  try {
    const pagefind = await import('/pagefind/pagefind.js?' + n)
    const { results } = await pagefind.search(query)
    for (const result of results.slice(0, 5)) urls.push((await result.data()).url)
    await pagefind.destroy?.()
  } catch (error) { urls = ['failed: ' + error] }
  await fetch('/answer', { method: 'POST', body: JSON.stringify(urls) })
}
</script></html>`

const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname
  response.setHeader('Cache-Control', 'no-store')
  if (path === '/next') return next((query) => response.end(JSON.stringify(query)))
  if (path === '/answer') {
    let body = ''
    request.on('data', (data) => (body += data)).on('end', () => { response.end(); give(JSON.parse(body)) })
    return
  }
  if (path === '/') return response.setHeader('Content-Type', 'text/html').end(page)
  const file = site + decodeURIComponent(path)
  if (!path.startsWith('/pagefind/') || !existsSync(file)) return response.writeHead(404).end()
  const bytes = readFileSync(file)
  count(bytes.length, Math.min(bytes.length, gzipSync(bytes).length))
  response.setHeader('Content-Type', types[path.split('.').pop()] ?? 'application/octet-stream').end(bytes)
})
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const profile = mkdtempSync(`${tmpdir()}/threadsite-pagefind-`)
const browser = spawn(process.env.CHROMIUM ?? 'chromium', ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore' })

const waiting = []
let asked
next = (reply) => (asked ? (reply(asked), (asked = undefined)) : waiting.push(reply))
await report('Pagefind', JSON.parse(readFileSync(queries)), (query, counting) => {
  count = counting
  return new Promise((done) => {
    give = (urls) => {
      if (urls[0]?.startsWith('failed')) console.error(query, urls[0])
      done(urls)
    }
    const reply = waiting.shift()
    if (reply) reply(query)
    else asked = query
  })
})
browser.kill()
await new Promise((done) => browser.once('exit', done))
server.closeAllConnections()
server.close()
rmSync(profile, { recursive: true, force: true })
