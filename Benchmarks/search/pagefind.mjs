// Does the same with Pagefind's own script, in headless Chromium: node pagefind.mjs SITE queries.json
// A server on loopback counts the requests. Nothing is cached between queries.
// A query that takes longer than QUERY_SECONDS (60 by default) counts as unanswered, and the browser is restarted. After three
// such queries in a row, the remaining queries are skipped.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import { report } from './report.mjs'

const [site, queries] = process.argv.slice(2)
const seconds = Number(process.env.QUERY_SECONDS ?? 60)
const mostInRow = 3
const types = { js: 'text/javascript', json: 'application/json', html: 'text/html' }
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

// The state shared with the page: what it waits for, and who waits for its results.
let count = () => {}
let give = () => {}
let asked
let waiting

function next(response) {
  waiting = response
  if (asked === undefined) return
  waiting.end(JSON.stringify(asked))
  asked = waiting = undefined
}

const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname
  response.setHeader('Cache-Control', 'no-store')
  if (path === '/next') return next(response)
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

/** A browser on the page, in a process group and with a profile of its own. */
function open() {
  const profile = mkdtempSync(`${tmpdir()}/threadsite-pagefind-`)
  const options = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`]
  const browser = spawn(process.env.CHROMIUM ?? 'chromium', [...options, `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore', detached: true })
  const ended = new Promise((done) => browser.once('exit', done).once('error', done))
  return async function close() {
    try { process.kill(-browser.pid, 'SIGKILL') } catch {}
    await ended
    server.closeAllConnections()
    waiting = undefined
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

let close = open()
let inRow = 0
await report('Pagefind', JSON.parse(readFileSync(queries)), async (query, counting) => {
  if (inRow === mostInRow) return undefined
  count = counting
  let timer
  const urls = await new Promise((done) => {
    give = done
    timer = setTimeout(() => done(undefined), seconds * 1000)
    asked = query
    if (waiting) next(waiting)
  })
  clearTimeout(timer)
  count = give = () => {}
  if (urls) {
    inRow = 0
    if (urls[0]?.startsWith('failed')) console.error(query, urls[0])
    return urls
  }
  console.error(`no answer within ${seconds} s: ${query}`)
  asked = undefined
  await close()
  if (++inRow === mostInRow) console.error('the rest is not asked')
  else close = open()
  return undefined
})
if (inRow < mostInRow) await close()
server.close()
