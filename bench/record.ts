import { writeFile } from 'node:fs/promises'

/** Keeps the bytes of an answer, not compressed, and gives its headers. */
export async function recordAnswer(url: string, file: string): Promise<Record<string, string>> {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))
  const headers = Object.fromEntries(answer.headers)
  for (const own of ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']) delete headers[own]
  return headers
}
