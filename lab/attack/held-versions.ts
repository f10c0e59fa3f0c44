// Hostile updates and visitors at once, while workers and the whole site are killed: nobody gets a byte of a held version.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeApiToken, makeMember, makeScript } from '#tests/support/factories.ts'
import { HARMLESS, REMOTE } from '#tests/support/releases.ts'
import { checkSums } from './checks.ts'
import { Client, json } from './client.ts'
import { findWorker } from './kills.ts'
import { Random } from './random.ts'
import type { Report } from './report.ts'
import { AttackedSite } from './site.ts'

/** Scripts, each of another author. */
const SCRIPTS = 40
const VISITORS = 16
/** In the code, the notes and the number of each hostile update, and nowhere else. */
const MARK = '66.6.'
const WAIT_MS = 120_000
/** Between the tries while the site starts. */
const PAUSE_MS = 200

export interface HeldOptions {
  seed: number
  publications: number
  requests: number
  report: Report
}

interface Published {
  id: number
  /** Of its first version. */
  sha256: string
  headers: { authorization: string }
}

const mark = (serial: number): string => `${MARK}${serial}`

/** Each address under which a visitor could get code of a script, or anything else about its versions. */
const scriptPaths = ({ id, sha256 }: Published): string[] => {
  const slug = `lamp-${id}`
  return [
    `/raw/${slug}`,
    `/raw/${slug}?version=2`,
    `/scripts/${slug}`,
    `/api/script-download?id=${id}`,
    `/api/script-version?id=${id}&number=2`,
    `/embed/${slug}`,
    `/badge/${slug}/version.svg`,
    `/api/script-details-slug?slug=${slug}`,
    `/api/script-versions?id=${id}`,
    `/api/v1/scripts/${slug}`,
    `/api/v1/scripts/${slug}/versions`,
    `/api/v1/scripts/${slug}/versions/2`,
    `/api/v1/scripts/${slug}/update?from=${sha256}`,
    `/feeds/versions.atom?id=${id}`,
    `/feeds/versions.json?id=${id}`,
  ]
}
const LIST_PATHS = [
  '/',
  `/?q=${MARK}`,
  '/api/scripts',
  `/api/scripts?search=${MARK}`,
  '/api/v1/scripts',
  '/feeds/scripts.atom',
  '/feeds/scripts.json',
]

export async function attackHeldVersions({ seed, publications, requests, report }: HeldOptions): Promise<void> {
  const site = new AttackedSite({ settings: { WORKERS: '2' } })
  try {
    await site.start()
    const random = new Random(seed)
    const scripts: Published[] = []
    for (let i = 0; i < SCRIPTS; i++) {
      const author_id = await makeMember(site.db)
      const { authorization } = await makeApiToken(site.db, author_id)
      const content = `${HARMLESS}\nreturn ${i}`
      const id = await makeScript(site.db, { author_id, title: 'Lamp', content })
      const sha256 = createHash('sha256').update(content).digest('hex')
      scripts.push({ id, sha256, headers: { authorization } })
    }
    const client = new Client(site.port, report, VISITORS + 1)
    let served = 0
    const visit = async () => {
      while (served < requests) {
        const paths = random.chance(0.2) ? LIST_PATHS : scriptPaths(random.pick(scripts))
        const path = random.pick(paths)
        const { status, text } = await client.send({ method: 'GET', path })
        // An answer repeats the number that it was asked for.
        const leaks = !path.includes(MARK) && text.includes(MARK)
        if (status === 0 || status === 503) {
          await sleep(PAUSE_MS)
          continue
        }
        served++
        report.check(status < 500, () => `${path} answered ${status}`)
        report.check(!leaks && !text.includes('hub.example'), () => `${path} answered with a held version`)
      }
    }
    const publish = async () => {
      for (let serial = 0; serial < publications; serial++) {
        const { id, headers } = scripts[serial % SCRIPTS] as Published
        const send = () =>
          client.send({
            method: 'PUT',
            path: `/api/v1/scripts/lamp-${id}/versions`,
            headers: { ...headers, 'content-type': 'application/json' },
            body: json({
              script_content: `${REMOTE}\n-- ${mark(serial)}`,
              version: mark(serial),
              changelog: mark(serial),
            }),
          })
        let response = await send()
        while (response.status === 0 || response.status === 503) {
          await sleep(PAUSE_MS)
          response = await send()
        }
        report.check([200, 201, 202, 409].includes(response.status), () => `an update answered ${response.text}`)
        // The first kill hits a worker, the next ones the whole site.
        if (serial === publications >> 2) process.kill(findWorker(site.pid), 'SIGKILL')
        if (serial === publications >> 1 || serial === publications - 1) {
          await site.kill('SIGKILL')
          await site.start()
        }
      }
    }
    await Promise.all([publish(), ...Array.from({ length: VISITORS }, visit)])
    report.check(await isChecked(site), () => 'a version was still in its check two minutes after the start')
    await checkSums(report, site.pool)
    const { rows } = await site.pool.query<{ state: string }>(
      'select distinct state from script_versions where number > 1',
    )
    report.check(!rows.some(({ state }) => state === 'published'), () => 'a hostile update was published')
    report.check(
      rows.some(({ state }) => state === 'held'),
      () => 'no hostile update was held',
    )
    client.close()
  } finally {
    await site.close()
  }
}

async function isChecked(site: AttackedSite): Promise<boolean> {
  const end = performance.now() + WAIT_MS
  while (performance.now() < end) {
    const { rowCount } = await site.pool
      .query("select from script_versions where state = 'checking'")
      .catch(() => ({ rowCount: 1 }))
    if (rowCount === 0) return true
    await sleep(PAUSE_MS)
  }
  return false
}
