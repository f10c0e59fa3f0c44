import { spawn } from 'node:child_process'
import { statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFreePort } from '#tests/support/free-port.ts'
import { openSiteFolder, readPostmasterPid, type SiteFolder } from '#tests/support/site-process.ts'

const SOON = { timeout: 60_000, interval: 100 }
const program = path.join(import.meta.dirname, 'dev.ts')

let site: SiteFolder
beforeEach(() => {
  site = openSiteFolder()
})
afterEach(() => site.close())

test(
  'a changed file restarts the server in development, and PostgreSQL keeps running',
  { timeout: 120_000 },
  async () => {
    const port = await findFreePort()
    const settings = { DATA_DIR: site.dataDir, DEMO_DATA: 'off', PORT: String(port) }
    const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV: 'development', ...settings }
    const child = spawn(process.execPath, [program], { env, cwd: site.folder })
    site.watch(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const countStarts = () => output.split(' is at ').length - 1
    await expect.poll(countStarts, SOON).toBe(1)
    const postmaster = readPostmasterPid(site.dataDir)
    // Without a new time of modification, which would keep other tests from using the bundle of the server.
    utimesSync(program, new Date(), statSync(program).mtime)
    await expect.poll(countStarts, SOON).toBe(2)
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    expect(readPostmasterPid(site.dataDir)).toBe(postmaster)
  },
)
