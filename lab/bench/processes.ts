import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { findFreePort } from '#tests/support/free-port.ts'

const root = path.resolve(import.meta.dirname, '../..')
const READY_TIMEOUT_MS = 180_000

export interface RunningSite {
  origin: string
  stop(): Promise<void>
}

export interface MeasuredProcess extends RunningSite {
  /** CPU time of this process so far, seconds. */
  measureCpu(): Promise<number>
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.disconnect()
  await exited
}

function forkScript(file: string, env: Record<string, string>): ChildProcess {
  return fork(path.join(root, file), { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

/** The next message of a child process. Rejects if the process exits first. */
export async function receive<T>(child: ChildProcess): Promise<T> {
  const received = new AbortController()
  const ended = once(child, 'exit', { signal: received.signal }).then(() => {
    throw new Error(`${child.spawnargs.join(' ')} exited`)
  })
  ended.catch(() => {})
  try {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [T]
    return message
  } finally {
    received.abort()
  }
}

export function request<T>(child: ChildProcess, message: string | object): Promise<T> {
  child.send(message)
  return receive(child)
}

async function measureCpu(child: ChildProcess): Promise<number> {
  const { cpu } = await request<{ cpu: NodeJS.CpuUsage }>(child, 'cpu')
  return (cpu.user + cpu.system) / 1e6
}

async function waitUntilReady(origin: string, child: ChildProcess): Promise<void> {
  const started = performance.now()
  while (child.exitCode === null && performance.now() - started < READY_TIMEOUT_MS) {
    const response = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The site did not start.')
}

const BENCH_SETTINGS = {
  DEMO_DATA: 'off',
  RATE_LIMIT: 'off',
  NODE_ENV: 'production',
  LOG_LEVEL: 'silent',
  // All processes that use one database need the same key.
  SECRET_KEY: '00'.repeat(32),
}

export async function startSite(env: Record<string, string>): Promise<RunningSite> {
  const port = await findFreePort()
  const child = forkScript('server/main.ts', { ...BENCH_SETTINGS, PORT: String(port), ...env })
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(origin, child)
  return { origin, stop: () => stop(child) }
}

export interface StartReport {
  /** Milliseconds from the start to the first response from the index. */
  ready: number
  /** The longest event loop delay until then, ms. */
  stall: number
}

export interface InstrumentedSite extends MeasuredProcess {
  report: StartReport
  /** Milliseconds until a write of another process is visible in lists, the worst of five. */
  measureVisibility(): Promise<{ visibility: number; memory: NodeJS.MemoryUsage }>
}

/** The site in one instrumented process, with ten writes per second. Resolves when its index responds. */
export async function startInstrumentedSite(env: Record<string, string>): Promise<InstrumentedSite> {
  const port = await findFreePort()
  const child = forkScript('lab/bench/site.ts', { ...BENCH_SETTINGS, PORT: String(port), ...env })
  const report = await receive<StartReport>(child)
  return {
    origin: `http://127.0.0.1:${port}`,
    report,
    stop: () => stop(child),
    measureCpu: () => measureCpu(child),
    measureVisibility: () => request(child, 'visibility'),
  }
}

/** Bare node:http with the recorded responses, from ready Buffers or by JSON.stringify each time. */
export async function startReference(responses: string, mode: 'ready' | 'stringify'): Promise<MeasuredProcess> {
  const child = forkScript('lab/bench/reference.ts', { RESPONSES: responses, MODE: mode })
  const { port } = await receive<{ port: number }>(child)
  return { origin: `http://127.0.0.1:${port}`, stop: () => stop(child), measureCpu: () => measureCpu(child) }
}
