// Runs the command `scriptyard` as a person or a build does.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const PACKAGE = path.resolve(import.meta.dirname, '../../packages/cli')
export const CLI = path.join(PACKAGE, 'src/cli.ts')
export const ACTION = path.join(PACKAGE, 'action/publish.sh')

const folders: string[] = []

export function makeFolder(): string {
  const created = mkdtempSync(path.join(tmpdir(), 'scriptyard-cli-'))
  folders.push(created)
  return created
}

export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

export interface RunOptions {
  env?: object
  input?: string
  /** Sends SIGINT, as Ctrl-C does, when the program has written this to standard error. */
  interruptOn?: string
}

interface Result {
  code: number
  out: string
  err: string
}

/** `home` has the stored tokens. */
export function runCommand(
  command: string,
  args: string[],
  { folder, home, env = {}, input = '', interruptOn }: RunOptions & { folder: string; home: string },
): Promise<Result> {
  return new Promise((resolve) => {
    const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
    const child = execFile(
      command,
      args,
      { cwd: folder, env: { PATH, TMPDIR, NODE_COMPILE_CACHE, HOME: home, XDG_CONFIG_HOME: home, ...env } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    let seen = ''
    child.stderr?.on('data', (text: string) => {
      seen += text
      if (interruptOn !== undefined && seen.includes(interruptOn) && !child.killed) child.kill('SIGINT')
    })
    // A program that reads no input may have closed it.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
