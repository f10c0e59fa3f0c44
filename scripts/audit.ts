// npm run audit: fails if the registry knows an advisory of high severity or more for a package that the site runs with.
import { spawnSync } from 'node:child_process'
import { readAudit } from './audit/read-audit.ts'

const ARGS = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000']
const { npm_execpath: npm } = process.env
const options = { encoding: 'utf8', maxBuffer: 64 * 2 ** 20, shell: process.platform === 'win32' } as const
const { stdout } = npm?.endsWith('.js')
  ? spawnSync(process.execPath, [npm, ...ARGS], { ...options, shell: false })
  : spawnSync('npm', ARGS, options)

const { isBad, text } = readAudit(stdout ?? '')
console.log(text)
process.exit(isBad ? 1 : 0)
