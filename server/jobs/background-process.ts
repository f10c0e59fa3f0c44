import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'

/**
 * One thread for everything, garbage collection included, which would otherwise run with the priority that the process started
 * with. With helper threads on two processors, requests wait for more than 20 ms while an index is built, which becomes no faster.
 */
const NODE_OPTIONS = ['--single-threaded-gc', '--v8-pool-size=1']

/**
 * Starts a child process that runs beside requests. Its errors go to standard error. The priority applies from the start,
 * because loading the modules takes a second of processor time.
 */
export function startBackgroundProcess(program: string, priority?: number): ChildProcess {
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
