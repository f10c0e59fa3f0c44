import { writeFile } from 'node:fs/promises'

const OWN = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

/** Keeps what these addresses answer, not compressed: for each a line with its address, headers and body. Gives their mean size. */
export async function recordAnswers(origin: string, addresses: readonly string[], file: string): Promise<number> {
  const lines: string[] = []
  let bytes = 0
  for (const address of addresses) {
    const answer = await fetch(origin + address, { headers: { 'accept-encoding': 'identity' } })
    const body = await answer.text()
    bytes += Buffer.byteLength(body)
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN.has(name)))
    lines.push(JSON.stringify({ address, headers, body }))
  }
  await writeFile(file, lines.join('\n'))
  return bytes / addresses.length
}
