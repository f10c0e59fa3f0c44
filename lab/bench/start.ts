// npm run bench start [-- --starts 5]
// The site as `npm start` runs it, with the demo catalogue in an existing data folder: time from the start of the process to
// the first page, and memory of the process after a minute without requests.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findFreePort } from '#tests/support/free-port.ts'
import { makeTemporaryFolder } from './data.ts'
import { median } from './load.ts'
import { printReport } from './report.ts'

const MAX_SECONDS = 1.5
const MAX_MEGABYTES = 200
const IDLE_MS = 60_000
const program = path.resolve(import.meta.dirname, '../../server/main.ts')

const { values } = parseArgs({ options: { starts: { type: 'string', default: '5' } } })
const folder = await makeTemporaryFolder()

/** Starts the site and requests its first page. Returns the seconds until then and a function that stops it. */
async function start() {
  const port = await findFreePort()
  const env = { ...process.env, NODE_ENV: 'production', DATA_DIR: path.join(folder, 'data'), PORT: String(port) }
  const startedAt = performance.now()
  const child = fork(program, { env, cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) break
    if (child.exitCode !== null) throw new Error('The site did not start.')
    await sleep(5)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const stop = async () => {
    child.disconnect()
    await ended
  }
  return { seconds, pid: child.pid ?? 0, stop }
}

/** Resident memory in MB, as Linux counts it. */
function readMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round((Number(kilobytes) * 1024) / 1e6)
}

try {
  const first = await start()
  await first.stop()
  const times: number[] = []
  for (let i = 0; i < Number(values.starts); i++) {
    const site = await start()
    times.push(site.seconds)
    await site.stop()
  }
  const site = await start()
  const rows = [
    { name: 'first start with the demo catalogue, s', measured: Number(first.seconds.toFixed(2)) },
    { name: 'first page on an existing folder, s', measured: Number(median(times).toFixed(2)), max: MAX_SECONDS },
    { name: 'process after its first page, MB', measured: readMemory(site.pid) },
  ]
  await sleep(IDLE_MS)
  rows.push({ name: 'idle process after a minute, MB', measured: readMemory(site.pid), max: MAX_MEGABYTES })
  await site.stop()
  printReport(rows)
} finally {
  await rm(folder, { recursive: true, force: true })
}
