// Checks a giveaway's draw without any of the site's code: node scripts/check-draw.ts draw.json, where the file is what
// /api/giveaway-draw?id=... answers.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

interface Draw {
  seed_sha256: string
  seed: string | null
  winner_count: number
  entries: number[]
  winners: number[]
}

function findFault({ seed, seed_sha256, winner_count, entries, winners }: Draw): string | undefined {
  if (seed === null) return 'The winners of this giveaway are not drawn yet.'
  const key = Buffer.from(seed, 'hex')
  if (createHash('sha256').update(key).digest('hex') !== seed_sha256) {
    return 'The seed is not the one whose hash was published.'
  }
  const rankOf = (id: number) => createHmac('sha256', key).update(String(id)).digest('hex')
  const ranked = entries.map((id) => ({ id, rank: rankOf(id) })).toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
  const expected = ranked.slice(0, winner_count).map(({ id }) => id)
  return expected.join() === winners.join() ? undefined : `The seed draws the entries ${expected.join(', ')}.`
}

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Say which file to check: node scripts/check-draw.ts draw.json')
  process.exitCode = 2
} else {
  const draw = JSON.parse(readFileSync(file, 'utf8')) as Draw
  const fault = findFault(draw)
  console.log(fault ?? `The draw is right: ${draw.winners.length} winners of ${draw.entries.length} entries.`)
  if (fault !== undefined) process.exitCode = 1
}
