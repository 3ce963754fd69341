// Prints tokens.json anew from the texts in it, by the script of the search: look at the difference before keeping it.
//   node make-tokens.mjs > tokens.new.json
import { readFileSync } from 'node:fs'
const folder = new URL('.', import.meta.url)
const source = readFileSync(new URL('../../../themes/paper/static/search.js', folder))
const { tokens } = await import('data:text/javascript;base64,' + source.toString('base64'))
const cases = JSON.parse(readFileSync(new URL('tokens.json', folder)))
const lines = cases.map(({ text }) => '  ' + JSON.stringify({ text, terms: tokens(text.normalize('NFC')).map((t) => `${t.term}@${t.position}`) }))
console.log('[\n' + lines.join(',\n') + '\n]')
