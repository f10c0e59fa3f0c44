import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { SandboxError } from '@scriptyard/luau-behavior/sandbox'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Analyzer } from '#server/features/behavior/analyze.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { Author, HARMLESS, type Put, REMOTE, signInModerator, statesOf, unique } from '#tests/support/releases.ts'
import {
  checkVersions,
  findInconsistencies,
  publish,
  sendChange,
  sendRelease,
  type SignedIn,
} from '#tests/support/scripts.ts'
import { resumeChecks } from './checks.ts'
import { decideWaitingWith } from './release.ts'

let site: TestApp
let moderator: SignedIn
let author: Author
/** Replaces functions of the analyzer while set. */
let analyzer: Partial<Analyzer> = {}

beforeAll(async () => {
  const published: Analyzer = {
    hash: fakeSandboxes.published.hash,
    analyze: (code) => (analyzer.analyze ?? fakeSandboxes.published.analyze)(code),
    compile: (code) => (analyzer.compile ?? fakeSandboxes.published.compile)(code),
    run: (code) => (analyzer.run ?? fakeSandboxes.published.run)(code),
  }
  site = await createTestApp({}, { sandboxes: { ...fakeSandboxes, published } })
  moderator = await signInModerator(site)
})
beforeEach(async () => {
  analyzer = {}
  author = await Author.create(site)
})
const checkConsistency = async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
}
afterAll(async () => {
  await checkConsistency()
  await site.close()
})

const raw = async (id: number) => (await site.app.inject(`/raw/lamp-${id}`)).body
const change = (id: number, body: object) => sendChange(site, author.headers, id, body)
const options = () => ({ db: site.db, jobs: site.jobs, emit: async () => {} })
describe('code by PUT versions', () => {
  const states = async (id: number, script_content: string) => {
    const response = await author.put(id, { script_content })
    return [response.statusCode, response.json<Put>().version.state]
  }

  test('is only read: without a reason it is being checked, and a job makes it current', async () => {
    const former = unique(HARMLESS)
    const id = await author.make(former)
    const code = unique(HARMLESS)
    expect(await states(id, code)).toEqual([201, 'checking'])
    expect(await raw(id)).toBe(former)
    expect(await author.waiting(id, {})).toMatchObject({ number: 2, state: 'checking', held: null })
    await checkVersions(site)
    expect(await raw(id)).toBe(code)
  })

  test('with a reason is held at once, and by what the run finds later', async () => {
    const id = await author.make()
    expect(await states(id, unique(REMOTE))).toEqual([202, 'held'])
    const code = unique(`${HARMLESS} -- run`)
    analyzer.run = async () => ({
      capabilities: [
        {
          id: 'net.webhook',
          certainty: 'run',
          evidence: [{ line: 1, endLine: 1, excerpt: 'x', detail: 'request to https://discord.com/api/webhooks/1' }],
          count: 1,
        },
      ],
      hosts: [{ host: 'discord.com', line: 1, contacted: true }],
      opaque: [],
    })
    expect(await states(id, code)).toEqual([201, 'checking'])
    await checkVersions(site, analyzer)
    expect(await author.waiting(id)).toMatchObject({
      number: 3,
      held: { reasons: [{ id: 'net.webhook', host: 'discord.com', line: 1 }] },
    })
  })

  test('waits for the analysis of the current code', async () => {
    const id = await author.make()
    const code = unique(HARMLESS)
    await author.put(id, { script_content: code })
    await sql`update behavior_cards c set status = 'pending' from script_versions v
      where v.script_id = ${id} and v.number = 1 and c.sha256 = v.sha256`.execute(site.db)
    const { rows } = await sql<{ sha256: string }>`select sha256 from script_versions
      where script_id = ${id} and number = 2`.execute(site.db)
    await sql`update behavior_cards set status = 'ready' where sha256 = ${rows[0]?.sha256 ?? ''}`.execute(site.db)
    await decideWaitingWith(options(), rows[0]?.sha256 ?? '')
    expect((await statesOf(site, id)).at(-1)).toEqual([2, 'checking'])
  })
})

describe('a check that fails', () => {
  const crash = async (): Promise<never> => {
    throw new SandboxError('The process ended.')
  }

  test.each([
    ['first', async () => publish(site, author.headers, { script_content: unique(HARMLESS) })],
    [
      'later',
      async () => {
        const id = await author.make()
        await change(id, { script_content: unique(HARMLESS) })
        return id
      },
    ],
  ])('because the analyzer crashed holds a %s version', async (_name, write) => {
    analyzer = { analyze: crash, compile: async () => ({ compiles: null, error: null }) }
    const id = await write()
    analyzer = {}
    // The crash was that of the new code or of the code that it is compared with.
    expect(await author.waiting(id)).toMatchObject({ state: 'held', held: { reasons: [{ id: 'check_failed' }] } })
  })

  test('because it takes too long leaves the version checking, and a job decides', async () => {
    const finish = Promise.withResolvers<void>()
    const id = await author.make()
    const code = unique(HARMLESS)
    analyzer.compile = async () => {
      await finish.promise
      return { compiles: true, error: null }
    }
    expect((await change(id, { script_content: code })).json()).toMatchObject({
      script: { waiting: { state: 'checking' } },
    })
    finish.resolve()
    analyzer = {}
    await sql`update script_versions set state_since = now() - interval '1 minute' where script_id = ${id}`.execute(
      site.db,
    )
    await resumeChecks(site.db, site.jobs)
    const { rows } = await sql<{ jobs: number }>`select count(*) as jobs from jobs.job
      where singleton_key = ${`version-${id}`}`.execute(site.db)
    expect(rows).toEqual([{ jobs: 1 }])
    await checkVersions(site)
    expect(await raw(id)).toBe(code)
  })

  test('of a newer analyzer than the one that held it changes nothing until the new card is there', async () => {
    const id = await author.make()
    await change(id, { script_content: unique(REMOTE) })
    await sql`update behavior_cards set analyzer_version = ${ANALYZER_VERSION - 1} where sha256 in
      (select sha256 from script_versions where script_id = ${id})`.execute(site.db)
    await change(id, { declared_capabilities: ['code.remote'] })
    expect(await author.waiting(id)).toMatchObject({ state: 'held', held: { reasons: [{ id: 'code.remote' }] } })
    await checkVersions(site)
    expect(await author.waiting(id)).toMatchObject({ state: 'held' })
    expect((await sendRelease(site, moderator, id, 2)).statusCode).toBe(200)
  })
})
