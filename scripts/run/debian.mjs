import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

const WAIT = ['-o', 'DPkg::Lock::Timeout=300']

async function succeeds(command, args) {
  const [code] = await once(spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit').catch(() => [1])
  return code === 0
}

/** @type {Promise<boolean> | undefined} */
let updated

export async function findOfDebian(program, packageName) {
  if (existsSync(program)) return program
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return undefined
  const isRoot = process.getuid?.() === 0
  const run = (args) => (isRoot ? succeeds('apt-get', args) : succeeds('sudo', ['-n', 'apt-get', ...args]))
  console.log(`Installing ${packageName}...`)
  const install = [...WAIT, 'install', '-y', '-q', '--no-install-recommends', packageName]
  updated ??= run([...WAIT, 'update', '-q'])
  return (await updated) && (await run(install)) && existsSync(program) ? program : undefined
}
