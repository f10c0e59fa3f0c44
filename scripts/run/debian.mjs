import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const WAIT = ['-o', 'DPkg::Lock::Timeout=300']

const succeeds = (command, args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0

/** Path of a program of a Debian package, which is installed if it is missing. Undefined if that fails. */
export function findOfDebian(program, packageName) {
  if (existsSync(program)) return program
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return undefined
  const isRoot = process.getuid?.() === 0
  const run = (args) => (isRoot ? succeeds('apt-get', args) : succeeds('sudo', ['-n', 'apt-get', ...args]))
  console.log(`Installing ${packageName}...`)
  const install = [...WAIT, 'install', '-y', '-q', '--no-install-recommends', packageName]
  return run([...WAIT, 'update', '-q']) && run(install) && existsSync(program) ? program : undefined
}
