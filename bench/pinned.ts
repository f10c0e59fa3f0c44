import { execFileSync } from 'node:child_process'

/** The words before a command that keep it on one processor; none where there is no taskset. */
export const ON_ONE_PROCESSOR: readonly string[] = findPinning()

function findPinning(): string[] {
  try {
    const told = execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8', stdio: 'pipe' })
    const first = /: (\d+)/.exec(told)?.[1]
    return first === undefined ? [] : ['taskset', '-c', first]
  } catch {
    return []
  }
}
