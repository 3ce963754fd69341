// Prints what excerpts are cut from, a line for each post: node posts.mjs SCRIPT, a thread's page on stdin.
import { readFileSync } from 'node:fs'
const script = readFileSync(process.argv[2])
const { posts } = await import('data:text/javascript;base64,' + script.toString('base64'))
for (const { id, text } of posts(readFileSync(0, 'utf8'))) console.log(`${id ?? '-'}: ${text}`)
