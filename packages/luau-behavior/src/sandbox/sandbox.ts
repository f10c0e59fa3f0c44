// Analyzes, compiles and runs scripts in child processes that can do nothing else.
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Card } from '../analyze.ts'
import { STOPPED } from '../capabilities.ts'
import type { Answer, Job } from './child.ts'
import type { CompileResult, RunResult } from './results.ts'

export type { CompileResult, RunResult } from './results.ts'

interface Checked {
  card: Card | undefined
  /** `hashTokens` of the script. */
  tokenSha256: string | null
  result: CompileResult
}

const NOT_CHECKED: Checked = { card: undefined, tokenSha256: null, result: { compiles: null, error: null } }

/** A script could not be analyzed: the analysis broke or took too long, or the sandbox is closed. */
export class SandboxError extends Error {}

export interface SandboxOptions {
  /** Number of processes, and of scripts at the same time. Default 1. */
  concurrency?: number
  /** Milliseconds after which a process without work ends. Default 60,000. */
  idleMs?: number
  /** Milliseconds of processor time for a run. Default 3,000. */
  runMs?: number
  /** Starts the processes from the built package if there is one, which takes half the processor time. Default false. */
  prefersBuild?: boolean
}

/** Longer than a process takes at most for a job; a process that has not answered by then is killed. */
const JOB_MS = 30_000
const MAX_HEAP_MB = 256

const BUILT_ENTRY = fileURLToPath(new URL('../../dist/sandbox/child.js', import.meta.url))
const ENTRY = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? 'child.ts' : 'child.js', import.meta.url))

function folderOf(specifier: string): string {
  const file = findPackageJSON(specifier, import.meta.url)
  if (file === undefined) throw new Error(`The package of ${specifier} was not found`)
  return path.dirname(file)
}

interface Waiting {
  job: Job
  resolve: (answer: Answer) => void
}

interface Slot {
  child: ChildProcess | undefined
  isBusy: boolean
  idleTimer: NodeJS.Timeout | undefined
}

/**
 * Runs untrusted Luau scripts. Nothing of a script runs in the caller's process: a script that breaks its process gets a
 * verdict like any other, and the process is replaced. Call `close` at the end; processes without work end by themselves.
 */
export class Sandbox {
  private readonly slots: Slot[]
  private readonly queue: Waiting[] = []
  private readonly idleMs: number
  private readonly runMs: number
  private readonly entry: string
  private isClosed = false

  constructor({ concurrency = 1, idleMs = 60_000, runMs = 3000, prefersBuild = false }: SandboxOptions = {}) {
    this.slots = Array.from({ length: concurrency }, () => ({ child: undefined, isBusy: false, idleTimer: undefined }))
    this.idleMs = idleMs
    this.runMs = runMs
    this.entry = prefersBuild && existsSync(BUILT_ENTRY) ? BUILT_ENTRY : ENTRY
  }

  /** Analyzes a script without running it. Throws a SandboxError if the analysis breaks. */
  async analyze(code: string): Promise<Card> {
    const answer = await this.add({ type: 'analyze', code })
    if (answer.type === 'card') return answer.card
    throw new SandboxError('The script could not be analyzed')
  }

  /** `hashTokens` of a script. Throws a SandboxError if that breaks. */
  async hash(code: string): Promise<string | null> {
    const answer = await this.add({ type: 'hash', code })
    if (answer.type === 'hashed') return answer.tokenSha256
    throw new SandboxError('The script could not be hashed')
  }

  /** Analyzes, hashes and compiles a script at once, within some 8 seconds. There is no card if the analysis breaks. */
  async check(code: string): Promise<Checked> {
    const answer = await this.add({ type: 'check', code })
    return answer.type === 'checked' ? answer : NOT_CHECKED
  }

  async compile(code: string): Promise<CompileResult> {
    const answer = await this.add({ type: 'compile', code })
    return answer.type === 'compiled' ? answer.result : { compiles: null, error: null }
  }

  /** Runs a script for at most `runMs`. What stopped it stands in `opaque`. */
  async run(code: string): Promise<RunResult> {
    const answer = await this.add({ type: 'run', code, limitMs: this.runMs })
    if (answer.type === 'ran') return answer.result
    return { capabilities: [], hosts: [], opaque: [{ reason: STOPPED.crash, count: 1 }] }
  }

  /** Ends all processes. What is still running or waiting is answered as if its process broke. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { resolve } of this.queue.splice(0)) resolve({ type: 'failed' })
    await Promise.all(this.slots.map((slot) => stop(slot)))
  }

  private add(job: Job): Promise<Answer> {
    if (this.isClosed) throw new SandboxError('The sandbox is closed')
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.queue.push({ job, resolve })
    this.work()
    return promise
  }

  private work(): void {
    const slot = this.slots.find(({ isBusy }) => !isBusy)
    const next = slot && this.queue.shift()
    if (!next) return
    slot.isBusy = true
    clearTimeout(slot.idleTimer)
    slot.child ??= startChild(this.entry)
    void ask(slot, slot.child, next.job)
      .then(next.resolve)
      .finally(() => {
        slot.isBusy = false
        if (!this.isClosed) slot.idleTimer = setTimeout(() => void stop(slot), this.idleMs).unref()
        this.work()
      })
  }
}

/** Has a process do a job. A process that ends or does not answer is a failed job; the next job gets a new process. */
async function ask(slot: Slot, child: ChildProcess, job: Job): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const fail = (): void => resolve({ type: 'failed' })
  const take = resolve as (message: unknown) => void
  const timer = setTimeout(fail, JOB_MS)
  child.once('message', take).once('exit', fail).once('error', fail)
  child.send(job, (error) => {
    if (error) fail()
  })
  const result = await promise
  clearTimeout(timer)
  // Only these: Node has listeners of its own on a process.
  child.off('message', take).off('exit', fail).off('error', fail)
  if (result.type === 'failed') await stop(slot)
  return result
}

/** Arguments of Node for a process without rights: it may read its own code and start threads, and nothing else. */
export function childArguments(): string[] {
  return [
    '--permission',
    '--allow-worker',
    ...['.', 'luau-web'].map((name) => `--allow-fs-read=${folderOf(name)}`),
    `--max-old-space-size=${MAX_HEAP_MB}`,
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
  ]
}

/** Other programs, such as the caller's, go first. The threads that a process starts later inherit its priority. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has ended, which the `exit` event reports.
  }
}

function startChild(entry: string): ChildProcess {
  const child = fork(entry, [], {
    execArgv: childArguments(),
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  lowerPriority(child)
  child.unref()
  child.channel?.unref()
  return child
}

async function stop(slot: Slot): Promise<void> {
  const { child } = slot
  slot.child = undefined
  clearTimeout(slot.idleTimer)
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const { promise, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve()).once('error', () => resolve())
  child.ref()
  child.kill('SIGKILL')
  await promise
}
