// Search without a server: reads the index that threadsite wrote beside this page, a few files for each query.
// docs/search.md describes the index and the language of queries. Cutting text into terms must do exactly what
// Sources/SearchIndex does; both are tested with the same cases.

const LETTERS = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ' }
const DROPPED = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]/g
const IDEOGRAPH = /[\u3005-\u3007\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}]/u
const WORD = /[\p{L}\p{N}\p{M}]/u
const folded = new Map()

const kindOf = (c) => (WORD.test(c) ? (IDEOGRAPH.test(c) ? 'ideograph' : 'word') : c === '_' ? 'joiner' : 'other')

/** What a character becomes before words are compared: a list of characters, each with its kind. */
function fold(char) {
  let pieces = folded.get(char)
  if (!pieces) {
    const lower = char.normalize('NFKD').toLowerCase().replace(DROPPED, '').replace(/[ßæœøłđðħŧıς]/g, (c) => LETTERS[c])
    pieces = [...lower.normalize('NFC')].map((c) => ({ c, kind: kindOf(c) }))
    folded.set(char, pieces)
  }
  return pieces
}

/** The terms of a composed (NFC) text: position, where they stand in it; `parts` of a term with underscores, `tail` for a last ideograph. */
export function tokens(text) {
  const found = []
  let position = 0
  let word = []
  let run = []
  const add = (chars, more) => {
    const cut = chars.slice(0, 32)
    found.push({ term: cut.map((x) => x.c).join(''), position, start: chars[0].start, end: chars.at(-1).end, ...more })
  }
  const endWord = () => {
    const parts = []
    word.forEach((x, i) => {
      if (x.c !== '_') i && word[i - 1].c !== '_' ? parts.at(-1).push(x) : parts.push([x])
    })
    if (parts.length > 1) add(word.slice(word.indexOf(parts[0][0]), word.indexOf(parts.at(-1).at(-1)) + 1), { parts: parts.length })
    for (const part of parts) {
      add(part)
      position++
    }
    word = []
  }
  const endRun = () => {
    run.forEach((_, i) => {
      add(run.slice(i, i + 2), { tail: i > 0 && i === run.length - 1, single: run.length === 1 })
      position++
    })
    run = []
  }
  let start = 0
  for (const char of text) {
    const end = start + char.length
    for (const { c, kind } of fold(char)) {
      if (kind !== 'ideograph') endRun()
      if (kind === 'ideograph' || kind === 'other') endWord()
      if (kind === 'ideograph') run.push({ c, start, end })
      else if (kind !== 'other') word.push({ c, start, end })
    }
    start = end
  }
  endWord()
  endRun()
  return found
}

/** All letters and digits of a name as one term, as `from:` and `tag:` compare them. */
const whole = (name) => [...name.normalize('NFC')].flatMap(fold).filter((x) => x.kind !== 'other').map((x) => x.c).join('')

/** A query as clauses: `{ term, prefix }`, `{ filter }` or `{ phrase: [terms] }`. */
export function parse(query) {
  const clauses = []
  for (const [all, field, quoted, plain] of query.normalize('NFC').matchAll(/(?:(from|tag):)?(?:["“”„]([^"“”„]*)(?:["“”„]|$)|([^\s"“”„]+))/giu)) {
    const text = quoted ?? plain
    if (field) {
      const name = whole(text)
      if (name) clauses.push({ filter: (field.toLowerCase() === 'tag' ? '#' : '@') + name })
      continue
    }
    const list = tokens(text)
    if (quoted !== undefined) {
      const phrase = list.filter((t) => !t.parts && !t.tail)
      if (phrase.length > 1) clauses.push({ phrase })
      else if (phrase.length) clauses.push({ term: phrase[0].term, prefix: phrase[0].single })
      continue
    }
    let skip = 0
    for (const t of list) {
      if (skip-- > 0 || t.tail) continue
      skip = t.parts ?? 0
      clauses.push({ term: t.term, prefix: t.single, typed: t.end === text.length })
    }
  }
  const last = clauses.at(-1)
  if (last?.typed && !/\s$/.test(query)) last.prefix = true
  return clauses
}

/** Strings in the order of their code points, as the index has them, by `<`. */
const key = (s) => s.replace(/[\ud800-\uffff]/g, (c) => String.fromCharCode(c.charCodeAt(0) + (c < '\ue000' ? 0x2000 : -0x800)))

class Reader {
  constructor(bytes) {
    this.bytes = bytes
    this.at = 0
  }
  get more() {
    return this.at < this.bytes.length
  }
  next() {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.bytes[this.at++]
      value += (byte & 127) * scale
      if (byte < 128) return value
      scale *= 128
    }
  }
  take(count) {
    return this.bytes.subarray(this.at, (this.at += count))
  }
}

const MOST_FORMS = 24 // terms that a beginning of a word stands for
const MOST_SHARDS = 3 // files of the dictionary read for one
const MOST_NEAR = 24576 // bytes of positions read to prefer words that stand together

export class Index {
  /** `read(path)` gives a file beside the search page as bytes. */
  constructor(read) {
    this.read = read
    this.files = new Map()
  }

  file(path) {
    let promise = this.files.get(path)
    if (!promise) {
      promise = this.read(path)
      promise.catch(() => this.files.delete(path))
      this.files.set(path, promise)
    }
    return promise
  }

  async json(path) {
    return JSON.parse(new TextDecoder().decode(await this.file(path)))
  }

  async open() {
    if (this.about) return
    const about = await this.json('index.json')
    if (about.version !== 1) throw new Error('This script and the index do not belong together.')
    this.keys = about.shards.map(key)
    this.about = about
  }

  data(path) {
    return this.file(this.about.folder + '/' + path)
  }

  async shard(number) {
    const reader = new Reader(await this.data(`d/${number}.bin`))
    const entries = []
    let last = new Uint8Array()
    let positionsAt = 0
    while (reader.more) {
      const shared = reader.next()
      const rest = reader.take(reader.next())
      const bytes = new Uint8Array(shared + rest.length)
      bytes.set(last.subarray(0, shared))
      bytes.set(rest, shared)
      last = bytes
      const entry = { term: new TextDecoder().decode(bytes), texts: reader.next(), titles: reader.next(), labels: reader.next(), shard: number }
      const size = reader.next()
      entry.positions = reader.next()
      if (size % 2) entry.file = reader.next()
      else {
        entry.bytes = reader.take(size / 2)
        entry.positionsAt = positionsAt
        positionsAt += entry.positions
      }
      entries.push(entry)
    }
    return entries
  }

  /** The dictionary's entries of a term or, where that is asked for or there is no such term, of those that begin with it. */
  async entries(term, prefix) {
    const shardOf = (k) => Math.max(0, this.keys.findLastIndex((first) => first <= k))
    const first = shardOf(key(term))
    const numbers = [first]
    const last = shardOf(key(term + '\u{10ffff}'))
    for (let n = first + 1; n <= last && n < first + MOST_SHARDS; n++) numbers.push(n)
    if (!this.keys.length) return []
    const exact = (await this.shard(first)).find((e) => e.term === term)
    if (exact && !prefix) return [exact]
    const all = (await Promise.all(numbers.map((n) => this.shard(n)))).flat().filter((e) => e.term.startsWith(term))
    const size = (e) => (e === exact ? Infinity : e.texts + e.titles + e.labels)
    return all.sort((a, b) => size(b) - size(a)).slice(0, term.length < 3 ? 4 : MOST_FORMS)
  }

  async postings(entry) {
    if (entry.docs) return entry
    const reader = new Reader(entry.bytes ?? (await this.data(`t/${entry.file}.bin`)))
    const docs = new Uint32Array(entry.texts)
    if (reader.take(1)[0]) {
      const bits = reader.take((this.about.documents + 7) >> 3)
      for (let d = 0, n = 0; n < docs.length; d++) if ((bits[d >> 3] >> (d & 7)) & 1) docs[n++] = d
    } else for (let n = 0, d = -1; n < docs.length; n++) docs[n] = d += reader.next()
    const levels = reader.take((docs.length + 1) >> 1)
    entry.level = (n) => (levels[n >> 1] >> (n & 1 ? 4 : 0)) & 15
    entry.inTitle = []
    for (let n = 0, d = -1; n < entry.titles; n++) entry.inTitle.push([(d += reader.next()), reader.take(1)[0]])
    entry.inLabel = []
    for (let n = 0, d = -1; n < entry.labels; n++) entry.inLabel.push((d += reader.next()))
    entry.docs = docs
    return entry
  }

  /** Where a term stands in those documents that are asked for: a map from document to positions. */
  async positions(entry, wanted) {
    const { docs } = await this.postings(entry)
    const reader = new Reader(entry.file === undefined ? await this.data(`p/${entry.shard}.bin`) : await this.data(`w/${entry.file}.bin`))
    reader.at = entry.positionsAt ?? 0
    const found = new Map()
    for (const doc of docs) {
      const list = []
      let at = 0
      for (let n = reader.next(); n > 0; n--) list.push((at += reader.next()))
      if (wanted(doc)) found.set(doc, list)
    }
    return found
  }

  /** What each document gets for a word and all its forms, 0 where it has none of them; and which have one in their title, tags or author. */
  async weigh(entries, term) {
    const scores = new Float32Array(this.about.documents)
    scores.titled = new Uint8Array(scores.length)
    await Promise.all(entries.map((e) => this.postings(e)))
    const rarity = (field) => {
      const n = Math.min(this.about.documents, entries.reduce((sum, e) => sum + e[field], 0))
      return Math.log(1 + (this.about.documents - n + 0.5) / (n + 0.5))
    }
    const [text, title, label] = ['texts', 'titles', 'labels'].map(rarity)
    const own = new Float32Array(scores.length)
    for (const e of entries) {
      const share = e.term === term ? 1 : Math.max(0.3, term.length / e.term.length) * 0.9
      own.fill(0)
      e.docs.forEach((d, n) => (own[d] += (2.2 * text * e.level(n)) / 15))
      for (const [d, level] of e.inTitle) {
        own[d] += (4 * title * level) / 255
        scores.titled[d] = 1
      }
      for (const d of e.inLabel) {
        own[d] += 1.6 * label
        scores.titled[d] = 1
      }
      for (let d = 0; d < own.length; d++) scores[d] = Math.max(scores[d], own[d] * share)
    }
    return scores
  }

  async weighPhrase(phrase) {
    const scores = new Float32Array(this.about.documents)
    const entries = (await Promise.all(phrase.map((t) => this.entries(t.term)))).map((list, i) => list.find((e) => e.term === phrase[i].term))
    if (!entries.every(Boolean)) return scores
    const parts = await Promise.all(entries.map((e) => this.weigh([e], e.term)))
    const has = entries.map((e) => new Set(e.docs))
    const places = await Promise.all(entries.map((e) => this.positions(e, (d) => has.every((set) => set.has(d)))))
    for (const [doc, list] of places[0]) {
      const rest = places.slice(1).map((map) => new Set(map.get(doc)))
      const stands = (at) => rest.every((set, i) => set.has(at + phrase[i + 1].position - phrase[0].position))
      const times = list.filter(stands).length
      if (times) scores[doc] = parts.reduce((sum, part) => sum + part[doc], 0) * (1 + Math.min(times, 4) / 4)
    }
    return scores
  }

  /** Prefers documents in which the words of a query stand as near to each other as in the query; looks at the rarest of them. */
  async preferNear(words, found) {
    let rest = MOST_NEAR
    const exact = words.map((w) => ({ at: w.order, entry: w.entries.find((e) => e.term === w.term && e.texts) })).filter((w) => w.entry)
    exact.sort((a, b) => a.entry.positions - b.entry.positions)
    const chosen = exact.filter((w) => (rest -= w.entry.positions) >= 0).sort((a, b) => a.at - b.at)
    if (chosen.length < 2 || found.length < 2) return
    const wanted = new Set(found.map((f) => f.doc))
    const places = await Promise.all(chosen.map((w) => this.positions(w.entry, (d) => wanted.has(d))))
    for (const f of found) {
      let inRow = 0
      for (let i = 1; i < places.length; i++) {
        const gap = chosen[i].at - chosen[i - 1].at
        let nearest = Infinity
        for (const b of places[i].get(f.doc) ?? []) for (const a of places[i - 1].get(f.doc) ?? []) nearest = Math.min(nearest, Math.abs(b - a - gap))
        if (nearest < 7) f.score += 4 / (1 + nearest)
        if (!nearest) inRow++
      }
      f.score += (12 * inRow ** 2) / (places.length - 1)
    }
  }

  /** The documents that answer a query, the best first; `partly` where none has all of its words. */
  async find(query) {
    await this.open()
    const clauses = parse(query)
    const words = []
    const weighed = await Promise.all(
      clauses.map(async (clause) => {
        if (clause.phrase) return this.weighPhrase(clause.phrase)
        const entries = await this.entries(clause.filter ?? clause.term, clause.prefix)
        if (!clause.filter) words.push({ ...clause, entries, order: clauses.indexOf(clause) })
        return this.weigh(entries, clause.filter ?? clause.term)
      }),
    )
    const filters = weighed.filter((_, i) => clauses[i].filter)
    const rest = weighed.filter((_, i) => !clauses[i].filter)
    const gather = (least) => {
      const found = []
      for (let doc = 0; clauses.length && doc < this.about.documents; doc++) {
        if (!filters.every((f) => f[doc])) continue
        let score = 0
        let hits = 0
        let titled = 0
        for (const part of rest) {
          score += part[doc]
          if (part[doc]) hits++
          titled += part.titled?.[doc] ?? 0
        }
        const inTitle = titled > 0 && titled === rest.length
        if (hits >= least) found.push({ doc, inTitle, score: score * (hits / (rest.length || 1)) * (inTitle ? 2 : 1) })
      }
      return found
    }
    let found = gather(rest.length)
    const partly = !found.length && rest.length > 1
    if (partly) found = gather(1)
    else if (!found.some((f) => f.inTitle)) await this.preferNear(words.sort((a, b) => a.order - b.order), found)
    found.sort((a, b) => b.score - a.score || a.doc - b.doc)
    const marks = clauses.flatMap((c, i) => c.phrase ?? (c.filter ? [] : [{ term: c.term, prefix: c.prefix || !words.find((w) => w.order === i)?.entries.some((e) => e.term === c.term) }]))
    return { found, partly, marks }
  }

  /** Title, address, author and date of a document. */
  async record(doc) {
    const { records } = this.about
    const [title, url, author, date, dateText] = (await this.json(`${this.about.folder}/r/${Math.floor(doc / records)}.json`))[doc % records]
    return { title, url, author, date, dateText }
  }

  /** The posts of a thread, from its Markdown: `{ id, text }`. */
  async posts(url) {
    return posts(new TextDecoder().decode(await this.file('../' + url + 'index.md')))
  }
}

// In a thread's Markdown: where a post begins or ends, and the sections that hold what somebody wrote, with the headline before a text.
const SECTIONS = /^(?:> )*(?:<!-- (?:(?:post|reply) (\S+)|\/(?:post|reply)) -->|(?:## (.*)\n>*\n(?:> )*)?<!-- (text|images|video|card|poll)\b.*-->([^]*?)<!-- \/\3 -->)/gm
// In such a section, what readers do not see or nobody wrote: escapes, marks, destinations of links, votes, a card's host.
const SIGNS = /\\([!-/:-@[-`{-~])|\\$|&(amp|lt|#\d+);|!?\[|\]\((?:"[^"]*"|\\.|[^()\\])*\)|\*\*|^(?:> ?|- )*(?:\*(?!\*).*)?| — [^—\n]*<!--.*|<!--.*/gm

/** The posts of a thread, from its Markdown, in their authors' words alone: `{ id, text }`, without id for what stands between posts. */
export function posts(markdown) {
  const posts = []
  let post
  for (const [, id, headline = '', kind, section] of markdown.normalize('NFC').matchAll(SECTIONS)) {
    if (!kind) post = undefined
    if (!post) posts.push((post = { id, text: '' }))
    const part = kind === 'poll' ? section.replace(/^(?!(?:> )*- ).*/gm, '') : section ?? ''
    const words = (headline + '\n' + part).replace(SIGNS, (_, sign = '', name) => (name ? { amp: '&', lt: '<' }[name] ?? ' ' : sign))
    post.text = (post.text + ' ' + words).replace(/\s+/g, ' ').trim()
  }
  return posts.filter((p) => p.text)
}

/** The post that shows the most of what was searched for, cut around it: its id, and pieces of text, marked or not. */
export function excerpt(posts, marks) {
  let best
  for (const { id, text } of posts) {
    const hits = tokens(text).flatMap((t) => {
      const mark = marks.findIndex((m) => (m.prefix ? t.term.startsWith(m.term) : t.term === m.term))
      return mark < 0 || t.tail ? [] : [{ ...t, mark }]
    })
    for (const hit of hits) {
      const near = hits.filter((h) => h.start >= hit.start && h.end < hit.start + 160)
      const score = new Set(near.map((h) => h.mark)).size + near.length / 100 - near.reduce((sum, h, i) => sum + (i ? h.start - near[i - 1].end : 0), 0) / 2000
      if (!best || score > best.score) best = { id, text, hits, score, at: hit.start }
    }
  }
  if (!best) {
    const first = posts.find((p) => p.id)
    return first && { pieces: [{ text: first.text.slice(0, 240) }] }
  }
  const { id, text, hits } = best
  const from = best.at < 60 ? 0 : text.indexOf(' ', best.at - 50) + 1 || best.at
  let start = from < best.at ? from : best.at
  const end = Math.min(text.length, start + 240)
  const pieces = start ? [{ text: '… ' }] : []
  for (const h of hits) {
    if (h.end <= start || h.end > end) continue
    if (h.start > start) pieces.push({ text: text.slice(start, h.start) })
    const last = pieces.at(-1)
    if (last?.marked && h.start <= start) last.text += text.slice(start, h.end)
    else pieces.push({ text: text.slice(Math.max(start, h.start), h.end), marked: true })
    start = h.end
  }
  pieces.push({ text: text.slice(start, end) + (end < text.length ? ' …' : '') })
  return { id, pieces }
}

// The page

const AT_ONCE = 10

const element = (name, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(name), properties)
  node.append(...children)
  return node
}

function start(root) {
  const input = root.querySelector('input')
  const status = root.querySelector('[role=status]')
  const list = root.querySelector('ol')
  const more = root.querySelector('button[data-more]')
  const words = status.dataset
  const index = new Index(async (path) => {
    const answer = await fetch(path, path === 'index.json' ? { cache: 'no-cache' } : {})
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return new Uint8Array(await answer.arrayBuffer())
  })
  let current = 0
  let result

  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        watch.unobserve(target)
        fill(target)
      }
    },
    { rootMargin: '100px' },
  )

  /** Puts the text around the match into a result; it stays without where the thread's Markdown cannot be fetched. */
  async function fill(item) {
    const { url, marks } = item.found
    const found = excerpt(await index.posts(url).catch(() => []), marks)
    if (!found) return
    if (found.id) item.querySelector('a').href = `../${url}#post-${found.id}`
    item.querySelector('.p-summary').replaceChildren(...found.pieces.map((p) => (p.marked ? element('mark', {}, p.text) : p.text)))
  }

  async function items(from) {
    const { found, marks } = result
    const records = await Promise.all(found.slice(from, from + AT_ONCE).map((f) => index.record(f.doc)))
    return records.map(({ title, url, author, date, dateText }) => {
      const heading = element('h2', { className: 'p-name', dir: 'auto' }, element('a', { className: 'u-url', href: `../${url}` }, title))
      const meta = element('p', { className: 'meta' }, element('span', { dir: 'auto' }, author))
      if (date) meta.append(' ', element('time', { dateTime: date }, dateText))
      const text = element('p', { className: 'p-summary', dir: 'auto' })
      return Object.assign(element('li', { className: 'h-entry' }, heading, meta, text), { found: { url, marks } })
    })
  }

  function show(nodes) {
    nodes.forEach((node) => watch.observe(node))
    more.hidden = list.children.length >= result.found.length
  }

  const say = (text, count = 0) => (status.textContent = text.replace('{n}', count.toLocaleString(document.documentElement.lang)))

  async function search() {
    const query = input.value
    const mine = ++current
    history.replaceState(null, '', query.trim() ? '?q=' + encodeURIComponent(query) : location.pathname)
    try {
      const answer = await index.find(query)
      if (mine !== current) return
      result = answer
      const nodes = await items(0)
      if (mine !== current) return
      list.replaceChildren(...nodes)
      show(nodes)
      const count = result.found.length
      if (!query.trim()) say('')
      else say(!count ? words.none : result.partly ? words.partly : count === 1 ? words.one : words.many, count)
    } catch (error) {
      if (mine === current) say(words.failed)
      console.warn(error)
    }
  }

  let timer
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(search, 120)
  })
  root.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(timer)
    search()
  })
  more.addEventListener('click', async () => {
    const nodes = await items(list.children.length)
    list.append(...nodes)
    show(nodes)
    nodes[0]?.querySelector('a').focus()
  })
  input.value = new URLSearchParams(location.search).get('q') ?? ''
  root.hidden = false
  input.focus()
  if (input.value) search()
}

if (globalThis.document) start(document.getElementById('search'))
