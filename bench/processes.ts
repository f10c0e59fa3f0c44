import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const READY_WITHIN_MS = 180_000

export interface Running {
  origin: string
  stop(): Promise<void>
}

export interface Metered extends Running {
  /** Seconds of the processor that this process has had so far. */
  measureCpu(): Promise<number>
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

/** The next thing that a process tells. Rejects when it ends first. */
export async function hear<T>(child: ChildProcess): Promise<T> {
  const isHeard = new AbortController()
  const ended = once(child, 'exit', { signal: isHeard.signal }).then(() => {
    throw new Error(`${child.spawnargs.join(' ')} ended`)
  })
  ended.catch(() => {})
  try {
    const [told] = (await Promise.race([once(child, 'message'), ended])) as [T]
    return told
  } finally {
    isHeard.abort()
  }
}

export function ask<T>(child: ChildProcess, question: string): Promise<T> {
  child.send(question)
  return hear(child)
}

async function measureCpu(child: ChildProcess): Promise<number> {
  const { cpu } = await ask<{ cpu: NodeJS.CpuUsage }>(child, 'cpu')
  return (cpu.user + cpu.system) / 1e6
}

async function waitUntilReady(origin: string, child: ChildProcess): Promise<void> {
  const from = performance.now()
  while (child.exitCode === null && performance.now() - from < READY_WITHIN_MS) {
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The site did not start.')
}

const OWN = { DEMO_DATA: 'off', RATE_LIMIT: 'off', NODE_ENV: 'production', LOG_LEVEL: 'silent' }

/** The site as `npm start` runs it. */
export async function startSite(env: Record<string, string>): Promise<Running> {
  const port = await freePort()
  const child = begin('server/main.ts', { ...OWN, PORT: String(port), ...env })
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(origin, child)
  return { origin, stop: () => stop(child) }
}

export interface Report {
  /** Milliseconds from the start to the index's first answer. */
  ready: number
  /** The longest that the event loop was busy meanwhile. */
  stall: number
}

export interface RunningApi extends Metered {
  report: Report
  /** Milliseconds until a write of another process is in a list, the worst of five. */
  measureSeen(): Promise<{ seen: number; memory: NodeJS.MemoryUsage }>
  measureMemory(): Promise<NodeJS.MemoryUsage>
}

/** The site in one process that tells how it does, while ten scripts a second are changed. Resolves once its index answers. */
export async function startApi(env: Record<string, string>): Promise<RunningApi> {
  const port = await freePort()
  const child = begin('bench/site.ts', { ...OWN, PORT: String(port), ...env })
  const report = await hear<Report>(child)
  return {
    origin: `http://127.0.0.1:${port}`,
    report,
    stop: () => stop(child),
    measureCpu: () => measureCpu(child),
    measureSeen: () => ask(child, 'seen'),
    measureMemory: () => ask(child, 'memory'),
  }
}

/** Bare node:http with the recorded answers, ready or made by JSON.stringify each time. */
export async function startReference(answers: string, how: 'ready' | 'stringify'): Promise<Metered> {
  const child = begin('bench/reference.ts', { ANSWERS: answers, HOW: how })
  const { port } = await hear<{ port: number }>(child)
  return { origin: `http://127.0.0.1:${port}`, stop: () => stop(child), measureCpu: () => measureCpu(child) }
}
