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

/** How to run npm: a program, its first arguments, and options of `spawn`. Without a shell, except on Windows. */
export function npmCommand() {
  const npm = process.env.npm_execpath
  if (npm?.endsWith('.js')) return { program: process.execPath, first: [npm], options: {} }
  return { program: isWindows ? 'npm.cmd' : 'npm', first: [], options: { shell: isWindows } }
}

export function install() {
  if (isInstalled()) return
  console.log('Installing dependencies...')
  // The build and the tests need dev dependencies, also if NODE_ENV is production.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { program, first, options } = npmCommand()
  const result = spawnSync(program, [...first, ...args], { ...options, stdio: ['ignore', 'inherit', 'inherit'] })
  if (result.status === 0) return
  console.error('The dependencies could not be installed. Check the network and the free space, then try again.')
  process.exit(1)
}
