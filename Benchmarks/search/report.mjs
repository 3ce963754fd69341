/** Asks every query and prints medians as JSON; with DETAILS=1 also a line for each query. */
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
    rows.push({ kind, query, place: urls.findIndex((url) => url.includes(answer)) + 1, bytes, compressed, files, milliseconds: performance.now() - start })
  }
  const median = (name) => rows.map((row) => row[name]).sort((a, b) => a - b)[Math.floor(rows.length / 2)]
  const kinds = {}
  for (const { kind, place } of rows) {
    kinds[kind] ??= { first: 0, five: 0, of: 0 }
    kinds[kind].of++
    if (place === 1) kinds[kind].first++
    if (place >= 1 && place <= 5) kinds[kind].five++
  }
  if (process.env.DETAILS) for (const row of rows) console.error(JSON.stringify(row))
  console.log(JSON.stringify({ engine, queries: rows.length, first: rows.filter((row) => row.place === 1).length, amongFive: rows.filter((row) => row.place >= 1 && row.place <= 5).length,
    medianBytes: median('bytes'), medianBytesWhereTheServerCompresses: median('compressed'), medianFiles: median('files'), kinds }, null, 1))
}
