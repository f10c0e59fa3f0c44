// npm run bench lighthouse: Lighthouse (mobile) over the public pages of the demo catalogue, each three times.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { launch } from 'chrome-launcher'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Giveaway } from '#contract/giveaways.ts'
import lighthouse from 'lighthouse'
import { makeTemporaryFolder } from './data.ts'
import { startSite } from './processes.ts'

const RUNS = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']

/** Every public page; of those there are many of, one each. */
async function findAddresses(origin: string): Promise<string[]> {
  const ask = async <T>(call: string) => (await fetch(`${origin}/api/${call}`)).json() as Promise<T>
  const { scripts } = await ask<ScriptList>('scripts?sort=rating_average&limit=1')
  const { data } = await ask<{ data: { giveaways: Giveaway[] } }>('giveaways')
  const [script] = scripts
  const drawn = data.giveaways.find(({ drawn_at }) => drawn_at)
  const some = [`/scripts/${script?.slug}`, `/profile/${script?.author_slug}`, `/giveaways/${drawn?.id}/draw`]
  return ['/', '/popular', '/showcases', '/giveaways', '/discord', '/privacy', '/terms', '/api/docs', ...some]
}

type Verdict = Record<string, number>

async function judge(url: string, port: number): Promise<Verdict> {
  const run = await lighthouse(url, { port, output: 'json', logLevel: 'error', onlyCategories: [...CATEGORIES] })
  if (!run) throw new Error(`Lighthouse gave nothing for ${url}`)
  const { categories, audits } = run.lhr
  const scores = CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)])
  const value = (name: string) => Math.round((audits[name]?.numericValue ?? 0) * 1000) / 1000
  return {
    ...(Object.fromEntries(scores) as Verdict),
    'FCP ms': Math.round(value('first-contentful-paint')),
    'LCP ms': Math.round(value('largest-contentful-paint')),
    'TBT ms': Math.round(value('total-blocking-time')),
    'SI ms': Math.round(value('speed-index')),
    CLS: value('cumulative-layout-shift'),
  }
}

/** Of several runs the one in the middle by performance, which alone changes from run to run. */
async function judgeOften(url: string, port: number): Promise<Verdict> {
  const verdicts: Verdict[] = []
  for (let run = 0; run < RUNS; run++) verdicts.push(await judge(url, port))
  verdicts.sort((one, other) => (one['performance'] ?? 0) - (other['performance'] ?? 0))
  return verdicts[Math.floor(RUNS / 2)] ?? {}
}

const folder = await makeTemporaryFolder()
const site = await startSite({ DATA_DIR: path.join(folder, 'data'), DEMO_DATA: 'on' })
const chromePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const browser = await launch({ chromePath, chromeFlags: FLAGS })
try {
  const rows: Record<string, Verdict> = {}
  for (const address of await findAddresses(site.origin))
    rows[address] = await judgeOften(site.origin + address, browser.port)
  console.table(rows)
} finally {
  browser.kill()
  await site.stop()
  await rm(folder, { recursive: true, force: true })
}
