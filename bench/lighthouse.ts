// npm run bench lighthouse: Lighthouse (mobile) over the public pages of the demo catalogue.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { makeFolder } from './folder.ts'
import { startSite } from './processes.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']

async function findAddresses(origin: string): Promise<string[]> {
  const answer = await fetch(`${origin}/api/scripts?sort=rating_average&limit=1`)
  const { scripts } = (await answer.json()) as { scripts: { slug: string }[] }
  return ['/', `/scripts/${scripts[0]?.slug ?? ''}`, '/terms']
}

async function judge(url: string, port: number): Promise<Record<string, number>> {
  const run = await lighthouse(url, { port, output: 'json', logLevel: 'error', onlyCategories: [...CATEGORIES] })
  if (!run) throw new Error(`Lighthouse gave nothing for ${url}`)
  const { categories, audits } = run.lhr
  const scores = CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)])
  const value = (name: string) => Math.round((audits[name]?.numericValue ?? 0) * 1000) / 1000
  return {
    ...(Object.fromEntries(scores) as Record<string, number>),
    'FCP ms': Math.round(value('first-contentful-paint')),
    'LCP ms': Math.round(value('largest-contentful-paint')),
    'TBT ms': Math.round(value('total-blocking-time')),
    'SI ms': Math.round(value('speed-index')),
    CLS: value('cumulative-layout-shift'),
  }
}

const folder = await makeFolder()
const site = await startSite({ DATA_DIR: path.join(folder, 'data'), DEMO_DATA: 'on' })
const chromePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const browser = await launch({ chromePath, chromeFlags: FLAGS })
try {
  const rows: Record<string, Record<string, number>> = {}
  for (const address of await findAddresses(site.origin))
    rows[address] = await judge(site.origin + address, browser.port)
  console.table(rows)
} finally {
  browser.kill()
  await site.stop()
  await rm(folder, { recursive: true, force: true })
}
