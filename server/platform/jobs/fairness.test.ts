// One member's jobs must not delay those of others.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import type { Jobs } from './queue.ts'

const SOON = { timeout: 20_000, interval: 20 }

describe('jobs of several members', () => {
  let site: TestApp
  beforeAll(async () => {
    const from = { name: 'Site', address: 'site@example.com' }
    site = await createTestApp({ email: { smtpUrl: 'smtp://127.0.0.1:9', from, bounceAddress: from.address } })
  })
  afterEach(() => sql`delete from jobs.job`.execute(site.db))
  afterAll(() => site.close())

  /** What the queue would run next, first to last. */
  const readOrder = async () => {
    const { rows } = await sql<{
      id: string
    }>`select coalesce(data ->> 'sha256', data ->> 'id', data ->> 'scriptId') as id
      from jobs.job where state < 'active' order by priority desc, created_on`.execute(site.db)
    return rows.map(({ id }) => id).join(' ')
  }

  test.each<[keyof Jobs, (id: string) => object]>([
    ['analyze-code', (id) => ({ sha256: id })],
    ['send-email', (id) => ({ id })],
    ['sync-script', (id) => ({ scriptId: id })],
  ])('take turns in the queue %s', async (queue, toData) => {
    const add = (memberId: number, id: string) =>
      site.jobs.enqueue(site.db, queue, toData(id) as never, { memberId, key: `${memberId}-${id}` })
    for (const id of ['a1', 'a2', 'a3', 'a4']) await add(1, id)
    for (const id of ['b1', 'b2']) await add(2, id)
    await add(3, 'c1')
    expect(await readOrder()).toBe('a1 b1 c1 a2 b2 a3 a4')
    // Again the same work: it keeps its turn.
    await add(2, 'b2')
    expect(await readOrder()).toBe('a1 b1 c1 a2 b2 a3 a4')
  })
})

describe('code of several members', () => {
  let site: TestApp
  const started: string[] = []
  const finishers: (() => void)[] = []
  beforeAll(async () => {
    // Analyses of slow code end on demand.
    const published = {
      ...fakeSandboxes.published,
      compile: async (code: string) => {
        started.push(code)
        if (code.startsWith('--slow')) await new Promise<void>((resolve) => finishers.push(resolve))
        return { compiles: true, error: null }
      },
    }
    site = await createTestApp({}, { runsJobs: true, sandboxes: { ...fakeSandboxes, published } })
  })
  afterAll(async () => {
    for (const finish of finishers) finish()
    await site.close()
  })

  async function addAuthor() {
    const headers = await signIn(site.db, await makeMember(site.db))
    const send = async (method: 'POST' | 'PUT', url: string, payload: object) => {
      const response = await site.app.inject({ method, url, headers, payload })
      expect(response.statusCode, response.body).toBeLessThan(300)
      return response.json<{ script: { id: number } }>().script.id
    }
    return {
      publish: (script_content: string) =>
        send('POST', '/api/scripts', { title: 'A script', description: 'Text.', script_content }),
      update: (id: number, script_content: string, version: string) =>
        send('PUT', `/api/script-details?id=${id}`, { script_content, version }),
    }
  }
  const findStatus = async (id: number) => {
    const { rows } = await sql<{ status: string }>`select status from script_behaviors where script_id = ${id}`.execute(
      site.db,
    )
    return rows[0]?.status
  }

  test('is analyzed although a member has published twenty slow scripts', async () => {
    const [slow, other] = [await addAuthor(), await addAuthor()]
    await slow.publish('--slow 0')
    await Promise.all(Array.from({ length: 19 }, (_, i) => slow.publish(`--slow ${i + 1}`)))
    await expect.poll(() => started, SOON).toContain('--slow 0')
    for (let i = 0; i < 5; i++) {
      const id = await other.publish(`--quick ${i}`)
      await expect.poll(() => findStatus(id), SOON).toBe('ready')
    }
    // By the request and by the job.
    expect(started.filter((code) => code.startsWith('--slow'))).toEqual(['--slow 0', '--slow 0'])
  })

  test('that waits is replaced by a newer version of the script, which the search for former code finds', async () => {
    const author = await addAuthor()
    await author.publish('--slow first')
    await expect.poll(() => started, SOON).toContain('--slow first')
    const id = await author.publish('--version 1')
    await author.update(id, '--version 2', '2.0.0')
    await author.update(id, '--version 3', '3.0.0')
    const { rows } = await sql`select from jobs.job where singleton_key = ${`script-${id}`}`.execute(site.db)
    expect(rows).toHaveLength(1)
    const { rows: pending } = await sql`select from behavior_cards c join script_versions v on v.sha256 = c.sha256
      where v.script_id = ${id}`.execute(site.db)
    expect(pending).toHaveLength(1)
    for (const finish of finishers) finish()
    await expect.poll(() => findStatus(id), SOON).toBe('ready')
    // `reviewScripts` compares with the version before, and the rescan analyzes the rest.
    await expect.poll(() => started, { timeout: 30_000 }).toContain('--version 1')
  })
})
