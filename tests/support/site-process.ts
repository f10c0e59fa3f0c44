import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, vi } from 'vitest'
import { findFreePort } from './free-port.ts'
import { copyPreparedData } from './prepared-data.ts'

const root = path.resolve(import.meta.dirname, '../..')

export interface SiteProcess {
  child: ChildProcess
  port: string
  output: () => string
  /** Resolves once the site serves. */
  origin: () => Promise<string>
  /** Resolves with the exit code once the process has exited. */
  code: () => Promise<number | null>
}

export interface SiteFolder {
  folder: string
  dataDir: string
  /** Starts server/main.ts with only these settings on prepared data, optionally in a new process group. */
  start: (settings?: Record<string, string>, hasOwnGroup?: boolean) => Promise<SiteProcess>
  /** Registers a process that was started elsewhere, to be stopped on `close`. */
  watch: (child: ChildProcess) => void
  close: () => Promise<void>
}

/** Creates a folder to start sites in. `close` stops sites that still run. */
export function openSiteFolder(): SiteFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-start-'))
  // PostgreSQL runs as another user if root starts the site, and has to reach its folder.
  chmodSync(folder, 0o755)
  const dataDir = path.join(folder, 'data')
  const started: ChildProcess[] = []
  return {
    folder,
    dataDir,
    watch: (child) => void started.push(child),
    start: async (settings = {}, hasOwnGroup = false) => {
      if (!settings['DATABASE_URL'] && !existsSync(dataDir)) copyPreparedData(dataDir)
      const run = await startSite(folder, { DATA_DIR: dataDir, ...settings }, hasOwnGroup)
      started.push(run.child)
      return run
    },
    close: async () => {
      for (const child of started.splice(0)) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startSite(folder: string, settings: Record<string, string>, detached: boolean): Promise<SiteProcess> {
  const port = await findFreePort()
  // Both sides derive the socket's folder from TMPDIR.
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const env = {
    PATH,
    TMPDIR,
    NODE_COMPILE_CACHE,
    NODE_ENV: 'production',
    DEMO_DATA: 'off',
    PORT: String(port),
    ...settings,
  }
  const child = spawn(process.execPath, [path.join(root, 'server/main.ts')], { env, cwd: folder, detached })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = once(child, 'exit')
  return {
    child,
    port: env.PORT,
    output: () => text,
    code: async () => {
      await ended
      return child.exitCode
    },
    origin: async () => {
      await vi.waitUntil(() => child.exitCode !== null || text.includes(' is at '), { timeout: 60_000 })
      expect(text).toContain(' is at ')
      return `http://127.0.0.1:${env.PORT}`
    },
  }
}

/** Expects that the process exited with a one-line error that names the setting, without a stack trace. */
export async function expectSettingError(run: SiteProcess, setting: string): Promise<void> {
  expect(await run.code(), run.output()).toBe(1)
  const lines = run.output().trim().split('\n')
  expect(lines, run.output()).toHaveLength(1)
  expect(lines[0]).toContain(setting)
  expect(lines[0]).not.toMatch(/\bat .*\.ts:\d+/)
}

export const readPostmasterPid = (dataDir: string) =>
  Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
