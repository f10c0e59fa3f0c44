import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Review } from '#contract/ratings.ts'
import type { Config } from '#server/platform/config.ts'
import { createAppOn, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { addressOf, queryOnce } from '#tests/support/replica.ts'
import { type Replicated, startReplicated } from '#tests/support/replicated.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { buildIndex } from '#server/features/catalogue/index-builder.ts'

let { primary, replica, pool, close } = {} as Replicated
const sites: TestApp[] = []
const soon = { timeout: 15_000, interval: 20 }

beforeAll(async () => {
  ;({ primary, replica, pool, close } = await startReplicated(migrate))
})
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close()
  await queryOnce(replica.connection, 'select pg_wal_replay_resume()')
})
afterAll(() => close())

async function open(settings: Partial<Config> = {}): Promise<TestApp> {
  const database = { connection: primary.connection, pool, drop: () => Promise.resolve() }
  const databaseReplicaUrls = [addressOf(replica, 'postgres')]
  const site = await createAppOn(database, pool, { databaseReplicaUrls, ...settings })
  sites.push(site)
  return site
}

const READS = 'from scripts s join script_versions v'
const pause = () => queryOnce(replica.connection, 'select pg_wal_replay_pause()')
const resume = () => queryOnce(replica.connection, 'select pg_wal_replay_resume()')

/** Whether a script is read on the replica. The request is not counted as a visit, which would be in the feed. */
async function isReadThere({ app }: TestApp, id: number): Promise<boolean> {
  const read = () => app.inject(`/api/script-versions?id=${id}`)
  return (await replica.captureStatements(read)).includes(READS)
}

async function expectReadThere(site: TestApp, id: number): Promise<void> {
  await expect.poll(() => isReadThere(site, id), soon).toBe(true)
}

const titleOf = async ({ app }: TestApp, id: number) =>
  (await app.inject(`/api/script-details-slug?slug=x-${id}`)).json<{ script: { title: string } }>().script.title

const TABLES = /from (scripts|members|script_stats|ratings|tags)\b/

const addresses: [string, (id: number) => string][] = [
  ['a script with its comments', (id) => `/api/script-details-slug?slug=x-${id}`],
  ['its code as a file', (id) => `/api/script-download?id=${id}`],
  ['its versions', (id) => `/api/script-versions?id=${id}`],
  ['one version', (id) => `/api/script-version?id=${id}&number=1`],
  ['its reviews', (id) => `/api/script-rating?id=${id}`],
  ['a profile', (id) => `/api/user-profiles?user_id=m${id}`],
  ['its code', (id) => `/raw/x-${id}`],
  ['a list', () => '/api/scripts?search=nothing'],
  ['cards', () => '/api/scripts?sort=title'],
  ['facets', () => '/api/script-facets'],
  ['tags', () => '/api/script-tags'],
]

test('the index is not built from a replica', async () => {
  const { config } = await open()
  const onReplica = openPool(replica.connection, 1)
  const source = { db: openDatabase(pool), pool: onReplica, dataDir: config.dataDir, maxInProcess: -1 }
  await expect(buildIndex(source, new AbortController().signal)).rejects.toThrow('the server is a replica')
  await onReplica.end()
})

describe('what visitors read', () => {
  let id: number
  beforeAll(async () => {
    const db = openDatabase(pool)
    id = await makeScript(db)
    await makeMember(db, { username: `m${id}`, slug: `m${id}` })
  })

  /** Which server a site with empty caches queries for this URL. */
  async function findQueried(address: string) {
    const site = await open()
    await expectReadThere(site, id)
    const queried = { status: 0, replica: '', primary: '' }
    queried.primary = await primary.captureStatements(async () => {
      queried.replica = await replica.captureStatements(async () => {
        queried.status = (await site.app.inject(address)).statusCode
      })
    })
    return { status: queried.status, replica: TABLES.test(queried.replica), primary: TABLES.test(queried.primary) }
  }

  // Repeated, because a busy machine may not have checked the replica for a second.
  test.each(addresses)('comes from the replica only: %s', async (_name, addressFor) => {
    await expect.poll(() => findQueried(addressFor(id)), soon).toEqual({ status: 200, replica: true, primary: false })
  })

  test('is read from the primary for members', async () => {
    const site = await open()
    const headers = await signIn(site.db)
    for (const [, addressFor] of addresses.slice(0, 6)) {
      await expectReadThere(site, id)
      const there = await replica.captureStatements(() => site.app.inject({ url: addressFor(id), headers }))
      expect(there).not.toMatch(TABLES)
    }
  })
})

describe('a replica that lags', () => {
  test('never hides a write of this process', async () => {
    const site = await open()
    const author = await makeMember(site.db)
    const id = await makeScript(site.db, { author_id: author })
    const headers = await signIn(site.db, author)
    await expectReadThere(site, id)
    await pause()
    const url = `/api/script-details?id=${id}`
    for (const title of ['One', 'Two', 'Three']) {
      const changed = await site.app.inject({ method: 'PUT', url, headers, payload: { title } })
      expect(changed.statusCode).toBe(200)
      expect(await titleOf(site, id)).toBe(title)
      const list = await site.app.inject(`/api/scripts?author=${author}`)
      expect(list.json<ScriptList>().scripts.map((script) => script.title)).toEqual([title])
    }
    await resume()
    await expectReadThere(site, id)
    expect(await titleOf(site, id)).toBe('Three')
  })

  test('never hides a reply to a review', async () => {
    const db = openDatabase(pool)
    const author = await makeMember(db)
    const id = await makeScript(db, { author_id: author })
    const url = `/api/script-rating?id=${id}`
    const payload = { rating: 5, review: 'Works well for me.' }
    await (await open()).app.inject({ method: 'POST', url, headers: await signIn(db), payload })
    // A process that starts after the review receives no notice of it.
    const site = await open()
    const read = async () => (await site.app.inject(url)).json<{ ratings: Review[] }>().ratings
    const [review] = await read()
    const headers = await signIn(db, author)
    await expectReadThere(site, id)
    await pause()
    const answer = { rating_id: review?.id, reply: 'Thank you.' }
    await site.app.inject({ method: 'PUT', url: '/api/rating-reply', headers, payload: answer })
    expect((await read()).map(({ reply }) => reply)).toEqual(['Thank you.'])
  })

  test('hides writes of others for a moment only, and no cache keeps the old state', async () => {
    const [site, other] = [await open({ catalogueIndex: 'memory' }), await open()]
    const author = await makeMember(site.db)
    const id = await makeScript(site.db, { author_id: author, title: 'Before' })
    const headers = await signIn(site.db, author)
    const listed = async () => {
      const list = await site.app.inject(`/api/scripts?author=${author}`)
      return list.json<ScriptList>().scripts.map((script) => script.title)
    }
    await expect.poll(listed, soon).toEqual(['Before'])
    await expectReadThere(site, id)
    await pause()
    await other.app.inject({ method: 'PUT', url: `/api/script-details?id=${id}`, headers, payload: { title: 'After' } })
    await expect.poll(listed, soon).toEqual(['After'])
    await expect.poll(() => titleOf(site, id), soon).toBe('After')
    // The replay continues: when the replica is used again, it is up to date.
    await resume()
    await expectReadThere(site, id)
    expect([await titleOf(site, id), await listed()]).toEqual(['After', ['After']])
  })
})

describe('a replica that becomes unavailable', () => {
  test('fails no read, and is used again when it is back', async () => {
    const site = await open()
    const id = await makeScript(site.db)
    await expectReadThere(site, id)
    const statuses = new Set<number>()
    const done = new AbortController()
    const read = async () => {
      while (!done.signal.aborted) statuses.add((await site.app.inject(`/raw/x-${id}`)).statusCode)
    }
    const visitors = Array.from({ length: 16 }, read)
    await wait(100)
    await replica.kill()
    await wait(300)
    done.abort()
    await Promise.all(visitors)
    expect([...statuses]).toEqual([200])
    await replica.start()
    await expectReadThere(site, id)
  })

  test('does not keep a site from starting', async () => {
    await replica.kill()
    const site = await open()
    const id = await makeScript(site.db)
    expect((await site.app.inject(`/raw/x-${id}`)).statusCode).toBe(200)
    await replica.start()
    await expectReadThere(site, id)
  })
})
