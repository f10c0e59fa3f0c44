// A data folder on a small disk that fills up under writers and gets room again.
import { spawnSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkResponse } from './checks.ts'
import { Client } from './client.ts'
import type { Report } from './report.ts'
import { AttackedSite } from './site.ts'
import { Writers } from './writers.ts'

const DISK_BYTES = 300 * 2 ** 20
/** The disk is visible for the site only, and disappears with it. */
const MOUNT = `mount -t tmpfs -o size=${DISK_BYTES},mode=755 tmpfs "$1" && shift && exec "$@"`
const CHUNK = Buffer.alloc(2 ** 20)

/** While the disk is full, writes fail with 503 and reads succeed. Afterwards writes succeed, and none is lost. */
export async function fillDisk({ seconds, report }: { seconds: number; report: Report }): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || spawnSync('unshare', ['-m', 'true']).status !== 0) {
    report.skip('because mounting a small disk needs root on Linux')
    return
  }
  const site = new AttackedSite({ wrap: (dataDir) => ['unshare', '-m', 'sh', '-c', MOUNT, 'sh', dataDir] })
  try {
    await site.start()
    const filler = join(`/proc/${site.pid}/root`, site.dataDir, '.filler')
    const writers = new Writers(site, report)
    await writers.start()
    await writers.waitFor(100)
    fill(filler)
    await readFor(seconds, site, report)
    rmSync(filler)
    await writers.waitFor(100)
    await writers.stop()
    await writers.verify(site.pool)
    writers.close()
  } finally {
    await site.close()
  }
}

function fill(file: string): void {
  for (let size = CHUNK.length; size >= 512;) {
    try {
      appendFileSync(file, CHUNK.subarray(0, size))
    } catch {
      size /= 2
    }
  }
}

async function readFor(seconds: number, site: AttackedSite, report: Report): Promise<void> {
  const client = new Client(site.port, report)
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(50)) {
    for (const path of ['/', '/api/scripts?sort=title', '/api/site', '/healthz']) {
      const response = await client.send({ method: 'GET', path })
      checkResponse(report, path, response)
      report.check(response.status === 200, () => `${path} answered ${response.status} on a full disk`)
    }
  }
  client.close()
}
