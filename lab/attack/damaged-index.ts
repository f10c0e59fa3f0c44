// Files of the index snapshot that are cut, changed, replaced or taken away while the site is stopped.
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { snapshotFile } from '#server/features/catalogue/index-snapshots.ts'
import { fillSynthetic } from '../../scripts/synthetic/fill.ts'
import { checkResponse } from './checks.ts'
import { Client } from './client.ts'
import { Random } from './random.ts'
import type { Report } from './report.ts'
import { AttackedSite } from './site.ts'

/** Smaller catalogues have no snapshot. */
const SCRIPTS = 21_000
const SNAPSHOT_TIMEOUT_MS = 60_000

const listsWith = (word: string) => [
  '/api/scripts?sort=title&order=asc&limit=50',
  `/api/scripts?search=${encodeURIComponent(word)}&limit=50`,
  '/api/scripts?sort=view_count&is_free=true&page=7',
  `/api/script-facets?search=${encodeURIComponent(word)}`,
]

type Damage = (file: string, bytes: Buffer, random: Random) => void

const DAMAGES: Record<string, Damage> = {
  'an empty file': (file) => truncateSync(file, 0),
  'the first half': (file, bytes) => truncateSync(file, bytes.length >> 1),
  'all but the last byte': (file, bytes) => truncateSync(file, bytes.length - 1),
  'a byte too many': (file, bytes) => writeFileSync(file, Buffer.concat([bytes, Buffer.of(0)])),
  'a changed bit': (file, bytes, random) => {
    const position = random.below(bytes.length)
    bytes[position] = (bytes[position] ?? 0) ^ (1 << random.below(8))
    writeFileSync(file, bytes)
  },
  'a changed header': (file, bytes, random) => {
    bytes[random.below(64)] = random.below(256)
    writeFileSync(file, bytes)
  },
  'a page of zeros': (file, bytes, random) => {
    const start = random.below(Math.max(1, bytes.length - 4096))
    writeFileSync(file, bytes.fill(0, start, start + 4096))
  },
  'noise of the same length': (file, bytes, random) => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256)
    writeFileSync(file, bytes)
  },
  'no file': (file) => rmSync(file),
}

/** After each damage the site starts and gives the same lists as before. */
export async function damageIndex({ seed, report }: { seed: number; report: Report }): Promise<void> {
  const site = new AttackedSite()
  const random = new Random(seed)
  try {
    await site.start()
    await fillSynthetic(site.pool, { scripts: SCRIPTS, seed, onProgress: () => {} })
    const file = snapshotFile(site.dataDir)
    await restartUntilSaved(site, file)
    const paths = listsWith(await findWord(site))
    const expected = await readLists(site, paths, report)
    const intact = readFileSync(file)
    for (const [name, damage] of Object.entries(DAMAGES)) {
      await site.kill('SIGTERM')
      writeFileSync(file, intact)
      damage(file, Buffer.from(intact), random)
      await site.start()
      const lists = await readLists(site, paths, report)
      for (const [i, path] of paths.entries()) {
        report.check(lists[i] === expected[i], () => `${path} changed after ${name}`)
      }
    }
  } finally {
    await site.close()
  }
}

async function restartUntilSaved(site: AttackedSite, file: string): Promise<void> {
  await site.kill('SIGTERM')
  await site.start()
  for (let waited = 0; !existsSync(file); waited += 100) {
    if (waited > SNAPSHOT_TIMEOUT_MS) throw new Error(`The site wrote no snapshot:\n${site.output}`)
    await sleep(100)
  }
}

/** A word of a title. A search without results has a suggestion, which only the index makes. */
async function findWord(site: AttackedSite): Promise<string> {
  const { rows } = await site.pool.query<{ word: string }>(
    `select split_part(title, ' ', 1) as word from scripts where is_public order by id limit 1`,
  )
  return rows[0]?.word ?? ''
}

async function readLists(site: AttackedSite, paths: string[], report: Report): Promise<string[]> {
  const client = new Client(site.port, report)
  const responses = await Promise.all(paths.map((path) => client.send({ method: 'GET', path })))
  for (const [i, response] of responses.entries()) {
    checkResponse(report, paths[i] ?? '', response)
    report.check(response.status === 200, () => `${paths[i]} answered ${response.status}`)
  }
  client.close()
  return responses.map(({ text }) => text)
}
