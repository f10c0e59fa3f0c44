import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { DumpManifest } from '#contract/dumps.ts'
import { optionsForChild } from '#server/platform/db/pool.ts'
import { runInBackground } from '#server/platform/jobs/background-process.ts'
import { type DumpTask, MANIFEST, UNFINISHED } from './write.ts'

const PROGRAM = path.join(import.meta.dirname, 'write-process.ts')
const DAY_MS = 86_400_000

/** Name of a dump: the UTC day on which it was written. */
const NAME = /^\d{4}-\d{2}-\d{2}$/
const nameOf = (time: number) => new Date(time).toISOString().slice(0, 10)

export interface DailyDumpOptions {
  pool: pg.Pool
  log: Pick<FastifyBaseLogger, 'info'>
  folder: string
  days: number
  site: () => DumpManifest['site']
  now?: () => number
}

export class DailyDump {
  readonly #options: DailyDumpOptions
  readonly #stop = new AbortController()

  constructor(options: DailyDumpOptions) {
    this.#options = options
  }

  /** Writes today's dump unless it exists, and then removes old ones. Rejects if it cannot be written. */
  async run(): Promise<void> {
    const { folder, now = Date.now, log } = this.#options
    const today = nameOf(now())
    await mkdir(folder, { recursive: true })
    const names = await listDumps(folder)
    if (!names.includes(today)) {
      await this.#write(path.join(folder, today))
      log.info({ name: today }, 'dump written')
    }
    await this.#removeOld(today)
  }

  stop(): void {
    this.#stop.abort()
  }

  async #write(folder: string): Promise<void> {
    const { pool, site } = this.#options
    const connection = optionsForChild(pool)
    const task: DumpTask = { connection, folder, site: site(), isPaced: true }
    const { signal } = this.#stop
    const priority = constants.priority.PRIORITY_LOW
    await runInBackground(PROGRAM, task, { signal, priority })
  }

  /** Removes dumps older than the setting, except the newest one, and what unfinished ones left behind. */
  async #removeOld(today: string): Promise<void> {
    const { folder, days } = this.#options
    const oldest = nameOf(Date.parse(today) - (days - 1) * DAY_MS)
    const [, ...others] = await listDumps(folder)
    const entries = await readdir(folder)
    const old = others.filter((name) => name < oldest)
    for (const name of [...old, ...entries.filter((entry) => entry.startsWith(UNFINISHED))]) {
      await rm(path.join(folder, name), { recursive: true, force: true })
    }
  }
}

/** Names of the dumps in a folder, newest first. */
export async function listDumps(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
}

/** The manifest of a dump; undefined if it was just removed. */
export async function readManifestOf(folder: string, name: string): Promise<DumpManifest | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder, name, MANIFEST), 'utf8')) as DumpManifest
  } catch {
    return undefined
  }
}
