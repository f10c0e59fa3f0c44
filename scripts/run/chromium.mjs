import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { must } from './processes.mjs'

const DEBIAN = '/usr/bin/chromium'
const WAIT = ['-o', 'DPkg::Lock::Timeout=300']

const succeeds = (command, args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0

function installFromDebian() {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) return false
  const isRoot = process.getuid?.() === 0
  const run = (args) => (isRoot ? succeeds('apt-get', args) : succeeds('sudo', ['-n', 'apt-get', ...args]))
  console.log('Installing Chromium...')
  return run([...WAIT, 'update', '-q']) && run([...WAIT, 'install', '-y', '-q', '--no-install-recommends', 'chromium'])
}

/** The browser for the tests: the one that CHROMIUM names, Debian's, or the one that Playwright brings. */
export async function findChromium(node) {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  if (existsSync(DEBIAN) || (installFromDebian() && existsSync(DEBIAN))) return DEBIAN
  await must(node, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'])
  return ''
}
