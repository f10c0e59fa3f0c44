import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

export interface Running {
  origin: string
  stop(): Promise<void>
}

export interface Metered extends Running {
  /** Seconds of the processor that this process has had so far. */
  measureCpu(): Promise<number>
}

async function measureCpu(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
  return (cpu.user + cpu.system) / 1e6
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address && typeof address === 'object') return address.port
  throw new Error('No free port')
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
}

function begin(file: string, env: Record<string, string>): ChildProcess {
  return fork(path.join(root, file), { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

async function waitUntilReady(origin: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) break
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The site did not start.')
}

/** The site as `npm start` runs it, on data of its own. */
export async function startSite(dataDir: string, port: number, more: Record<string, string> = {}): Promise<Running> {
  const own = { DEMO_DATA: 'off', RATE_LIMIT: 'off', NODE_ENV: 'production' }
  const env = { DATA_DIR: dataDir, PORT: String(port), ...own, ...more }
  const child = begin('server/main.ts', env)
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(origin, child)
  return { origin, stop: () => stop(child) }
}

export interface Report {
  /** Milliseconds from the start to the index's first answer. */
  ready: number
  /** The longest that the event loop was busy meanwhile. */
  stall: number
  memory: NodeJS.MemoryUsage
}

export interface RunningApi extends Metered {
  report: Report
  /** Milliseconds until a write of another process is in a list, the worst of five. */
  measureSeen(): Promise<{ seen: number; memory: NodeJS.MemoryUsage }>
}

/** The API alone, on data that is there already. Resolves once its index answers. */
export async function startApi(dataDir: string, more: Record<string, string>): Promise<RunningApi> {
  const port = await freePort()
  const child = begin('bench/site.ts', { DATA_DIR: dataDir, PORT: String(port), NODE_ENV: 'production', ...more })
  const [report] = (await once(child, 'message')) as [Report]
  return {
    origin: `http://127.0.0.1:${port}`,
    report,
    stop: () => stop(child),
    measureCpu: () => measureCpu(child),
    measureSeen: async () => {
      child.send('seen')
      const [seen] = (await once(child, 'message')) as [{ seen: number; memory: NodeJS.MemoryUsage }]
      return seen
    },
  }
}

/** Bare node:http that sends this file's bytes with these headers; or, for 'stringify', the object that they describe. */
export async function startReference(
  bodyFile: string,
  headers: Record<string, string>,
  how: 'ready' | 'stringify' = 'ready',
): Promise<Metered> {
  const env = { BODY_FILE: bodyFile, BODY_HEADERS: JSON.stringify(headers), BODY_HOW: how }
  const child = begin('bench/reference.ts', env)
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { origin: `http://127.0.0.1:${port}`, stop: () => stop(child), measureCpu: () => measureCpu(child) }
}
