// A site of its own for an attack: server/main.ts with the embedded PostgreSQL in a temporary folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { socketFolder } from '@scriptyard/embedded-postgres/cluster'
import type pg from 'pg'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'

const main = path.resolve(import.meta.dirname, '../../server/main.ts')
const START_TIMEOUT_MS = 60_000
const POLL_MS = 20
const PROBE_TIMEOUT_MS = 2000
const MAX_OUTPUT = 20_000

/**
 * Settings that let an attack through: no rate limits, no demo data, and a known key. Sample calls name this public URL.
 * Nothing listens on the port for email.
 */
const SETTINGS = {
  DEMO_DATA: 'off',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'error',
  SECRET_KEY: '00'.repeat(32),
  PUBLIC_URL: 'http://localhost:3000',
  SMTP_URL: 'smtp://127.0.0.1:9',
  SMTP_FROM: 'site@scripts.example',
}

export interface SiteOptions {
  settings?: Record<string, string>
  /** Runs the server through another program, such as `unshare`, to which the server's command is appended. */
  wrap?: (dataDir: string) => readonly string[]
}

export class AttackedSite {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-attack-'))
  readonly dataDir = path.join(this.folder, 'data')
  readonly #options: SiteOptions
  #child: ChildProcess | undefined
  #pool: pg.Pool | undefined
  #output = ''
  port = 0

  constructor(options: SiteOptions = {}) {
    this.#options = options
    chmodSync(this.folder, 0o755)
    mkdirSync(this.dataDir, { mode: 0o755 })
    copyPreparedData(this.dataDir)
  }

  /** Starts the server on the same port each time, and waits until it serves. */
  async start(settings: Record<string, string> = {}): Promise<void> {
    this.port ||= await findFreePort()
    const { settings: own = {}, wrap = () => [] } = this.#options
    const [program, ...args] = [...wrap(this.dataDir), process.execPath, main]
    // Both sides derive the folder of PostgreSQL's socket from TMPDIR.
    const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
    const inherited = { PATH, TMPDIR, NODE_COMPILE_CACHE }
    const site = { ...inherited, PORT: String(this.port), DATA_DIR: this.dataDir, NODE_ENV: 'production' }
    const child = spawn(program, args, { env: { ...site, ...SETTINGS, ...own, ...settings }, cwd: this.folder })
    this.#child = child
    this.#output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-MAX_OUTPUT)))
    }
    for (let waited = 0; !this.#output.includes(' is at '); waited += POLL_MS) {
      if (!this.isRunning || waited > START_TIMEOUT_MS) throw new Error(`The site did not start:\n${this.#output}`)
      await sleep(POLL_MS)
    }
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  get output(): string {
    return this.#output
  }

  /** The database, past the server. */
  get pool(): pg.Pool {
    const host = socketFolder(realpathSync(this.dataDir))
    this.#pool ??= openPool({ host, user: 'scriptyard', database: 'postgres' })
    return this.#pool
  }

  get db(): Database {
    return openDatabase(this.pool)
  }

  get postmasterPid(): number {
    return Number.parseInt(readFileSync(path.join(this.dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (!child || !this.isRunning) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** Waits until the site answers that it is ready, at most 30 seconds. */
  async waitUntilReady(): Promise<boolean> {
    for (let waited = 0; waited < START_TIMEOUT_MS / 2; waited += POLL_MS) {
      const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
      const response = await fetch(`http://127.0.0.1:${this.port}/readyz`, { signal }).catch(() => undefined)
      if (response?.status === 200) return true
      await sleep(POLL_MS)
    }
    return false
  }

  async close(): Promise<void> {
    await this.#pool?.end().catch(() => {})
    await this.kill('SIGTERM')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
