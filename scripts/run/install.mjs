import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fromRoot, isWindows } from './paths.mjs'

const readPackages = (lock) => JSON.parse(readFileSync(fromRoot(lock), 'utf8')).packages

// npm records what it installed. Packages for other systems are missing from the record.
function isInstalled() {
  try {
    const installed = readPackages('node_modules/.package-lock.json')
    return Object.entries(readPackages('package-lock.json')).every(([file, { version, optional }]) =>
      installed[file] ? installed[file].version === version : optional || file === '',
    )
  } catch {
    return false
  }
}

export function install() {
  if (isInstalled()) return
  console.log('Installing dependencies...')
  // The build and the tests need dev dependencies, also if NODE_ENV is production.
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
