// Damages the files of a search index at random and searches it: node search.mjs SCRIPT FOLDER SECONDS SEED FINDINGS [RUNS]
// It first replays earlier findings. RUNS limits the number of runs.
// A query may find nothing or fail with an error that its caller can show. It must not take longer than LIMIT, throw anything but an
// Error, or leave an uncaught promise. Failing inputs are saved as files.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const LIMIT = 10_000 // milliseconds for one damaged index; an undamaged one takes less than two

if (isMainThread) {
  const [script, folder, seconds, seed, findings, most = Infinity] = process.argv.slice(2)
  const worker = new Worker(new URL(import.meta.url), { workerData: { script, folder, seconds: +seconds, seed: +seed, findings, most: +most } })
  let runs = 0
  let current
  let timer
  const found = (words) => {
    mkdirSync(findings, { recursive: true })
    const file = `${findings}/seed-${seed}-run-${runs}.json`
    writeFileSync(file, JSON.stringify(current, null, 1) + '\n')
    console.error(`fuzz: search: property failure: ${words}\nfinding: ${file}`)
    console.log(`runs: ${runs}`)
    process.exit(77)
  }
  worker.on('message', (message) => {
    clearTimeout(timer)
    if (message.failure) found(message.failure)
    if (message.done) {
      console.log(`runs: ${runs}, of which ${message.answered} gave an answer and ${message.refused} an error; seed: ${seed}`)
      process.exit(0)
    }
    runs++
    current = message
    timer = setTimeout(() => found(`no answer within ${LIMIT / 1000} s`), LIMIT)
  })
  worker.on('error', (error) => found(`uncaught: ${error?.stack ?? error}`))
} else {
  const { script, folder, seconds, seed, findings, most } = workerData
  const { Index, excerpt } = await import('data:text/javascript;base64,' + readFileSync(script).toString('base64'))
  const files = new Map()
  const gather = (path) => {
    for (const entry of readdirSync(`${folder}/${path}`, { withFileTypes: true })) {
      if (entry.isDirectory()) gather(`${path}/${entry.name}`)
      else files.set(`${path}/${entry.name}`.replace(/^search\//, '').replace(/^x\//, '../x/'), readFileSync(`${folder}/${path}/${entry.name}`))
    }
  }
  gather('search')
  gather('x')

  // SplitMix, in 32 bits.
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let z = state
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    return (z ^ (z >>> 16)) >>> 0
  }
  const below = (n) => next() % Math.max(1, n)
  const NUMBERS = [[0x7f], [0x80], [0xff, 0xff, 0xff, 0xff, 0x0f], Array(9).fill(0xff), [0], [0xff]]
  const WORDS = ['-1', '1e9', '4294967296', 'null', '""', '[]', '{}', '9007199254740993', '"a"', '\u{202e}', '/', '..']
  const damage = (bytes) => {
    let list = [...bytes]
    for (let n = below(4) + 1; n; n--) {
      const at = below(list.length + 1)
      switch (below(6)) {
        case 0: list[at] = below(256); break
        case 1: list.splice(at, below(16)); break
        case 2: list.splice(at, 0, ...NUMBERS[below(NUMBERS.length)]); break
        case 3: list.length = at; break
        case 4: list.splice(at, 0, ...list.slice(below(list.length)).slice(0, 32)); break
        // A whole number of the manifest.
        default: {
          const text = Buffer.from(list).toString('latin1')
          const numbers = [...text.matchAll(/\d+/g)]
          if (!numbers.length || bytes.length > 4096) break
          const { 0: old, index } = numbers[below(numbers.length)]
          list = [...Buffer.from(text.slice(0, index) + WORDS[below(WORDS.length)] + text.slice(index + old.length), 'latin1')]
        }
      }
    }
    return Uint8Array.from(list, (byte) => byte ?? 0)
  }

  const QUERIES = ['lantern', 'lanterns ladders', '"lanterns and ladders"', 'tag:harbour quiet', 'from:ada_example', '東京', 'l', 'whales lantern harbour', 'none of these', 'lantren harbuor', 'lantern -quiet -tag:harbour']
  const names = [...files.keys()]
  let answered = 0
  let refused = 0
  const ask = async ({ query, damaged }) => {
    parentPort.postMessage({ query, damaged })
    const index = new Index(async (address) => {
      const path = address.replace(/\/$/, '/index.html')
      const bytes = path in damaged ? Buffer.from(damaged[path], 'base64') : files.get(decodeURI(path))
      if (!bytes) throw new Error(`no file ${path}`)
      return new Uint8Array(bytes)
    })
    try {
      const { found, marks } = await index.find(query)
      for (const { doc } of found.slice(0, 3)) excerpt(await index.posts((await index.record(doc)).url), marks)
      answered++
    } catch (error) {
      if (!(error instanceof Error)) parentPort.postMessage({ failure: `threw ${error}` })
      refused++
    }
  }

  const earlier = existsSync(findings) ? readdirSync(findings).filter((name) => name.endsWith('.json')) : []
  for (const name of earlier.sort()) await ask(JSON.parse(readFileSync(`${findings}/${name}`)))
  const end = Date.now() + seconds * 1000
  while (Date.now() < end && answered + refused < most) {
    const damaged = {}
    for (let n = below(3) + 1; n; n--) {
      const name = names[below(names.length)]
      damaged[name] = Buffer.from(damage(files.get(name))).toString('base64')
    }
    await ask({ query: QUERIES[below(QUERIES.length)], damaged })
  }
  parentPort.postMessage({ done: true, answered, refused })
}
