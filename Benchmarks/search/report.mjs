/**
 * Runs every query and prints medians as JSON; with DETAILS=1, also one line per query. `ask` returns the URLs of the
 * results, best first, or nothing if there was no answer. Such queries count as not found and are left out of the medians.
 */
export async function report(engine, queries, ask) {
  const rows = []
  for (const { kind, query, answer } of queries) {
    let [bytes, compressed, files] = [0, 0, 0]
    const start = performance.now()
    const urls = await ask(query, (raw, small) => {
      bytes += raw
      compressed += small
      files++
    })
    const place = urls ? urls.findIndex((url) => url.includes(answer)) + 1 : 0
    rows.push({ kind, query, answered: urls !== undefined, place, bytes, compressed, files, milliseconds: Math.round(performance.now() - start) })
    if (process.env.DETAILS) console.error(JSON.stringify(rows.at(-1)))
  }
  const answered = rows.filter((row) => row.answered)
  const median = (name) => answered.map((row) => row[name]).sort((a, b) => a - b)[Math.floor(answered.length / 2)] ?? null
  const first = (rows) => rows.filter((row) => row.place === 1).length
  const five = (rows) => rows.filter((row) => row.place >= 1 && row.place <= 5).length
  const kinds = {}
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const some = rows.filter((row) => row.kind === kind)
    kinds[kind] = { first: first(some), five: five(some), of: some.length }
  }
  console.log(JSON.stringify({ engine, queries: rows.length, answered: answered.length, first: first(rows), amongFive: five(rows),
    medianBytes: median('bytes'), medianBytesWhereTheServerCompresses: median('compressed'), medianFiles: median('files'), kinds }, null, 1))
}
