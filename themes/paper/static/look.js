// The reader's choices for the look of pages, and the buttons that copy and share a page's URL. The script in the head of the page, head.js,
// applies the choices to the first paint; this one changes them. Nothing is fetched.

const root = document.documentElement
const look = { scheme: 'auto', size: '100' }
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
  all('.look button', (button) => button.setAttribute('aria-pressed', look[button.name] === button.value))
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

/** Closes the open box; returns it, or `null`. */
function close() {
  const box = document.querySelector('.look[open], .share[open]')
  if (box) box.open = false
  return box
}

const url = () => document.querySelector('[rel=canonical]')?.href ?? location.href.split('#')[0]

function copy(button) {
  const status = button.parentElement.querySelector('[role=status]')
  status.textContent = ''
  navigator.clipboard.writeText(url()).then(
    () => { status.textContent = button.dataset.done },
    () => prompt(button.textContent, url()))
}

read()
for (const event of ['pageshow', 'storage']) addEventListener(event, read)
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') close()?.firstElementChild.focus()
})
addEventListener('click', ({ target }) => {
  const button = target.closest('button')
  if (!target.closest('.look, .share')) close()
  else if (button && target.closest('.look')) {
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
})
