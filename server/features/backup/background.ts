import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'

/** One thread for garbage collection, which would otherwise run with the priority that the process started with. */
const NODE_OPTIONS = ['--single-threaded-gc', '--v8-pool-size=1']
/** For the child process to stop its PostgreSQL. */
const STOP_TIMEOUT_MS = 8000

export interface BackgroundOptions {
  signal: AbortSignal
  priority?: number | undefined
}

/** Runs a task in a child process. Rejects if it exits without a message, or if the signal is aborted. */
export async function runInBackground<Result>(
  program: string,
  task: object,
  { signal, priority = constants.priority.PRIORITY_LOW }: BackgroundOptions,
): Promise<Result> {
  signal.throwIfAborted()
  const child = fork(program, {
    execArgv: NODE_OPTIONS,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  child.on('error', () => {})
  changePriority(child, priority)
  const exited = once(child, 'exit')
  try {
    child.send(task)
    const failure = exited.then(([code, name]) => {
      throw new Error(`the process exited (${name ?? code})`)
    })
    const [result] = (await Promise.race([once(child, 'message', { signal }), failure])) as [Result]
    return result
  } finally {
    // It stops its PostgreSQL first.
    if (child.connected) child.disconnect()
    const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exited
    clearTimeout(timeout)
  }
}

function changePriority({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // It has exited.
  }
}
