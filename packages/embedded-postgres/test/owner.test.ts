import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimCluster } from '../src/cluster.ts'
import { startPostgres } from '../src/index.ts'
import { findBinaries, findOwner, giveTo } from '../src/installation.ts'

let folder: string
let dataDir: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'embedded-postgres-owner-'))
  chmodSync(folder, 0o755)
  dataDir = path.join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o711 })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const start = () => startPostgres({ dataDir, user: 'owner', durable: false })

test('a folder that is no cluster is named with the reason of PostgreSQL', async () => {
  const cluster = path.join(dataDir, 'postgres')
  mkdirSync(cluster, { mode: 0o700 })
  writeFileSync(path.join(cluster, 'PG_VERSION'), '9\n')
  await expect(start()).rejects.toThrow(
    expect.objectContaining({ code: 'cannot_start', details: { folder: cluster }, message: expect.any(String) }),
  )
})

describe.runIf(process.getuid?.() === 0)('started by root', () => {
  test('takes over a cluster that root has copied', async () => {
    await (await start()).stop()
    const cluster = path.join(dataDir, 'postgres')
    giveTo({ uid: 0, gid: 0 }, cluster)
    chmodSync(cluster, 0o755)
    const postgres = await start()
    expect(lstatSync(path.join(cluster, 'PG_VERSION')).uid).toBe(findOwner(cluster).uid)
    expect(lstatSync(cluster).mode & 0o777).toBe(0o700)
    await postgres.stop()
  })

  test('gives links away and not their targets', () => {
    const target = path.join(folder, 'target')
    writeFileSync(target, '')
    const link = path.join(dataDir, 'link')
    symlinkSync(target, link)
    giveTo({ uid: 65_534, gid: 65_534 }, dataDir)
    expect([lstatSync(link).uid, lstatSync(target).uid]).toEqual([65_534, 0])
  })

  test('copies the binaries once if their user cannot reach those of the package', () => {
    const nobody = { uid: 65_534, gid: 65_534 }
    const first = findBinaries(nobody, folder, hiddenPackage())
    expect(first.postgres).toBe(path.join(folder, 'package-1.0.0/native/bin/postgres'))
    expect(lstatSync(first.postgres).mode & 0o005).toBe(0o005)
    expect(findBinaries(nobody, folder, hiddenPackage())).toEqual(first)
  })
})

test.runIf(process.getuid)('a package without links that is read-only is copied with them', () => {
  const installed = path.join(folder, 'package')
  const copies = path.join(folder, 'copies')
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  mkdirSync(path.join(installed, 'native/bin'), { recursive: true })
  mkdirSync(path.join(installed, 'native/lib'))
  mkdirSync(copies, { mode: 0o777 })
  chmodSync(copies, 0o777)
  writeFileSync(path.join(installed, 'package.json'), JSON.stringify({ name: '@scope/package', version: '1.0.0' }))
  writeFileSync(path.join(installed, 'native/pg-symlinks.json'), JSON.stringify(links))
  writeFileSync(path.join(installed, 'native/lib/libpq.so.5.18'), 'library')
  for (const name of ['bin', 'lib', '.']) chmodSync(path.join(installed, 'native', name), 0o555)
  const { postgres } = asOtherUser(() => findBinaries({}, copies, installed))
  expect(postgres).toBe(path.join(copies, 'package-1.0.0/native/bin/postgres'))
  expect(readFileSync(path.join(copies, 'package-1.0.0/native/lib/libpq.so.5'), 'utf8')).toBe('library')
  expect(existsSync(path.join(installed, 'native/lib/libpq.so.5'))).toBe(false)
})

test.runIf(process.getuid)('a cluster of another user is rejected without root', () => {
  const cluster = path.join(dataDir, 'postgres')
  mkdirSync(cluster, { mode: 0o700 })
  const { uid } = lstatSync(cluster)
  expect(() => claimCluster(cluster, { uid: uid + 1 })).toThrow(
    expect.objectContaining({ code: 'wrong_owner', details: { folder: cluster } }),
  )
})

/** Runs an action without the rights of root, which may write everywhere. */
function asOtherUser<T>(action: () => T): T {
  if (process.getuid?.() !== 0) return action()
  process.seteuid?.(65_534)
  try {
    return action()
  } finally {
    process.seteuid?.(0)
  }
}

/** A package with a program in a folder that only root may enter. */
function hiddenPackage(): string {
  const root = path.join(folder, 'hidden/package')
  mkdirSync(path.join(root, 'native/bin'), { recursive: true })
  chmodSync(path.join(folder, 'hidden'), 0o700)
  writeFileSync(path.join(root, 'package.json'), JSON.stringify({ name: '@scope/package', version: '1.0.0' }))
  writeFileSync(path.join(root, 'native/bin/postgres'), '', { mode: 0o700 })
  return root
}
