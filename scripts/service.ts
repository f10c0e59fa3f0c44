// npm run service [-- --user scriptyard] [--install]: prints a unit for systemd that runs this checkout with the settings of
// its .env, or installs and starts it.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/platform/config.ts'
import { readEnvironment } from '#server/platform/config/values.ts'
import { describeService } from './service-unit.ts'

const UNIT = '/etc/systemd/system/scriptyard.service'
const root = path.resolve(import.meta.dirname, '..')

const { values } = parseArgs({
  options: { user: { type: 'string' }, install: { type: 'boolean', default: false } },
})
const envFile = path.join(root, '.env')
const environment = readEnvironment(envFile)
const { dataDir, port, publicUrl, backup, walArchive } = readConfig(environment)
const unit = describeService({
  root,
  node: process.execPath,
  user: values.user ?? ownerOf(root),
  dataDir,
  backupFolders: [backup?.target, walArchive?.location].filter((location) => typeof location === 'string'),
  temporaryFolder: environment['TMPDIR'],
  port,
  envFile: existsSync(envFile) ? envFile : undefined,
})

if (values.install) install()
else console.log(unit)

function ownerOf(folder: string): string {
  try {
    return execFileSync('id', ['-nu', String(statSync(folder).uid)], { encoding: 'utf8' }).trim()
  } catch {
    return userInfo().username
  }
}

function install(): void {
  if (process.getuid?.() !== 0 || !existsSync('/run/systemd/system')) {
    console.error(
      'Installing a service needs root on a machine with systemd. Run it with sudo, or print the unit without --install.',
    )
    process.exit(1)
  }
  writeFileSync(UNIT, unit)
  for (const args of [['daemon-reload'], ['enable', '--now', 'scriptyard.service']]) {
    execFileSync('systemctl', args, { stdio: 'inherit' })
  }
  console.log(`The service scriptyard is running and starts with the machine. The site is at ${publicUrl}.`)
  console.log('Its log: journalctl -u scriptyard -f')
}
