// Search without a server: reads the index that threadsite wrote beside this page, a few files for each query.
// docs/reference/search.md describes the index and what readers can ask. Text is cut into terms exactly as in Sources/SearchIndex;
// both are tested with the same cases.
//
// What is searched was written by strangers, so all of it takes time in proportion to its input: in a regular expression no
// two ways lead through the same text, and what it has read it never gives back.

const LETTERS = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ' }
const DROPPED = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]/g
const WORDS = /[\p{L}\p{N}\p{M}_]+/gu
const IDEOGRAPHS = /([\u3005-\u3007\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}]+)/u
const CHARACTERS = /.[\uff9e\uff9f]?/gsu // with the mark that makes half-width kana voiced
const MANY_MARKS = /(\p{M}{32,})/u

/** Text as it is compared (NFC), but for heaps of marks on one letter, which would take long to sort and are dropped anyway. */
const compose = (text) => text.split(MANY_MARKS).map((part, n) => (n % 2 ? part : part.normalize('NFC'))).join('')

const folded = new Map()

/** A character as words are compared: without case, accents and width. */
function fold(char) {
  if (!folded.has(char)) {
    const letters = char.normalize('NFKD').toLowerCase().replace(DROPPED, '').replace(/./gu, (c) => LETTERS[c] ?? c)
    folded.set(char, letters.normalize('NFC'))
  }
  return folded.get(char)
}

/** The terms of a composed (NFC) text: `{ term, position, start, end }`. */
export function tokens(text) {
  const found = []
  const starts = [] // of each unit of the folded text, in the text
  const ends = []
  let all = ''
  for (const { 0: char, index } of text.matchAll(CHARACTERS)) {
    all += fold(char)
    while (starts.length < all.length) {
      starts.push(index)
      ends.push(index + char.length)
    }
  }
  let position = 0
  const add = (term, at) =>
    found.push({ term: [...term.slice(0, 64)].slice(0, 32).join(''), position, start: starts[at], end: ends[at + term.length - 1] })
  for (let { 0: word, index: at } of all.matchAll(WORDS)) {
    for (const [n, piece] of word.split(IDEOGRAPHS).entries()) {
      const isRun = n % 2
      const parts = [...piece.matchAll(isRun ? /./gu : /[^_]+/g)]
      const last = parts.at(-1)
      if (!isRun && parts.length > 1) add(piece.slice(parts[0].index, last.index + last[0].length), at + parts[0].index)
      parts.forEach((part, i) => {
        add(part[0] + (isRun && i + 1 < parts.length ? parts[i + 1][0] : ''), at + part.index)
        position++
      })
      at += piece.length
    }
  }
  return found
}

const MOST_WORDS = 32 // of a query; those behind them do not count

/** A query as clauses: terms that stand in a row, or the whole name of a filter; `not` where documents with them are left out. */
export function parse(query) {
  const clauses = []
  let room = MOST_WORDS
  const text = compose(query)
  for (const { index, 1: minus, 2: field, 3: quoted, 4: plain } of text.matchAll(/(-)?(?:(from|tag):)?(?:["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+))/giu)) {
    if (!room) break
    const words = quoted ?? plain
    const not = !!minus && !/\S/.test(text[index - 1] ?? ' ')
    if (field) {
      const name = words.replace(CHARACTERS, fold).match(WORDS)?.join('')
      if (name) clauses.push({ not, filter: true, terms: [{ term: (/t/i.test(field) ? '#' : '@') + name }] })
      if (name) room--
      continue
    }
    // The last ideograph of a run is part of the pair before it.
    const terms = tokens(words).filter((t, i, all) => t.end !== all[i - 1]?.end).slice(0, room)
    room -= terms.length
    if (quoted === undefined && !not) clauses.push(...terms.map((t) => ({ terms: [t] })))
    else if (terms.length) clauses.push({ not, quoted: quoted !== undefined, terms })
  }
  // The last word may not have been typed to its end.
  const last = clauses.at(-1)
  if (last && !last.filter && !last.not) last.typing = /[\p{L}\p{N}\p{M}]$/u.test(query)
  return clauses
}

/** Whether one mistake of typing (a letter more, less, another, or two exchanged) leads from a word to another, or to `beginning`s of it. */
function isOneMistake(typed, term, beginning) {
  let same = 0
  while (same < typed.length && typed[same] === term[same]) same++
  // How many letters of either the mistake takes up.
  const ways = [[1, 1], [0, 1], [1, 0]]
  if (same + 1 < typed.length && typed[same] === term[same + 1] && typed[same + 1] === term[same]) ways.push([2, 2])
  return ways.some(([left, right]) => {
    const [rest, other] = [typed.slice(same + left), term.slice(same + right)]
    return beginning ? rest && other.startsWith(rest) : rest === other
  })
}

/** Reads numbers (LEB128) and bytes, one after the other. */
class Reader {
  constructor(bytes, at) {
    Object.assign(this, { bytes, at })
  }
  take(count) {
    return this.bytes.subarray(this.at, (this.at += count))
  }
  next() {
    if (!(this.at < this.bytes.length)) throw new Error(DAMAGED)
    const byte = this.bytes[this.at++]
    return byte < 128 ? byte : byte - 128 + 128 * this.next()
  }
}

const decode = (bytes) => new TextDecoder().decode(bytes)
const sum = (list, value) => list.reduce((sum, item) => sum + value(item), 0)

const DAMAGED = 'The search index is damaged.'
const MOST_DOCUMENTS = 1e7
const MOST_FORMS = 24 // terms that a beginning of a word stands for
const MOST_SHARDS = 3 // files of the dictionary read for one
const LEAST_SIMILAR = 4 // letters of a word in which a mistake is looked for
const MOST_SIMILAR = 4 // terms that such a word stands for
const MOST_SIMILAR_SHARDS = 12 // files of the dictionary read for one
const MOST_NEAR = 24576 // bytes of positions read to prefer words that stand together

export class Index {
  files = new Map()

  /** `read(path)` gives a file beside the search page as bytes. */
  constructor(read) {
    this.read = read
  }

  file(path) {
    if (!this.files.has(path)) {
      const bytes = this.read(path)
      bytes.catch(() => this.files.delete(path))
      this.files.set(path, bytes)
    }
    return this.files.get(path)
  }

  async json(path) {
    return JSON.parse(decode(await this.file(path)))
  }

  async reader(path, at = 0) {
    return new Reader(await this.file(path), at)
  }

  /**
   * Returns the result of an action that reads the index. If an index that was read before fails, the action is repeated with a new one, because a
   * site that is published again has files of other names.
   */
  async retried(action) {
    const { about } = this
    try {
      return await action()
    } catch (error) {
      // Another search may have replaced it already.
      if (!about || this.about === about) this.forget()
      if (!about) throw error
    }
    return action()
  }

  /** Makes the next search read the index again. */
  forget() {
    this.about = undefined
    this.files.delete('index.json')
  }

  /** The terms in a file of the dictionary: in how many documents, and where to read more. */
  async shard(number) {
    const name = `${this.about.files[number]}.bin`
    const path = `d/${name}`
    const reader = await this.reader(path)
    const entries = []
    let term = ''
    let at = 0
    while (reader.at < reader.bytes.length) {
      term = term.slice(0, reader.next()) + decode(reader.take(reader.next()))
      const entry = { term, count: reader.next(), titled: reader.next(), size: reader.next() }
      const own = reader.next()
      if (own & 1) entry.postings = [`t/${decode(reader.take(10))}.bin`]
      else {
        const length = reader.next()
        entry.postings = [path, reader.at]
        reader.at += length
      }
      if (own & 2) entry.positions = [`w/${decode(reader.take(10))}.bin`]
      else {
        entry.positions = [`p/${name}`, at]
        at += entry.size
      }
      entries.push(entry)
    }
    return entries
  }

  /** The file of the dictionary that a term is in, if it is in any. */
  shardOf(term) {
    return Math.max(0, this.about.shards.findLastIndex((first) => first <= term))
  }

  /** The forms of a word: its own entry or, where it is still typed or has none, those that begin with it; `literal`ly its own alone. */
  async forms(term, typing, literal) {
    const { shards } = this.about
    const first = this.shardOf(term)
    const entries = shards.length ? await this.shard(first) : []
    const exact = entries.find((e) => e.term === term)
    // Ideographs are in pairs, one alone is the beginning of some.
    const isPart = [...term].length === 1 && IDEOGRAPHS.test(term)
    if (!isPart && (literal || (exact && !typing))) return exact ? [exact] : []
    const last = Math.min(this.shardOf(term + '\uffff'), first + MOST_SHARDS - 1)
    const more = Array.from({ length: Math.max(0, last - first) }, (_, n) => this.shard(first + 1 + n))
    entries.push(...(await Promise.all(more)).flat())
    const size = (e) => (e === exact ? Infinity : e.count)
    return entries.filter((e) => e.term.startsWith(term)).sort((a, b) => size(b) - size(a)).slice(0, term[2] ? MOST_FORMS : 4)
  }

  /**
   * Terms that somebody may have meant who typed a word that no document has: one mistake away from it or, where there are none, from their
   * beginning. Numbers are meant as they are.
   */
  async similar(term) {
    const sign = /^[#@]/.test(term) ? 1 : 0
    const length = term.length - sign
    if (length < LEAST_SIMILAR || IDEOGRAPHS.test(term) || /\p{N}/u.test(term)) return []
    // Files in which what is the same up to the mistake may go on in any way: fewer, the later it is. Before that, letters are tried.
    const { shards } = this.about
    const files = new Set()
    let at = term.length
    for (; at >= sign; at--) {
      const [first, last] = [this.shardOf(term.slice(0, at)), this.shardOf(term.slice(0, at) + '\uffff')]
      if (last - first >= MOST_SIMILAR_SHARDS) break
      for (let shard = first; shard <= last; shard++) files.add(shard)
    }
    const letters = at < sign ? [] : [...new Set(shards.join('').match(/\p{L}/gu))]
    for (; at >= sign; at--) {
      const [before, char, rest] = [term.slice(0, at), term[at] ?? '', term.slice(at + 1)]
      const tries = [rest, rest.slice(0, 1) + char + rest.slice(1), ...letters.flatMap((letter) => [letter + rest, letter + char + rest])]
      for (const tried of tries) if (files.size < MOST_SIMILAR_SHARDS) files.add(this.shardOf(before + tried))
    }
    const entries = (await Promise.all([...files].map((shard) => shards.length ? this.shard(shard) : []))).flat()
    const near = (beginning) => entries.filter((e) => e.term.length > sign && e.term.startsWith(term.slice(0, sign)) && isOneMistake(term, e.term, beginning))
    let found = near(false)
    if (!found.length && length > LEAST_SIMILAR) found = near(true)
    return found.sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1)).slice(0, MOST_SIMILAR)
  }

  /** Reads which documents have a term, and how much it counts in each: 0 to 7 in a text, 8 to 15 in a title, tag or author. */
  async load(entry) {
    const reader = await this.reader(...entry.postings)
    const docs = []
    if (reader.next()) {
      const bits = reader.take((this.about.documents + 7) >> 3)
      for (let doc = 0; doc < this.about.documents; doc++) if ((bits[doc >> 3] >> (doc & 7)) & 1) docs.push(doc)
    } else for (let doc = -1; docs.length < entry.count; ) docs.push((doc += reader.next()))
    const levels = reader.take((docs.length + 1) >> 1)
    entry.docs = docs
    entry.levels = docs.map((_, n) => (levels[n >> 1] >> (n % 2 ? 4 : 0)) & 15)
  }

  /** Where a term stands: a map from document to positions. */
  async positions(entry) {
    const reader = await this.reader(...entry.positions)
    return new Map(
      entry.docs.map((doc) => {
        let at = 0
        return [doc, Array.from({ length: reader.next() }, () => (at += reader.next()))]
      }),
    )
  }

  /** Works out what each document gets for a clause, and for each of its words which have it in their title, tags or author. */
  async weigh(clause) {
    const { documents } = this.about
    const rarity = (count) => Math.log(1 + Math.max(0.5, documents - count + 0.5) / (count + 0.5))
    clause.scores = new Float32Array(documents)
    clause.words = await Promise.all(
      clause.terms.map(async ({ term, position }) => {
        let forms = await this.forms(term, clause.typing && !clause.terms[1], clause.not)
        const isMistake = !forms.length && !clause.quoted && !clause.not
        if (isMistake) forms = await this.similar(term)
        await Promise.all(forms.map((form) => this.load(form)))
        const [text, title] = [rarity(sum(forms, (f) => f.count)) * 0.275, rarity(sum(forms, (f) => f.titled)) * 0.4]
        const best = new Float32Array(documents)
        const titled = new Set()
        for (const form of forms) {
          const share = form.term === term ? 1 : isMistake ? 0.6 : Math.max(0.27, (term.length / form.term.length) * 0.9)
          form.docs.forEach((doc, n) => {
            const level = form.levels[n]
            if (level > 7) titled.add(doc)
            best[doc] = Math.max(best[doc], share * (level > 7 ? (level - 4) * title : (level + 1) * text))
          })
        }
        best.forEach((score, doc) => (clause.scores[doc] += score))
        return { term, position, titled, forms, isMistake, exact: forms.find((f) => f.term === term) }
      }),
    )
    if (clause.terms[1]) await this.keepPhrases(clause)
  }

  /** Leaves those documents in which all words of a phrase stand in a row. */
  async keepPhrases({ words, scores }) {
    const places = await Promise.all(words.map(({ exact }) => (exact ? this.positions(exact) : new Map())))
    scores.forEach((score, doc) => {
      if (!score) return
      const [first, ...others] = places.map((place) => new Set(place.get(doc)))
      const stands = (at) => others.every((other, i) => other.has(at + words[i + 1].position - words[0].position))
      const times = [...first].filter(stands).length
      scores[doc] *= times ? 1 + Math.min(times, 4) / 4 : 0
    })
  }

  /** Prefers documents in which words stand as near to each other as in the query; looks at the rarest. */
  async preferNear(clauses, found) {
    let rest = MOST_NEAR
    const exact = clauses.map(({ words: [{ exact }] }, at) => ({ at, exact })).filter((w) => w.exact)
    exact.sort((a, b) => a.exact.size - b.exact.size)
    const chosen = exact.filter((w) => (rest -= w.exact.size) >= 0).sort((a, b) => a.at - b.at)
    if (chosen.length < 2 || found.length < 2) return
    const places = await Promise.all(chosen.map((w) => this.positions(w.exact)))
    for (const f of found) {
      let inRow = 0
      for (let i = 1; i < places.length; i++) {
        const [before, after] = [places[i - 1].get(f.doc) ?? [], places[i].get(f.doc) ?? []]
        const gap = chosen[i].at - chosen[i - 1].at
        let nearest = Infinity
        let last = 0 // of those before that are not too late
        for (const b of after) {
          while (before[last + 1] <= b - gap) last++
          for (const a of before.slice(last, last + 2)) nearest = Math.min(nearest, Math.abs(b - a - gap))
        }
        if (nearest < 7) f.score += 4 / (1 + nearest)
        if (!nearest) inRow++
      }
      f.score += (12 * inRow ** 2) / (places.length - 1)
    }
  }

  /**
   * The documents that answer a query, the best first; `partly` where none has all of its words; `corrected` with the words that none has, and
   * those that were looked for in their place; `marks`, the forms of each word.
   */
  async find(query) {
    this.about ??= await this.json('index.json')
    if (this.about.version !== 4) throw new Error('This script and the index do not belong together.')
    if (!(this.about.documents <= MOST_DOCUMENTS)) throw new Error(DAMAGED)
    const clauses = parse(query)
    await Promise.all(clauses.map((c) => this.weigh(c)))
    const unwanted = clauses.filter((c) => c.not)
    const filters = clauses.filter((c) => c.filter && !c.not)
    const words = clauses.filter((c) => !c.filter && !c.not)
    const gather = (least) => {
      const found = []
      for (let doc = 0; clauses.length && doc < this.about.documents; doc++) {
        const hits = words.filter((c) => c.scores[doc])
        if (hits.length < least || !filters.every((c) => c.scores[doc]) || unwanted.some((c) => c.scores[doc])) continue
        const inTitle = hits.length === words.length && hits.every((c) => c.words.every((w) => w.titled.has(doc)))
        found.push({ doc, inTitle, score: sum(hits, (c) => c.scores[doc]) * hits.length * (inTitle ? 2 : 1) / (words.length || 1) })
      }
      return found
    }
    let found = gather(words.length)
    const partly = !found.length && words.length > 1
    if (partly) found = gather(1)
    else if (!found.some((f) => f.inTitle)) await this.preferNear(words, found)
    found.sort((a, b) => b.score - a.score || b.doc - a.doc)
    const marks = words.flatMap((c) => c.words.map((w) => new Set(w.forms.map((f) => f.term))))
    const corrected = [...filters, ...words].flatMap((c) => c.words).filter((w) => w.isMistake && w.forms.length)
    const name = (term) => term.replace(/^[#@]/, '')
    return { found, partly, marks, corrected: corrected.map((w) => ({ typed: name(w.term), found: w.forms.map((f) => name(f.term)) })) }
  }

  /** Title, address, author and date of a document. */
  async record(doc) {
    const { records, folder, folders } = this.about
    const path = `${folders[Math.floor(doc / folder)]}/${Math.floor(doc / records)}.json`
    const [title, url, author, date, dateText] = (await this.json(path))[doc % records]
    return { title, url, author, date, dateText }
  }

  /** The posts of the thread at an address. */
  async posts(url) {
    return posts(decode(await this.file(`../${url}`)))
  }
}

// In a thread's page: tags and text. Texts and values of attributes contain neither `<` nor `>`.
const TAGS = /<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])([^<>]*)>|[^<]+|</g
const BODY = /<(?:header class="thread-header"|section class="post")/
const VOID = /^(?:area|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
const INLINE = /^(?:a|b|code|em|i|img|span|strong)$/
// Classes of what somebody wrote, apart from names, dates and notes around it, and of what is not shown, or is shown twice.
const SAID = /^(?:note )?(post-text|images|video|audio|card|poll|introduction|afterword|remark)\b/
const UNSAID = /^(?:warning|large|dash|votes)$/

const unescaped = (text) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name])
const ATTRIBUTES = Object.fromEntries(['alt', 'aria-label', 'class', 'id'].map((name) => [name, new RegExp(` ${name}="([^"]*)"`)]))
const attribute = (attributes, name) => unescaped(ATTRIBUTES[name].exec(attributes)?.[1] ?? '')

/**
 * The posts of a thread, from its page, in their authors' words alone: `{ id, text }`, without id for what stands between posts. What somebody
 * warned of is found, and not shown.
 */
export function posts(html) {
  const posts = [{ words: [] }]
  const open = [] // the open elements; each has the kind of the section that it is in, and whether its text is said
  let heading = '' // the id of the header, which is that of the first post
  let headline = '' // the one that may belong to the next section
  const say = (text) => posts.at(-1).words.push(text)
  const body = html.search(BODY)
  for (const [text, end, name, attributes] of body < 0 ? [] : html.slice(body).matchAll(TAGS)) {
    const around = open.at(-1) ?? {}
    if (!name) {
      if (around.isSaid) say(unescaped(text))
      else if (around.isHeadline) headline += unescaped(text)
      else if (text.trim()) headline = ''
      continue
    }
    if (around.isSaid && !INLINE.test(name)) say(' ')
    if (end) {
      if (!open.length) break // the end of what the page has around the thread
      if (around.name !== name) continue
      open.pop()
      if (around.isPost) posts.push({ words: [] })
      continue
    }
    const classes = attribute(attributes, 'class')
    const kind = SAID.exec(classes)?.[1] ?? around.kind
    const isSection = kind !== around.kind
    const isUnsaid = around.isUnsaid || UNSAID.test(classes) || /^(?:audio|button|video)$/.test(name) || (kind === 'card' && name === 'em')
    if (name === 'img' && around.isSaid) say(attribute(attributes, 'alt'))
    if (name === 'video' && around.isSaid && !around.lacksText) say(attribute(attributes, 'aria-label'))
    if (VOID.test(name) || attributes.endsWith('/')) continue
    const isPost = classes === 'post' || classes === 'reply'
    if (isPost) posts.push({ id: (attribute(attributes, 'id') || heading).replace('post-', ''), words: [] })
    if (classes === 'thread-header') heading = attribute(attributes, 'id')
    const isSaid = !isUnsaid && (kind === 'poll' ? name === 'li' || (around.isSaid ?? false) : Boolean(kind))
    const isHeadline = !isSaid && (around.isHeadline || name === 'h2' || name === 'h3')
    if (isSection && isSaid) say(`${headline} `)
    if (!around.isHeadline) headline = ''
    open.push({ name, kind, isPost, isSaid, isUnsaid, isHeadline, lacksText: /\bno-alt\b/.test(classes) })
  }
  return posts.map(({ id, words }) => ({ id, text: compose(words.join('')).replace(/\s+/g, ' ').trim() })).filter((p) => p.text)
}

/** The last place up to `end` at which a text that is shown from `start` may be cut: between words, else between what readers see as characters. */
function lastCut(text, start, end) {
  if (end >= text.length) return text.length
  const space = text.lastIndexOf(' ', end)
  if (space > start && space > end - LONGEST_WORD) return space
  for (const granularity of globalThis.Intl?.Segmenter ? ['word', 'grapheme'] : []) {
    let cut = start
    for (const { index } of new Intl.Segmenter(undefined, { granularity }).segment(text.slice(start, end + LONGEST_WORD))) {
      if (start + index > end) break
      cut = start + index
    }
    if (cut > start && cut > end - LONGEST_WORD) return cut
  }
  return end - /[\udc00-\udfff]/.test(text[end])
}

/** The first place from `start` on at which the text before a match may begin; `at`, the match, where there is none. */
function firstCut(text, start, at) {
  if (!globalThis.Intl?.Segmenter) return at
  // The first piece may be half of one.
  const pieces = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.slice(start, at))].slice(1)
  return start + (pieces.find((p) => p.isWordLike)?.index ?? at - start)
}

const LONGEST_WORD = 60 // longer ones may be cut
const BEFORE = 30 // units of text before a match, at least
const MOST_BEFORE = 90
const SHOWN = 240 // units of an excerpt, at most

/** Pieces of a text from `start` to `end`, marked or not. */
function pieces(text, hits, start = 0, end = text.length) {
  const pieces = []
  let at = start
  for (const h of hits) {
    if (h.start < at || h.end > end) continue
    pieces.push({ text: text.slice(at, h.start) }, { text: text.slice(h.start, h.end), marked: true })
    at = h.end
  }
  pieces.push({ text: text.slice(at, end) })
  return pieces.filter((p) => p.text)
}

/** Of each form of the words that were searched for, which of them it is a form of. */
function formsOf(marks) {
  const markOf = new Map()
  marks.forEach((terms, mark) => terms.forEach((term) => markOf.has(term) || markOf.set(term, mark)))
  return markOf
}

/** A title in pieces, marked where it has what was searched for. */
export function marked(title, marks) {
  const markOf = formsOf(marks)
  const text = compose(title)
  return pieces(text, tokens(text).filter((t) => markOf.has(t.term)))
}

/** The post that shows the most of what was searched for, cut around it: its id, and pieces of text, marked or not. */
export function excerpt(posts, marks) {
  const markOf = formsOf(marks)
  let best
  for (const { id, text } of posts) {
    const hits = tokens(text).filter((t) => markOf.has(t.term))
    const near = marks.map(() => 0) // how often each word stands within reach
    let different = 0
    let next = 0 // the first out of reach
    hits.forEach(({ start, term }, i) => {
      for (; hits[next]?.start < start + 150; next++) if (!near[markOf.get(hits[next].term)]++) different++
      const score = different + (next - i) / 100 - (hits[next - 1].end - start) / 1000
      if (!best || score > best.score) best = { id, text, hits, score, at: start }
      if (!--near[markOf.get(term)]) different--
    })
  }
  best ??= { text: posts.find((p) => p.id)?.text, hits: [], at: 0 }
  const { id, text = '', hits, at } = best
  const space = text.lastIndexOf(' ', at - BEFORE) + 1
  const start = at - space < MOST_BEFORE ? space : firstCut(text, at - LONGEST_WORD, at)
  const end = lastCut(text, start, start + SHOWN)
  return { id, pieces: [...(start ? [{ text: '… ' }] : []), ...pieces(text, hits, start, end), ...(end < text.length ? [{ text: ' …' }] : [])] }
}

/** The words for a state (`none`, `partly`, `failed`) or, without one, for a number of results; those that count have plural forms. */
export function message(words, language, count, state) {
  const form = new Intl.PluralRules(language).select(count)
  const names = state === 'partly' ? [`partly${form[0].toUpperCase()}${form.slice(1)}`, 'partlyOther'] : state ? [state] : [form, 'other']
  const name = names.find((name) => name in words)
  return (words[name] ?? '').replace('{n}', new Intl.NumberFormat(language).format(count))
}

/** What is said of words that are in no thread, each with those that were looked for in its place. */
export function correction(words, language, corrected) {
  // What readers typed may run in the other direction than the page's words.
  const isolate = (text) => `\u2068${text}\u2069`
  const list = new Intl.ListFormat(language, { type: 'disjunction' })
  const say = ({ typed, found }) => (words.corrected ?? '').replace(/\{(typed|found)\}/g, (_, name) => (name === 'typed' ? isolate(typed) : list.format(found.map(isolate))))
  return corrected.map(say).join(' ')
}

// The page

const AT_ONCE = 10

const element = (name, properties, ...children) => {
  const node = Object.assign(document.createElement(name), properties)
  node.append(...children)
  return node
}

const nodes = (pieces) => pieces.map((p) => (p.marked ? element('mark', {}, p.text) : p.text))

function start(root) {
  const [form, input, status, list, more] = ['form', 'input', '[role=status]', 'ol', 'button[data-more]'].map((s) => root.querySelector(s))
  const index = new Index(async (path) => {
    const answer = await fetch(path, { cache: path === 'index.json' ? 'no-cache' : 'default' })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return new Uint8Array(await answer.arrayBuffer())
  })
  let current = 0
  let timer
  let result

  /** Puts the text around the match into a result, which stays without where the thread's page cannot be fetched. */
  async function fill(item) {
    const { url, marks } = item.found
    const { id, pieces } = excerpt(await index.posts(url).catch(() => []), marks)
    if (id) item.querySelector('a').href = `../${url}#post-${id}`
    item.lastChild.append(...nodes(pieces))
  }

  const watch = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (!isIntersecting) continue
        watch.unobserve(target)
        fill(target)
      }
    },
    { rootMargin: '100px' },
  )

  /** The author of a result. A site with one author names nobody. */
  const byline = (author) => ('authors' in list.dataset && author ? [element('span', {}, element('bdi', {}, author)), ' '] : [])

  async function items({ found, marks }, from) {
    const records = await Promise.all(found.slice(from, from + AT_ONCE).map((f) => index.record(f.doc)))
    return records.map(({ title, url, author, date, dateText }) =>
      Object.assign(
        element(
          'li',
          { className: 'h-entry' },
          element('h2', { className: 'p-name', dir: 'auto' }, element('a', { className: 'u-url', href: `../${url}` }, ...nodes(marked(title, marks)))),
          element('p', { className: 'meta' }, ...byline(author), date && element('time', { dateTime: date }, dateText)),
          element('p', { className: 'p-summary', dir: 'auto' }),
        ),
        { found: { url, marks } },
      ),
    )
  }

  function show(items) {
    list.append(...items)
    for (const item of items) watch.observe(item)
    more.hidden = list.children.length >= result.found.length
  }

  // The language of a site may be one that `Intl` does not know.
  let language = document.documentElement.lang || undefined
  try {
    new Intl.PluralRules(language)
  } catch {
    language = undefined
  }
  const say = (state, count = 0, corrected = []) => {
    status.textContent = [message(status.dataset, language, count, state), correction(status.dataset, language, corrected)].filter(Boolean).join(' ')
  }

  /** The number of failures to load more results of this search. */
  let failures = 0

  /** Says how many results there are. */
  function tell() {
    const count = result.found.length
    if (!input.value.trim()) status.textContent = ''
    else say(!count ? 'none' : result.partly ? 'partly' : undefined, count, count ? result.corrected : [])
  }

  async function search() {
    clearTimeout(timer)
    const query = input.value
    const mine = ++current
    try {
      history.replaceState(null, '', query.trim() ? `?${new URLSearchParams({ q: query })}` : location.pathname)
    } catch {
      // WebKit limits the number of changes per time.
    }
    try {
      const [answer, first] = await index.retried(async () => {
        const answer = await index.find(query)
        return [answer, mine === current ? await items(answer, 0) : []]
      })
      if (mine !== current) return
      result = answer
      list.replaceChildren()
      show(first)
      tell()
      failures = 0
    } catch (error) {
      if (mine === current) say('failed')
      console.warn(error)
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(search, 120)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    search()
  })
  more.addEventListener('click', async () => {
    const [mine, from] = [current, list.children.length]
    try {
      const next = await items(result, from)
      // A second press while the first one's are read asks for the same; another search has other results.
      if (mine !== current || list.children.length !== from) return
      show(next)
      tell()
      failures = 0
      next[0]?.querySelector('a').focus()
    } catch (error) {
      console.warn(error)
      if (mine !== current) return
      say('failed')
      // After a new publication, the numbers of the results may be those of other threads, so a second failure begins the search again.
      if (failures++) {
        index.forget()
        search()
      }
    }
  })
  input.value = new URLSearchParams(location.search).get('q') ?? ''
  root.hidden = false
  input.focus()
  if (input.value) search()
}

if (globalThis.document) start(document.getElementById('search'))
