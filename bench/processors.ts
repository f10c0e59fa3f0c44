import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The processors that this process may run on; none where the system does not tell, which is everywhere but on Linux. */
export function readProcessors(): number[] {
  let status: string
  try {
    status = readFileSync('/proc/self/status', 'utf8')
  } catch {
    return []
  }
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? ''
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })
}

/** From now on this process and all that it starts run on these processors alone. */
export function stayOn(processors: readonly number[]): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', processors.join(','), String(process.pid)])
}
