import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SETTINGS } from '#server/config.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { openSiteFolder, type SiteFolder } from '#tests/support/site-process.ts'

const root = path.resolve(import.meta.dirname, '..')
const NOBODY = '65534'
/** Mounts the project read-only in another folder and runs a command as a user who owns nothing. */
const RUN_READ_ONLY = `mount --bind "$1" "$2" && mount -o remount,bind,ro "$2" && cd "$2" && shift 2 &&
  exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups "$@"`

const canMount =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

let site: SiteFolder
let home: string
beforeEach(() => {
  site = openSiteFolder()
  home = path.join(site.folder, 'a path, 100% späces 日本')
  mkdirSync(path.join(home, 'program'), { recursive: true })
  mkdirSync(path.join(home, 'tmp'))
  if (canMount) for (const folder of [home, path.join(home, 'tmp')]) chmodSync(folder, 0o777)
})
afterEach(() => site.close())

/** A script of the project, which lies in a read-only folder where that is possible. */
function commandOf(...args: string[]): [program: string, args: string[]] {
  if (!canMount) return [process.execPath, args]
  const program = path.join(home, 'program')
  return ['unshare', ['-m', 'sh', '-c', RUN_READ_ONLY, 'sh', root, program, process.execPath, ...args]]
}

function environment(settings: Record<string, string>) {
  const own = { DEMO_DATA: 'off', LOG_LEVEL: 'warn', ...settings }
  const unset = Object.fromEntries(SETTINGS.map((name) => [name, '']))
  return { PATH: process.env['PATH'], TMPDIR: path.join(home, 'tmp'), NODE_ENV: 'production', ...unset, ...own }
}

const run = (settings: Record<string, string>, ...command: string[]) => {
  const [program, args] = commandOf(...command)
  return execFileSync(program, args, { cwd: root, env: environment(settings), encoding: 'utf8', stdio: 'pipe' })
}

test('a site runs, is backed up and restored from a read-only program below folders with any names', async () => {
  const port = await findFreePort()
  const settings = { PORT: String(port), DATA_DIR: path.join(home, 'dàta, "1"') }
  const [program, args] = commandOf('scripts/run.mjs', 'start')
  const child = spawn(program, args, { cwd: root, env: environment(settings), stdio: ['ignore', 'pipe', 'inherit'] })
  site.watch(child)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await expect.poll(() => output, { timeout: 60_000 }).toContain(`with data in ${settings.DATA_DIR}`)
  const page = await fetch(`http://127.0.0.1:${port}/scripts`)
  expect([page.status, (await page.text()).includes('</html>')]).toEqual([200, true])
  const backup = path.join(home, 'båckup, 1')
  expect(run(settings, 'scripts/backup.ts', backup)).toContain(`to ${backup}.`)
  child.kill('SIGTERM')
  await once(child, 'exit')
  const restored = { ...settings, DATA_DIR: path.join(home, 'rèstored') }
  expect(run(restored, 'scripts/restore.ts', backup)).toContain('Start the site')
  expect(existsSync(path.join(restored.DATA_DIR, 'secret-key'))).toBe(true)
  // Nothing was built, installed or compiled into the program, which the user may not write to.
  expect(output).not.toContain('Building')
})
