import type pg from 'pg'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { checkResponse } from './checks.ts'
import { Client, json } from './client.ts'
import type { Report } from './report.ts'
import type { AttackedSite } from './site.ts'

const WRITERS = 200
/** The same in all scripts: it is analyzed once, and the processors are left for the writes. */
const CODE = 'print(1)\n'.repeat(100)
/** Pause after a failed write: a site that starts needs the processor. */
const PAUSE_MS = 500

/** Members that publish scripts as fast as they can, and remember which ones the site has acknowledged. */
export class Writers {
  readonly #site: AttackedSite
  readonly #report: Report
  readonly #client: Client
  readonly #count: number
  readonly #acknowledged = new Map<string, number>()
  #running: Promise<unknown> | undefined
  #isStopping = false
  #serial = 0

  constructor(site: AttackedSite, report: Report, count = WRITERS) {
    this.#site = site
    this.#report = report
    this.#client = new Client(site.port, report, count)
    this.#count = count
  }

  get acknowledged(): number {
    return this.#acknowledged.size
  }

  async start(): Promise<void> {
    const { db } = this.#site
    this.#isStopping = false
    const tokens: { authorization: string }[] = []
    for (let i = 0; i < this.#count; i++) tokens.push(await signIn(db, await makeMember(db)))
    this.#running = Promise.all(tokens.map((headers) => this.#write(headers)))
  }

  /** Waits until this many more scripts are acknowledged, at most 30 seconds. */
  async waitFor(more: number): Promise<void> {
    const target = this.acknowledged + more
    const end = performance.now() + 30_000
    while (this.acknowledged < target && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
    this.#report.check(this.acknowledged >= target, () => `fewer than ${more} writes succeeded in 30 seconds`)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#running
  }

  async #write(headers: { authorization: string }): Promise<void> {
    while (!this.#isStopping) {
      const title = `Written ${this.#serial++} ${process.pid}`
      const response = await this.#client.send({
        method: 'POST',
        path: '/api/scripts',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': title.replaceAll(' ', '-') },
        body: json({ title, description: 'Text.', script_content: CODE }),
      })
      checkResponse(this.#report, 'POST /api/scripts', response, true)
      if (response.status === 201) {
        this.#acknowledged.set(title, (JSON.parse(response.text) as { script: { id: number } }).script.id)
      } else await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  /** Every acknowledged script is there once and whole, and every other one is there whole or not at all. */
  async verify(pool: pg.Pool): Promise<void> {
    const { rows } = await pool.query<{ id: number; title: string; parts: number; content: string | null }>(`
      select s.id, s.title, v.content,
        (select count(*) from script_versions where script_id = s.id)::int
          + (select count(*) from script_stats where script_id = s.id)::int
          + (select count(*) from script_search where script_id = s.id)::int as parts
        from scripts s left join script_versions v on v.script_id = s.id and v.number = 1
        where title like 'Written % ${process.pid}'`)
    const stored = new Map(rows.map((row) => [row.title, row]))
    this.#report.check(stored.size === rows.length, () => 'a script was published twice')
    for (const { parts, content } of rows) {
      this.#report.check(parts === 3 && content === CODE, () => 'a script is incomplete')
    }
    for (const [title, id] of this.#acknowledged) {
      this.#report.check(stored.get(title)?.id === id, () => 'an acknowledged script is lost')
    }
  }

  close(): void {
    this.#client.close()
  }
}
