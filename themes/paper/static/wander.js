// "On this day" and "a random thread", at the foot of the home page. Nothing is fetched before somebody asks; what is fetched then are pages
// that the site has anyway: the archive, and the lists of months. Titles and addresses were written by strangers: they are text, and lead
// nowhere but to this site.

const place = document.getElementById('wander')
const [status, list] = [place.querySelector('[role=status]'), place.querySelector('ul')]
const archive = new URL(place.dataset.archive, location.href)

/** A page of the site, parsed and never shown. */
async function fetched(url) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  return new DOMParser().parseFromString(await answer.text(), 'text/html')
}

/** Where links of a page lead that lead to this site: `{ link, url }`. */
function links(page, base, selector) {
  return [...page.querySelectorAll(selector)].flatMap((link) => {
    const url = URL.canParse(link.getAttribute('href'), base) && new URL(link.getAttribute('href'), base)
    return url && url.origin === location.origin ? [{ link, url }] : []
  })
}

const months = (page) => links(page, archive, '.year a').filter(({ url }) => /\/\d+\/\d\d\/$/.test(url.pathname))
const entries = (page, base) => links(page, base, '.thread-list .h-entry h2 a')
/** A text's digits, which may be those of any script, as ASCII. The digits of a script follow each other in Unicode. */
const ascii = (text) =>
  text.replace(/\p{Nd}/gu, (digit) => {
    let value = 0
    while (/\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt() - value - 1))) value++
    return value % 10
  })
const pick = (all) => all[Math.floor(Math.random() * all.length)]

/** Where a thread is, each as likely as the others. */
async function random() {
  const page = await fetched(archive)
  const threads = links(page, archive, '.month li a')
  if (threads.length) return pick(threads).url
  // A large site's archive has months and their numbers, and a month is a list in parts of one length.
  const all = months(page).map(({ link, url }) => ({ url, count: Number(ascii(link.nextElementSibling?.textContent ?? '').replace(/\D/g, '')) || 1 }))
  let left = Math.floor(Math.random() * all.reduce((sum, { count }) => sum + count, 0))
  const month = all.find(({ count }) => (left -= count) < 0)
  let found = entries(await fetched(month.url), month.url)
  const part = Math.floor(Math.floor(Math.random() * month.count) / found.length)
  if (part > 0) {
    const url = new URL(`page/${part + 1}/`, month.url)
    found = entries(await fetched(url), url)
  }
  return pick(found).url
}

/** Whether a date is on a day of its month. It is read as the page shows it, in the site's time zone, and may contain the month as a number. */
function isOn(day, month, text) {
  const numbers = ascii(text).match(/\d+/g)?.map(Number).filter((number) => number < 32) ?? []
  if (numbers.length > 1 && numbers.includes(month)) numbers.splice(numbers.indexOf(month), 1)
  return numbers.includes(day)
}

/** The threads that began on this day of other years, as `{ link, url, time }`, the newest first. */
async function ofToday() {
  const today = new Date()
  const [year, month, day] = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
  const number = String(month).padStart(2, '0')
  const isOther = ({ url }) => url.pathname.endsWith(`/${number}/`) && !url.pathname.endsWith(`/${year}/${number}/`)
  const found = await Promise.all(
    months(await fetched(archive)).filter(isOther).map(async ({ url }) => {
      const ofMonth = []
      for (let next = url; next; ) {
        const page = await fetched(next)
        for (const entry of entries(page, next)) {
          const time = entry.link.closest('.h-entry').querySelector('.dt-published')
          if (time && isOn(day, month, time.textContent)) ofMonth.push({ ...entry, time: time.textContent })
        }
        next = links(page, next, '.pagination a[rel=next]')[0]?.url
      }
      return ofMonth
    }))
  return found.flat()
}

function row({ link, url, time }) {
  const [item, title, count] = ['li', 'a', 'span'].map((name) => document.createElement(name))
  title.href = url
  title.dir = 'auto'
  title.lang = link.closest('[lang]').lang
  title.textContent = link.textContent
  count.className = 'count'
  count.textContent = time
  item.append(title, ' ', count)
  return item
}

/** Whatever cannot be fetched is in the archive, too. */
const lead = (action) => async () => {
  try {
    await action()
  } catch {
    location.assign(archive)
  }
}

place.querySelector('[data-random]').onclick = lead(async () => location.assign(await random()))
place.querySelector('[data-day]').onclick = lead(async () => {
  const found = await ofToday()
  status.textContent = found.length ? '' : place.dataset.nothing
  list.replaceChildren(...found.map(row))
})
// Pages that lie on a disk cannot read each other.
if (location.protocol !== 'file:') place.hidden = false
