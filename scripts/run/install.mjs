import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { at, hashOf, isStale, isWindows } from './place.mjs'

const STAMP = 'node_modules/.lock-hash'

/** Installs what the lock file names, unless that is what stands in node_modules. */
export function install() {
  const lock = hashOf('package-lock.json')
  if (!isStale(STAMP, lock)) return
  console.log('Installing dependencies...')
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const isScript = npm?.endsWith('.js')
  const result = isScript
    ? spawnSync(process.execPath, [npm, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
    : spawnSync(isWindows ? 'npm.cmd' : 'npm', args, { stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows })
  if (result.status !== 0) {
    console.error('The dependencies could not be installed. Check the network and the free space, then try again.')
    process.exit(1)
  }
  writeFileSync(at(STAMP), lock)
}
