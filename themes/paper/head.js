{
const look = { scheme: 'auto', size: '100' }, root = document.documentElement
const all = (selector, action) => document.querySelectorAll(selector).forEach(action)
const show = () => {
Object.assign(root.dataset, look)
const { scheme, size } = look, isAuto = scheme === 'auto'
root.style.colorScheme = isAuto ? '' : scheme
root.style.fontSize = size === '100' ? '' : size + '%'
all('[name=theme-color][media]', meta => {
meta.usual ??= meta.media
meta.media = isAuto ? meta.usual : meta.usual.includes(scheme) ? 'all' : 'not all'
})
all('.look button', button => button.setAttribute('aria-pressed', look[button.name] === button.value))
all('[name=copy]', button => button.hidden = !navigator.clipboard)
all('[name=share]', button => button.hidden = !navigator.share)
}
const read = () => {
try {
const kept = JSON.parse(localStorage.threadsite)
for (const name in look) look[name] = kept[name] ?? look[name]
} catch {}
show()
}
const close = () => {
const box = document.querySelector('.look[open]')
if (box) box.open = false
return box
}
read()
for (const event of ['DOMContentLoaded', 'pageshow', 'storage']) addEventListener(event, read)
addEventListener('keydown', ({ key }) => { if (key === 'Escape') close()?.firstElementChild.focus() })
addEventListener('click', ({ target }) => {
const button = target.closest('button'), url = document.querySelector('[rel=canonical]')?.href ?? location.href.split('#')[0]
if (!target.closest('.look')) close()
else if (button) {
look[button.name] = button.value
try { localStorage.threadsite = JSON.stringify(look) } catch {}
show()
}
if (button?.name === 'share') navigator.share({ title: document.title, url }).catch(() => {})
if (button?.name === 'copy') {
const status = button.parentElement.querySelector('[role=status]')
status.textContent = ''
navigator.clipboard.writeText(url).then(() => { status.textContent = button.dataset.done }, () => prompt(button.textContent, url))
}
})
}
