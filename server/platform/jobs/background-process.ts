import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'

/**
 * One thread for everything, garbage collection included, which would otherwise run with the priority that the process started
 * with. With helper threads on two processors, requests wait for more than 20 ms while an index is built, which becomes no faster.
 */
const NODE_OPTIONS = ['--single-threaded-gc', '--v8-pool-size=1']

const STOP_TIMEOUT_MS = 8000

interface BackgroundOptions {
  signal: AbortSignal
  /** It applies from the start, because loading the modules takes a second of processor time. */
  priority?: number | undefined
  /** Whether the process gets time to stop what it has started, such as a PostgreSQL; else it is killed at the end. */
  stopsItself?: boolean
}

/**
 * Runs a task in a child process beside requests and returns the message that it sends. Rejects if it exits without one or
 * the signal is aborted. Its errors go to standard error. Resolves after its exit.
 */
export async function runInBackground<Result>(
  program: string,
  task: object,
  { signal, priority, stopsItself = false }: BackgroundOptions,
): Promise<Result> {
  signal.throwIfAborted()
  const child = startProcess(program, priority)
  const exited = once(child, 'exit')
  try {
    child.send(task)
    const failure = exited.then(([code, name]) => {
      throw new Error(`the process exited (${name ?? code})`)
    })
    const [result] = (await Promise.race([once(child, 'message', { signal }), failure])) as [Result]
    return result
  } finally {
    if (child.connected) child.disconnect()
    const timeout = setTimeout(() => child.kill('SIGKILL'), stopsItself ? STOP_TIMEOUT_MS : 0)
    await exited
    clearTimeout(timeout)
  }
}

function startProcess(program: string, priority?: number): ChildProcess {
  const child = fork(program, {
    execArgv: NODE_OPTIONS,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  child.on('error', () => {})
  if (priority !== undefined) changePriority(child, priority)
  return child
}

function changePriority({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // It has exited.
  }
}
