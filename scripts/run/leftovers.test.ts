import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive, readPostmasterPid } from '#tests/support/site-process.ts'
import { stopServersIn } from './leftovers.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-leftovers-'))
  chmodSync(folder, 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

test('stops the PostgreSQL of a killed program', async () => {
  const dataDir = path.join(folder, 'cluster')
  const source = `import { startPostgres } from '#server/platform/db/embedded.ts'
    await startPostgres({ dataDir: process.argv[1], durable: false })
    console.log('started')`
  const args = ['--input-type=module', '-e', source, dataDir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const pid = readPostmasterPid(dataDir)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isAlive(pid)).toBe(true)
  stopServersIn(folder)
  await expect.poll(() => isAlive(pid), { timeout: 20_000, interval: 50 }).toBe(false)
})
