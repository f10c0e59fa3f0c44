import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { SandboxError } from '@scriptyard/luau-behavior/sandbox'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { analyzeCode, makeCard } from '#server/features/behavior/analyze.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import type { TestApp } from '#tests/support/app.ts'
import {
  Author,
  createReleaseSite,
  HARMLESS,
  type Put,
  type ReleaseSite,
  REMOTE,
  statesOf,
  unique,
} from '#tests/support/releases.ts'
import { checkVersions, publish, sendChange, sendRelease, type SignedIn } from '#tests/support/scripts.ts'
import { resumeChecks } from './checks.ts'
import { decideWaitingWith } from './release.ts'

let site: TestApp
let moderator: SignedIn
let analyzer: ReleaseSite['analyzer']
let restoreAnalyzer: ReleaseSite['restoreAnalyzer']
let close: ReleaseSite['close']
let author: Author
beforeAll(async () => {
  ;({ site, moderator, analyzer, restoreAnalyzer, close } = await createReleaseSite())
})
beforeEach(async () => {
  restoreAnalyzer()
  author = await Author.create(site)
})
afterAll(() => close())

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

  test('must be confirmed again if the run finds more', async () => {
    const id = await author.make()
    const code = unique(REMOTE)
    await author.put(id, { script_content: code })
    expect((await author.confirm(id, 2)).statusCode).toBe(200)
    const held = async () => (await author.waiting(id))?.held
    expect(await held()).toMatchObject({ confirmed_at: expect.any(String), current_at: expect.any(String) })
    const { rows } = await sql<{ sha256: string }>`select sha256 from script_versions
      where script_id = ${id} and number = 2`.execute(site.db)
    const sha256 = rows[0]?.sha256 ?? ''
    const check = async () => {
      const sandbox = { ...fakeSandboxes.published, ...analyzer }
      await makeCard({ db: site.db, sandbox }, { sha256, content: code }, { signal: new AbortController().signal })
      await decideWaitingWith(options(), sha256)
    }
    await check()
    expect(await held()).toMatchObject({ confirmed_at: expect.any(String) })
    const evidence = [{ line: 1, endLine: 1, excerpt: 'x', detail: 'delfile' }]
    analyzer.run = async () => ({
      capabilities: [{ id: 'fs.delete', certainty: 'run', evidence, count: 1 }],
      hosts: [],
      opaque: [],
    })
    await check()
    expect(await held()).toMatchObject({
      reasons: expect.arrayContaining([expect.objectContaining({ id: 'fs.delete' })]),
      confirmed_at: null,
      current_at: null,
    })
    const notices = await sql<{ message: string }>`select message from notifications
      where member_id = ${author.memberId} and group_key = ${`held-${id}`}`.execute(site.db)
    expect(notices.rows).toEqual([{ message: expect.stringContaining(', and 1 more. Confirm it') }])
    expect((await author.confirm(id, 2)).statusCode).toBe(200)
    expect(await held()).toMatchObject({ confirmed_at: expect.any(String) })
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
  const failAnalysis = () =>
    Object.assign(analyzer, { analyze: crash, compile: async () => ({ compiles: null, error: null }) })

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
    failAnalysis()
    const id = await write()
    restoreAnalyzer()
    // The crash was that of the new code or of the code that it is compared with.
    expect(await author.waiting(id)).toMatchObject({ state: 'held', held: { reasons: [{ id: 'check_failed' }] } })
  })

  /** Runs the job of the analysis of the newest version. */
  async function runJob(id: number): Promise<void> {
    const { rows } = await sql<{ sha256: string }>`select sha256 from script_versions
      where script_id = ${id} order by number desc limit 1`.execute(site.db)
    const sandbox = { ...fakeSandboxes.published, ...analyzer }
    const onCard = (sha256: string) => decideWaitingWith(options(), sha256)
    await analyzeCode({ ...options(), sandbox, onCard }, rows[0]?.sha256 ?? '', new AbortController().signal)
  }

  test('is tried again by its job, and then decides', async () => {
    const [harmless, serious] = [await author.make(), await author.make()]
    const code = unique(HARMLESS)
    failAnalysis()
    await change(harmless, { script_content: code })
    await change(serious, { script_content: unique(REMOTE) })
    await expect(runJob(harmless)).rejects.toThrow('The analysis failed')
    expect(await author.waiting(harmless)).toMatchObject({ held: { reasons: [{ id: 'check_failed' }] } })
    restoreAnalyzer()
    for (const id of [harmless, serious]) await runJob(id)
    expect(await raw(harmless)).toBe(code)
    expect(await author.waiting(serious)).toMatchObject({ state: 'held', held: { reasons: [{ id: 'code.remote' }] } })
    await runJob(harmless)
  })

  test('and whose job was given up is requested again for a held version', async () => {
    const id = await author.make()
    await author.put(id, { script_content: unique(REMOTE) })
    await sql`delete from jobs.job where singleton_key = ${`version-${id}`}`.execute(site.db)
    await sql`update script_versions set state_since = now() - interval '1 minute' where script_id = ${id}`.execute(
      site.db,
    )
    const countJobs = async () => {
      await resumeChecks(site.db, site.jobs)
      const { rows } = await sql`select from jobs.job where singleton_key = ${`version-${id}`}`.execute(site.db)
      return rows.length
    }
    expect(await countJobs()).toBe(1)
    await runJob(id)
    await sql`delete from jobs.job where singleton_key = ${`version-${id}`}`.execute(site.db)
    expect(await countJobs()).toBe(0)
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
    restoreAnalyzer()
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
