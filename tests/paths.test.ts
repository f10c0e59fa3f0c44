import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SETTINGS } from '#server/platform/config.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'
import { openSiteFolder, type SiteFolder } from '#tests/support/site-process.ts'

const root = path.resolve(import.meta.dirname, '..')
/** A user who owns nothing. */
const NOBODY = '65534'
/** Mounts the program $1 read-only at $2, for this process only, and runs the rest of the command there as that user. */
const RUN_READ_ONLY = `mount --bind "$1" "$2" && mount -o remount,bind,ro "$2" && cd "$2" && shift 2 &&
  exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups "$@"`

const canMount =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

let site: SiteFolder
let home: string
beforeEach(() => {
  site = openSiteFolder()
  home = path.join(site.folder, "Ada's 100% ü日")
  for (const folder of [home, path.join(home, 'tmp')]) {
    mkdirSync(folder)
    chmodSync(folder, 0o777)
  }
  mkdirSync(path.join(home, 'the program'))
})
afterEach(() => site.close())

function readOnly(...command: string[]): string[] {
  const mount = ['sh', '-c', RUN_READ_ONLY, 'sh', root, path.join(home, 'the program')]
  return ['-m', ...mount, process.execPath, ...command]
}

function environmentOf(settings: Record<string, string>) {
  // Over those of an .env file.
  const unset = Object.fromEntries(SETTINGS.map((name) => [name, '']))
  const own = { PATH: process.env['PATH'], TMPDIR: path.join(home, 'tmp'), NODE_ENV: 'production' }
  return { ...unset, ...own, DEMO_DATA: 'off', LOG_LEVEL: 'warn', ...settings }
}

const run = (settings: Record<string, string>, ...command: string[]) =>
  execFileSync('unshare', readOnly(...command), { env: environmentOf(settings), encoding: 'utf8', stdio: 'pipe' })

test.runIf(canMount)('a read-only program and its data may be in folders of any name', async () => {
  const port = await findFreePort()
  const settings = { PORT: String(port), DATA_DIR: path.join(home, 'dàta, "1"') }
  copyPreparedData(settings.DATA_DIR)
  execFileSync('chown', ['-R', NOBODY, settings.DATA_DIR])
  const child = spawn('unshare', readOnly('scripts/run.mjs', 'start'), { env: environmentOf(settings) })
  site.watch(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const started = `with data in ${settings.DATA_DIR}`
  await vi.waitUntil(() => child.exitCode !== null || output.includes(started), { timeout: 60_000 })
  expect(output).toContain(started)
  const page = await fetch(`http://127.0.0.1:${port}/scripts`)
  expect([page.status, (await page.text()).includes('</html>')]).toEqual([200, true])
  const backup = path.join(home, 'båckup $HOME')
  expect(run(settings, 'scripts/backup.ts', backup)).toContain(`to ${backup}.`)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  // Nothing was installed or built into the program.
  expect([code, output]).toEqual([0, expect.not.stringMatching(/Installing|Building|EROFS|read-only/i)])
  const restored = { ...settings, DATA_DIR: path.join(home, 'rèstored\\n') }
  expect(run(restored, 'scripts/restore.ts', backup)).toContain('Start the site')
  expect(existsSync(path.join(restored.DATA_DIR, 'secret-key'))).toBe(true)
})
