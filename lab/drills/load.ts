import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { checkResponse } from '#lab/attack/checks.ts'
import { Client, json } from '#lab/attack/client.ts'
import type { Report } from '#lab/attack/report.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import type { Read } from './outcome.ts'

const WRITERS = 100
const READERS = 8
const READ_EVERY_MS = 100
/** A client repeats a request after this time at the latest, whatever Retry-After says. */
const MAX_RETRY_MS = 1000
/** Scripts whose pages the readers visit. */
const VISITED = 5
const PATHS = ['/', '/api/scripts', '/api/scripts?sort=title', '/api/scripts?search=drill']

export interface LoadOptions {
  port: number
  report: Report
  /** The database, past the site. */
  pool: pg.Pool
  writesPerSecond: number
}

/**
 * Members that publish scripts through the site at a constant rate, each request repeated with its idempotency key until it
 * is acknowledged, and visitors that read lists and pages all the time.
 */
export class Load {
  /** Visitors also read scripts that nobody has read before, which no cache has. */
  visitsNew = false
  readonly acknowledgedAt: number[] = []
  readonly reads: Read[] = []
  startedAt = 0
  readonly #options: LoadOptions
  readonly #client: Client
  /** Script ids by idempotency key. */
  readonly #acknowledged = new Map<string, number>()
  readonly #slugs: string[] = []
  #sent = 0
  #running: Promise<unknown>[] = []
  #isStopping = false

  constructor(options: LoadOptions) {
    this.#options = options
    this.#client = new Client(options.port, options.report, WRITERS + READERS)
  }

  async start(): Promise<void> {
    const { pool, writesPerSecond } = this.#options
    const db = openDatabase(pool)
    const logins: { authorization: string }[] = []
    for (let i = 0; i < WRITERS; i++) logins.push(await signIn(db, await makeMember(db)))
    const visited: string[] = []
    for (const headers of logins.slice(0, VISITED)) visited.push(await this.#publish(headers))
    const intervalMs = (1000 * WRITERS) / writesPerSecond
    const paths = [...PATHS, ...visited.map((slug) => `/scripts/${slug}`)]
    // Cached before the first fault, as on a site that has visitors.
    for (const path of paths) await this.#read(path)
    this.reads.length = 0
    this.acknowledgedAt.length = 0
    this.startedAt = performance.now()
    this.#running = [
      ...logins.map((headers, i) => this.#write(headers, intervalMs, (intervalMs * i) / WRITERS)),
      ...Array.from({ length: READERS }, (_, i) => this.#readAll(paths, (READ_EVERY_MS * i) / READERS)),
    ]
  }

  /** Waits until this many more writes are acknowledged, at most two minutes. */
  async waitForWrites(more: number): Promise<void> {
    const target = this.acknowledgedAt.length + more
    const end = performance.now() + 120_000
    while (this.acknowledgedAt.length < target && performance.now() < end) await sleep(20)
    this.#options.report.check(this.acknowledgedAt.length >= target, () => 'writes did not resume within two minutes')
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#running)
    this.#client.close()
  }

  async #write(headers: { authorization: string }, intervalMs: number, delayMs: number): Promise<void> {
    await sleep(delayMs)
    for (let next = performance.now(); !this.#isStopping; next += intervalMs) {
      const now = performance.now()
      if (next < now - intervalMs) next = now
      await sleep(Math.max(0, next - now))
      await this.#publish(headers)
    }
  }

  /** Repeats the request until it is acknowledged or the drill ends. Returns the slug of the script. */
  async #publish(headers: { authorization: string }): Promise<string> {
    const { report } = this.#options
    const key = `drill-${++this.#sent}`
    const body = json({
      title: `Drill ${this.#sent}`,
      description: 'Text.',
      script_content: `return ${this.#sent % 20}`,
    })
    const more = { ...headers, 'content-type': 'application/json', 'idempotency-key': key }
    for (;;) {
      const response = await this.#client.send({ method: 'POST', path: '/api/scripts', headers: more, body })
      checkResponse(report, 'POST /api/scripts', response, true)
      if (response.status === 201) {
        const { script } = JSON.parse(response.text) as { script: { id: number; slug: string } }
        this.#acknowledged.set(key, script.id)
        this.acknowledgedAt.push(performance.now())
        this.#slugs.push(script.slug)
        return script.slug
      }
      const hasAdvice = response.status !== 503 || response.headers['retry-after'] !== undefined
      report.check(hasAdvice, () => 'a response with status 503 has no Retry-After')
      if (this.#isStopping) return ''
      await sleep(Math.min(MAX_RETRY_MS, Number(response.headers['retry-after'] ?? 1) * 1000))
    }
  }

  async #readAll(paths: readonly string[], delayMs: number): Promise<void> {
    await sleep(delayMs)
    for (let i = 0; !this.#isStopping; i++) {
      const path = this.visitsNew && i % 2 === 0 ? this.#newPage() : paths[i % paths.length]
      await Promise.all([this.#read(path ?? '/'), sleep(READ_EVERY_MS)])
    }
  }

  /** Page of a script that was published up to a minute ago. */
  #newPage(): string {
    const back = 1 + Math.floor(Math.random() * 60 * this.#options.writesPerSecond)
    return `/api/script-details-slug?slug=${this.#slugs.at(-Math.min(back, this.#slugs.length))}`
  }

  async #read(path: string): Promise<void> {
    const startedAt = performance.now()
    const { status } = await this.#client.send({ method: 'GET', path })
    this.reads.push({ path, startedAt, ms: performance.now() - startedAt, status })
  }

  /** Every acknowledged key is in the database with its script, and no script was published twice. */
  async verify(pool: pg.Pool): Promise<void> {
    const { report } = this.#options
    const { rows: keys } = await pool.query<{ key: string; script_id: number | null }>(
      `select key, script_id from publish_keys where key like 'drill-%'`,
    )
    const { rows: scripts } = await pool.query<{ id: number; title: string; is_whole: boolean }>(
      `select s.id, s.title, v.content is not null and t.script_id is not null and d.script_id is not null as is_whole
        from scripts s left join script_versions v on v.script_id = s.id and v.number = 1
        left join script_stats t on t.script_id = s.id left join script_search d on d.script_id = s.id
        where s.title like 'Drill %'`,
    )
    const byKey = new Map(keys.map(({ key, script_id }) => [key, script_id]))
    const byTitle = new Map(scripts.map(({ id, title }) => [title, id]))
    report.check(byTitle.size === scripts.length, () => 'a script was published twice')
    for (const { is_whole } of scripts) report.check(is_whole, () => 'a script is incomplete')
    for (const [key, id] of this.#acknowledged) {
      const isThere = byKey.get(key) === id && byTitle.get(key.replace('drill-', 'Drill ')) === id
      report.check(isThere, () => 'an acknowledged write is lost')
    }
  }
}
