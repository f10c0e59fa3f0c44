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

/** What a task sends if it fails: the message of its error. */
interface Failure {
  error: string
}

/**
 * Runs a task in a child process beside requests, which passes it to `serveTask`, and returns its result. Rejects with the
 * error of the task, if the process exits without a result, and if the signal is aborted. Resolves after its exit.
 */
export async function runInBackground<Result extends object>(
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
    const [result] = (await Promise.race([once(child, 'message', { signal }), failure])) as [Result | Failure]
    if ('error' in result) throw new Error(result.error)
    return result
  } finally {
    if (child.connected) child.disconnect()
    const timeout = setTimeout(() => child.kill('SIGKILL'), stopsItself ? STOP_TIMEOUT_MS : 0)
    await exited
    clearTimeout(timeout)
  }
}

/**
 * The side of the child process: runs the task that its parent sends. `stop` ends what the task has started, once the parent
 * has exited, wants to stop, or has the result.
 */
export async function serveTask<Task>(
  run: (task: Task) => Promise<object>,
  stop: (task: Task) => Promise<void> = async () => {},
): Promise<void> {
  const receiving = once(process, 'message')
  process.on('disconnect', () => process.exit(1))
  const [task] = (await receiving) as [Task]
  process.removeAllListeners('disconnect')
  process.on('disconnect', () => void stop(task).finally(() => process.exit(0)))
  const result = await run(task).catch((error: Error): Failure => ({ error: error.message }))
  if (process.connected) process.send?.(result)
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
