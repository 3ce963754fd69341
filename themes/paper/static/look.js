// The reader's choices for the look of pages, the buttons that copy and share a page's URL, and comforts of reading: keys, the place where
// the reader stopped, copied quotes with their place, and steps from picture to picture. The script in the head of the page, head.js,
// applies the choices to the first paint; this one changes them. Nothing is fetched, and what is kept stays in the browser.

const root = document.documentElement
const look = { scheme: 'auto', size: '100', face: 'auto', keys: 'on' }
const one = (selector) => document.querySelector(selector)
const word = (index) => one('.look')?.dataset.words?.split('|')[index] ?? ''
const all = (selector, action) => document.querySelectorAll(selector).forEach(action)

/** Applies the choices to the page, its buttons and the browser's bars. */
function show() {
  Object.assign(root.dataset, look)
  const { scheme, size } = look
  const isAuto = scheme === 'auto'
  root.style.colorScheme = isAuto ? '' : scheme
  root.style.fontSize = size === '100' ? '' : size + '%'
  all('[name=theme-color][media]', (meta) => {
    meta.usual ??= meta.media
    meta.media = isAuto ? meta.usual : meta.usual.includes(scheme) ? 'all' : 'not all'
  })
  all('.look button[value]', (button) => button.setAttribute('aria-pressed', look[button.name] === button.value))
  all('[name=copy]', (button) => { button.hidden = !navigator.clipboard })
  all('[name=share]', (button) => { button.hidden = !navigator.share })
}

/** Reads the choices that this or another page of the site has kept. */
function read() {
  try {
    const kept = JSON.parse(localStorage.threadsite)
    for (const name in look) look[name] = kept[name] ?? look[name]
  } catch {
    // Nothing is kept, or the browser keeps nothing.
  }
  show()
}

/** The buttons in the box of choices, in the order of their words: the name of each group, and its values. */
const CHOICES = [['scheme', 'auto', 'light', 'dark'], ['size', '88', '100', '117', '138'], ['face', 'auto', 'serif', 'sans'], ['keys', 'on', 'off']]

/** Adds the buttons to the box of choices. They are not in the page, because they have no function without scripts. */
function addChoices() {
  const box = one('.look')
  const words = box?.dataset.choices?.split('|')
  if (!words) return
  const groups = CHOICES.map(([name, ...values]) => {
    const group = element('p', '', { role: 'group', ariaLabel: words.shift() })
    for (const value of values) group.append(element('button', words.shift(), { type: 'button', name, value }))
    return group
  })
  const keys = groups.at(-1)
  keys.className = 'by-keys'
  keys.append(element('button', '?', { type: 'button', name: 'help', ariaLabel: word(3) }))
  box.appendChild(element('div', '')).append(...groups)
}

/** Closes the open box; returns it, or `null`. */
function close() {
  const box = one('.look[open], .share[open]')
  if (box) box.open = false
  return box
}

const url = () => one('[rel=canonical]')?.href ?? location.href.split('#')[0]

function copy(button) {
  const status = button.parentElement.querySelector('[role=status]')
  status.textContent = ''
  navigator.clipboard.writeText(url()).then(
    () => { status.textContent = button.dataset.done },
    () => prompt(button.textContent, url()))
}

for (const event of ['pageshow', 'storage']) addEventListener(event, read)
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') close()?.firstElementChild.focus()
})
addEventListener('click', ({ target }) => {
  const button = target.closest('button')
  if (!target.closest('.look, .share')) close()
  else if (button?.value && target.closest('.look')) {
    look[button.name] = button.value
    try {
      localStorage.threadsite = JSON.stringify(look)
    } catch {
      // The choice applies to this page only.
    }
    show()
  }
  if (button?.name === 'share') navigator.share({ title: document.title, url: url() }).catch(() => {})
  if (button?.name === 'copy') copy(button)
  if (button?.name === 'help') help()
})

// Keys

const RTL = root.dir === 'rtl'

function element(name, text, properties) {
  return Object.assign(document.createElement(name), { textContent: text }, properties)
}

/** Shows the list of keys. */
function help() {
  const dialog = element('dialog', '', { className: 'keys', ariaLabel: word(3) })
  const list = dialog.appendChild(element('dl', ''))
  for (const [index, keys] of ['j k', '← →', '/', '?'].entries()) {
    const term = list.appendChild(element('dt', ''))
    for (const key of keys.split(' ')) term.append(element('kbd', key), ' ')
    list.append(element('dd', word(4 + index)))
  }
  const button = dialog.appendChild(element('button', word(8), { type: 'button' }))
  button.onclick = () => dialog.close()
  dialog.onclose = () => dialog.remove()
  document.body.append(dialog)
  dialog.showModal()
}

let reached = { item: null, time: 0 }

/** Goes to the next or the previous post, or in a list to the next or the previous thread. */
function step(by) {
  const items = [...document.querySelectorAll('.e-content .post, .reply, .thread-list > .h-entry')].filter((item) => item.checkVisibility())
  const top = (item) => item.getBoundingClientRect().top - (parseFloat(getComputedStyle(item).scrollMarginTop) || 0)
  const bottom = (item) => item.getBoundingClientRect().bottom
  // The page may still scroll to the item that was reached last.
  const isHere = (item) => item === reached.item && Date.now() - reached.time < 1500 || bottom(item) > 0 && top(item) < innerHeight
  const now = items.findIndex((item) => item.contains(document.activeElement) && isHere(item))
  const next = now >= 0 ? now + by : by > 0 ? items.findIndex((item) => top(item) > 2) : items.findLastIndex((item) => top(item) < -2)
  if (!items[next]) return
  reached = { item: items[next], time: Date.now() }
  items[next].scrollIntoView()
  const link = items[next].querySelector(':scope > .permalink a, h2 a') ?? items[next].querySelector('a')
  link?.focus({ preventScroll: true })
}

addEventListener('keydown', (event) => {
  const { key, target } = event
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return
  const forward = key === (RTL ? 'ArrowLeft' : 'ArrowRight')
  const arrow = forward || key === (RTL ? 'ArrowRight' : 'ArrowLeft')
  if (arrow && shown()) return event.preventDefault(), picture(forward ? 1 : -1)
  if (look.keys !== 'on' || one('dialog[open]') || target.closest?.('input, textarea, select, [contenteditable], audio, video, pre, .table, .jump')) return
  // Without a link, arrows scroll an enlarged page sideways.
  const link = arrow && !event.shiftKey && one(`:is(.neighbours, .pagination) [rel=${forward ? 'next' : 'prev'}]`)
  if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1)
  else if (link) link.click()
  else if (key === '/') {
    const url = one('[rel=search]:not([type])')?.href
    if (!url) return
    const field = one('#search-words')
    if (field) field.focus()
    else location.href = url
  } else if (key === '?') help()
  else return
  event.preventDefault()
})

// The picture view

const shown = () => CSS.supports('selector(:popover-open)') ? one('.large:popover-open') : null

/** Chrome had another name for the option before version 121. */
const isVisible = (node) => node.checkVisibility?.({ visibilityProperty: true, checkVisibilityCSS: true }) ?? true

/** The buttons that enlarge the pictures of the thread which are not behind a warning. */
const pictures = () => [...document.querySelectorAll('.images button[popovertarget]')]
  .filter((button) => button.nextElementSibling?.matches('.large') && isVisible(button))

/** Shows the next or the previous picture; after the last comes the first. */
function picture(by) {
  const [buttons, large] = [pictures(), shown()]
  const next = buttons.at((buttons.findIndex((button) => button.nextElementSibling === large) + by) % buttons.length)
  if (!next || next.nextElementSibling === large) return
  large.hidePopover()
  next.focus({ preventScroll: true })
  next.click()
}

/** Adds the buttons to a picture that is shown, if there are several. */
addEventListener('toggle', ({ target, newState }) => {
  if (newState !== 'open' || !target.matches?.('.large') || target.querySelector('[name=next]') || pictures().length < 2) return
  for (const [name, by, label, sign] of [['previous', -1, word(1), '‹'], ['next', 1, word(2), '›']]) {
    const button = element('button', sign, { type: 'button', name, ariaLabel: label })
    button.onclick = () => picture(by)
    target.append(button)
  }
}, true)

let touched = null
addEventListener('touchstart', ({ touches }) => { touched = touches.length === 1 && shown() ? touches[0] : null }, { passive: true })
addEventListener('touchend', ({ changedTouches: [touch] }) => {
  const [x, y] = touched ? [touch.clientX - touched.clientX, touch.clientY - touched.clientY] : [0, 0]
  if (shown() && (window.visualViewport?.scale ?? 1) === 1 && Math.abs(x) > 50 && Math.abs(x) > 2 * Math.abs(y)) picture((x < 0) === !RTL ? 1 : -1)
}, { passive: true })

// Where the reader stopped. Kept for the 50 long threads that were read last, by their paths: the id of a post.

const places = () => {
  try {
    return new Map(JSON.parse(localStorage.threadsiteRead))
  } catch {
    return new Map()
  }
}

/** Offers the place where the reader stopped, and keeps the next one. */
function resume() {
  const posts = [...document.querySelectorAll('.e-content > .post[id]')]
  const place = document.getElementById(places().get(location.pathname))
  if (place && posts.includes(place) && !location.hash) {
    const link = element('a', word(0), { className: 'resume', href: `#${place.id}` })
    one('main').append(link)
    addEventListener('scroll', () => { if (scrollY > place.getBoundingClientRect().top + scrollY - innerHeight) link.remove() }, { passive: true })
    link.onclick = () => setTimeout(() => link.remove())
  }
  addEventListener('pagehide', () => {
    const kept = places()
    const at = posts.findLastIndex((post) => post.getBoundingClientRect().top < innerHeight / 2)
    // Who has not begun keeps the place of the last visit; who has finished needs none.
    if (at < 2) return
    kept.delete(location.pathname)
    if (at < posts.length - 1) kept.set(location.pathname, posts[at].id)
    try {
      localStorage.threadsiteRead = JSON.stringify([...kept].slice(-50))
    } catch {
      // The browser keeps nothing.
    }
  })
}

// A copied quote of five words or more ends with the URL of its place, which browsers mark.

/** A copy of a node's part in a range, without what the reader does not see, and with URLs that also work elsewhere. */
function seen(node, range) {
  const copy = node.cloneNode()
  if (node === range.endContainer && copy.data) copy.data = copy.data.slice(0, range.endOffset)
  if (node === range.startContainer && copy.data) copy.data = copy.data.slice(range.startOffset)
  for (const name of ['href', 'src', 'poster']) if (node[name]) copy[name] = node[name]
  copy.removeAttribute?.('srcset')
  for (const child of node.childNodes) {
    // An invisible element may contain visible ones: a picture is visible, and its link is not.
    const isSeen = child.nodeType === Node.TEXT_NODE ? isVisible(node) : child.matches?.('picture, :is(video, audio) > source') || child.checkVisibility?.()
    if (isSeen && range.intersectsNode(child) && !child.matches?.(UNSEEN)) copy.append(seen(child, range))
  }
  return copy
}

/** Controls, and pictures behind a warning that the reader has not opened, which are blurred. */
const UNSEEN = 'button, input, span.avatar, .sensitive:has(> label):not(:has(:checked)) :is(img, video)'

addEventListener('copy', (event) => {
  if (!document.body.checkVisibility) return
  const selection = getSelection()
  const text = selection.toString().trim()
  const parent = selection.anchorNode?.parentElement
  const isLong = /\s/.test(text) ? text.split(/\s+/).length >= 5 : text.length >= 15
  if (!isLong || !parent?.closest('.e-content') || parent.closest('pre, input, textarea')) return
  const lines = text.split(/\n+/)
  // A few words of a line, or characters if it has no spaces
  const part = (line, from, to) => encodeURIComponent(/\s/.test(line) ? line.trim().split(/\s+/).slice(from, to).join(' ') : [...line].slice(from && 3 * from, to && 3 * to).join('')).replaceAll('-', '%2D')
  const isShort = lines.length === 1 && text.length < 80
  const fragment = isShort ? encodeURIComponent(text).replaceAll('-', '%2D') : `${part(lines[0], 0, 4)},${part(lines.at(-1), -4)}`
  const link = `${url()}#${parent.closest('.post[id]')?.id ?? ''}:~:text=${fragment}`
  const range = selection.getRangeAt(0)
  const html = element('div', '')
  html.append(seen(range.commonAncestorContainer, range), element('p', ''))
  html.lastChild.append(element('a', url(), { href: link }))
  event.clipboardData.setData('text/plain', `${text}\n\n${link}`)
  event.clipboardData.setData('text/html', html.innerHTML)
  event.preventDefault()
})

// The script may be loaded before the end of the page.

function start() {
  addChoices()
  read()
  if (one('.contents')) resume()
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
else start()
