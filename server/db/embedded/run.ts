import { spawn } from 'node:child_process'
import { PostgresFailure } from './failure.ts'
import type { Owner } from './owner.ts'

/** What every program of PostgreSQL gets: its messages in English, its times in UTC, nothing of ours. */
export function postgresOptions(owner: Owner, cwd: string) {
  const { PATH, SystemRoot } = process.env
  const env = { LC_ALL: 'C', TZ: 'UTC', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }) }
  return { ...owner, cwd, env, windowsHide: true }
}

/** Runs one of PostgreSQL's programs to its end; throws what it said when it failed. */
export function runProgram(program: string, args: string[], owner: Owner, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...postgresOptions(owner, cwd), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new PostgresFailure(output.trim()))))
  })
}
