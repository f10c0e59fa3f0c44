import { execFileSync } from 'node:child_process'

export function findChildren(parent: number | undefined): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const processes = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return processes.filter(([, ppid]) => ppid === parent).flatMap(([pid]) => pid ?? [])
}
