import { once } from 'node:events'
import { constants } from 'node:os'
import { startBackgroundProcess } from '#server/jobs/background-process.ts'

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
  const child = startBackgroundProcess(program, priority)
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
