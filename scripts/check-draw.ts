// node scripts/check-draw.ts draw.json: verifies a giveaway draw without any code of the site. The file is the response of
// /api/giveaway-draw?id=...
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

interface Draw {
  seed_sha256: string
  seed: string | null
  winner_count: number
  entries: number[]
  winners: number[]
}

function findMismatch({ seed, seed_sha256, winner_count, entries, winners }: Draw): string | undefined {
  if (seed === null) return 'The winners of this giveaway have not been drawn yet.'
  const key = Buffer.from(seed, 'hex')
  if (createHash('sha256').update(key).digest('hex') !== seed_sha256) {
    return 'The seed does not match the published hash.'
  }
  const rankOf = (id: number) => createHmac('sha256', key).update(String(id)).digest('hex')
  const ranked = entries.map((id) => ({ id, rank: rankOf(id) })).toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
  const expected = ranked.slice(0, winner_count).map(({ id }) => id)
  return expected.join() === winners.join()
    ? undefined
    : `The winners differ: the seed selects entries ${expected.join(', ')}.`
}

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Usage: node scripts/check-draw.ts draw.json')
  process.exitCode = 2
} else {
  const draw = JSON.parse(readFileSync(file, 'utf8')) as Draw
  const mismatch = findMismatch(draw)
  console.log(mismatch ?? `The draw is correct: ${draw.winners.length} winners of ${draw.entries.length} entries.`)
  if (mismatch !== undefined) process.exitCode = 1
}
