import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { at, isWindows } from './place.mjs'

const readPackages = (lock) => JSON.parse(readFileSync(at(lock), 'utf8')).packages

// npm notes what it installed when it is done. Parts for other systems are missing from that note.
function isInstalled() {
  try {
    const installed = readPackages('node_modules/.package-lock.json')
    return Object.entries(readPackages('package-lock.json')).every(([place, { version, optional }]) =>
      installed[place] ? installed[place].version === version : optional || place === '',
    )
  } catch {
    return false
  }
}

/** Installs what the lock file names, unless that is what stands in node_modules. */
export function install() {
  if (isInstalled()) return
  console.log('Installing dependencies...')
  // The build and the tests need all of it, also where NODE_ENV says production.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const isScript = npm?.endsWith('.js')
  const result = isScript
    ? spawnSync(process.execPath, [npm, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
    : spawnSync(isWindows ? 'npm.cmd' : 'npm', args, { stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows })
  if (result.status === 0) return
  console.error('The dependencies could not be installed. Check the network and the free space, then try again.')
  process.exit(1)
}
