// npm run bench lighthouse: Lighthouse (mobile) over the public pages of the demo catalogue, each three times. Lighthouse
// is downloaded by npx on the first run: only this benchmark needs it.
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { makeTemporaryFolder } from './data.ts'
import { startSite } from './processes.ts'
import { findPublicPages } from './public-pages.ts'
import { findChromium } from '../../scripts/run/chromium.mjs'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const RUNS = 3
const MAX_REPORT_BYTES = 64 * 1024 * 1024
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']

const browser = (await findChromium(process.execPath)) || chromium.executablePath()

type Scores = Record<string, number>

interface Report {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { numericValue?: number }>
}

async function runLighthouse(url: string): Promise<Scores> {
  const options = [
    '--quiet',
    '--output=json',
    `--only-categories=${CATEGORIES.join()}`,
    `--chrome-flags=${FLAGS.join(' ')}`,
  ]
  const { stdout } = await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...options], {
    env: { ...process.env, CHROME_PATH: browser },
    maxBuffer: MAX_REPORT_BYTES,
  })
  const { categories, audits } = JSON.parse(stdout) as Report
  const scores = CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)])
  const value = (name: string) => Math.round((audits[name]?.numericValue ?? 0) * 1000) / 1000
  return {
    ...(Object.fromEntries(scores) as Scores),
    'FCP ms': Math.round(value('first-contentful-paint')),
    'LCP ms': Math.round(value('largest-contentful-paint')),
    'TBT ms': Math.round(value('total-blocking-time')),
    'SI ms': Math.round(value('speed-index')),
    CLS: value('cumulative-layout-shift'),
  }
}

/** The run with the median performance score. The other scores do not vary. */
async function runRepeatedly(url: string): Promise<Scores> {
  const runs: Scores[] = []
  for (let run = 0; run < RUNS; run++) runs.push(await runLighthouse(url))
  runs.sort((one, other) => (one['performance'] ?? 0) - (other['performance'] ?? 0))
  return runs[Math.floor(RUNS / 2)] ?? {}
}

const folder = await makeTemporaryFolder()
const site = await startSite({ DATA_DIR: path.join(folder, 'data'), DEMO_DATA: 'on' })
try {
  const rows: Record<string, Scores> = {}
  for (const address of await findPublicPages(site.origin)) {
    rows[address] = await runRepeatedly(site.origin + address)
    console.log(address, rows[address])
  }
  console.table(rows)
} finally {
  await site.stop()
  await rm(folder, { recursive: true, force: true })
}
