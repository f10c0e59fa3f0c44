// What happens to a version that waits while something else happens to it, its script or its author.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCard } from '#server/features/behavior/analyze.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { Author, HARMLESS, readAsVisitor, REMOTE, signInModerator, statesOf, unique } from '#tests/support/releases.ts'
import { repetitions } from '#tests/support/seed.ts'
import {
  checkVersions,
  findInconsistencies,
  publish,
  sendChange,
  sendDelete,
  sendRelease,
  sendRestore,
  type SignedIn,
} from '#tests/support/scripts.ts'
import { releaseConfirmed } from './checks.ts'
import { decideWaitingWith } from './release.ts'

const ROUNDS = Array.from({ length: repetitions(3, 10) }, (_, round) => round)

let site: TestApp
let moderator: SignedIn
let author: Author
beforeAll(async () => {
  site = await createTestApp()
  moderator = await signInModerator(site)
})
beforeEach(async () => {
  author = await Author.create(site)
})
afterAll(async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
  await site.close()
})

const { signal } = new AbortController()
const raw = async (id: number) => (await site.app.inject(`/raw/lamp-${id}`)).body
const change = (id: number, body: object) => sendChange(site, author.headers, id, body)
const options = () => ({ db: site.db, jobs: site.jobs, emit: async () => {} })
const shaOf = async (id: number, number: number) => {
  const { rows } = await sql<{ sha256: string }>`select sha256 from script_versions
    where script_id = ${id} and number = ${number}`.execute(site.db)
  return rows[0]?.sha256 ?? ''
}
/** A script with a harmless current version and a held second one. */
const makeHeld = async () => {
  const former = unique(HARMLESS)
  const id = await author.make(former)
  expect((await change(id, { script_content: unique(REMOTE) })).statusCode).toBe(200)
  expect((await statesOf(site, id)).at(-1)).toEqual([2, 'held'])
  return { id, former }
}
const countWaiting = async (id: number) =>
  (await statesOf(site, id)).filter(([, state]) => state === 'checking' || state === 'held').length
const statusesOf = (responses: { statusCode: number }[]) => responses.map(({ statusCode }) => statusCode)

describe.each(ROUNDS)('at once, round %d', () => {
  test('two versions: one waits at most, and the last one decides', async () => {
    const former = unique(HARMLESS)
    const id = await author.make(former)
    await Promise.all([
      author.put(id, { script_content: unique(REMOTE) }),
      author.put(id, { script_content: unique(HARMLESS) }),
      change(id, { script_content: unique(REMOTE) }),
    ])
    expect(await countWaiting(id)).toBeLessThanOrEqual(1)
    await checkVersions(site)
    const last = (await statesOf(site, id)).at(-1)
    expect(last?.[1]).toMatch(/^(held|published)$/)
    expect(await readAsVisitor(site, id)).not.toContain('hub.example/x')
  })

  test('a hold and a restored version: one waits at most', async () => {
    const id = await author.make(unique(REMOTE))
    await change(id, { script_content: unique(HARMLESS) })
    await Promise.all([
      author.put(id, { script_content: unique(`${REMOTE}\nprint("again")`) }),
      sendRestore(site, author.headers, { script_id: id, number: 1 }),
    ])
    await checkVersions(site)
    expect(await countWaiting(id)).toBe(1)
    expect(await raw(id)).toContain(HARMLESS)
  })

  test('a confirmation and a discard: the discarded version never becomes current', async () => {
    const { id, former } = await makeHeld()
    const [confirmed, discarded] = await Promise.all([author.confirm(id, 2), author.discard(id, 2)])
    expect(discarded.statusCode).toBe(200)
    expect([200, 409]).toContain(confirmed.statusCode)
    await sql`update script_versions set current_at = now() - interval '1 second'
      where script_id = ${id} and current_at is not null`.execute(site.db)
    await releaseConfirmed(options())
    expect([(await statesOf(site, id)).at(-1), await raw(id)]).toEqual([[2, 'discarded'], former])
  })

  test('a release by a moderator and a discard by the author: one of them happens', async () => {
    const { id, former } = await makeHeld()
    const [released, discarded] = await Promise.all([sendRelease(site, moderator, id, 2), author.discard(id, 2)])
    expect(statusesOf([released, discarded]).toSorted()).toEqual([200, 409])
    const isReleased = released.statusCode === 200
    expect((await statesOf(site, id)).at(-1)).toEqual([2, isReleased ? 'published' : 'discarded'])
    expect((await raw(id)) === former).toBe(!isReleased)
  })

  test('a release of the version and a newer one that replaces it', async () => {
    const { id } = await makeHeld()
    const [released] = await Promise.all([
      sendRelease(site, moderator, id, 2),
      author.put(id, { script_content: unique(`${REMOTE}\nprint("newer")`) }),
    ])
    await checkVersions(site)
    const [, second] = await statesOf(site, id)
    expect(second).toEqual([2, released.statusCode === 200 ? 'published' : 'discarded'])
    expect(await countWaiting(id)).toBeLessThanOrEqual(1)
  })

  test('becoming private and a release: the script stays private', async () => {
    const { id } = await makeHeld()
    await Promise.all([sendRelease(site, moderator, id, 2), change(id, { is_public: false })])
    expect((await site.app.inject(`/raw/lamp-${id}`)).statusCode).toBe(404)
  })

  test('decisions about the same analysis: the version is announced once', async () => {
    const id = await author.make()
    const code = unique(HARMLESS)
    await author.put(id, { script_content: code })
    const sha256 = await shaOf(id, 2)
    await makeCard({ db: site.db, sandbox: fakeSandboxes.published }, { sha256, content: code }, { signal })
    const events: string[] = []
    const emit: Emit = async (_trx, { type }) => void events.push(type)
    await Promise.all(Array.from({ length: 4 }, () => decideWaitingWith({ ...options(), emit }, sha256)))
    expect([(await statesOf(site, id)).at(-1), events]).toEqual([[2, 'published'], ['version.published']])
  })
})

describe('while a version waits', () => {
  test('its script is deleted', async () => {
    const { id } = await makeHeld()
    const sha256 = await shaOf(id, 2)
    expect((await sendDelete(site, author.headers, id)).statusCode).toBe(200)
    await decideWaitingWith(options(), sha256)
    await releaseConfirmed(options())
    expect((await sendRelease(site, moderator, id, 2)).statusCode).toBe(404)
    expect((await author.confirm(id, 2)).statusCode).toBe(404)
  })

  test('its author is banned: it stays as it is, and nothing of it is public after a release', async () => {
    const { id } = await makeHeld()
    await author.confirm(id, 2)
    await sql`update members set banned_until = 'infinity' where id = ${author.memberId}`.execute(site.db)
    expect((await author.confirm(id, 2)).statusCode).toBe(401)
    await sql`update script_versions set current_at = now() - interval '1 second'
      where script_id = ${id} and current_at is not null`.execute(site.db)
    await releaseConfirmed(options())
    expect((await site.app.inject(`/raw/lamp-${id}`)).statusCode).toBe(404)
  })

  test('its author is deleted', async () => {
    const { id } = await makeHeld()
    const sha256 = await shaOf(id, 2)
    await author.confirm(id, 2)
    await sql`delete from members where id = ${author.memberId}`.execute(site.db)
    await decideWaitingWith(options(), sha256)
    await releaseConfirmed(options())
    expect((await sendRelease(site, moderator, id, 2)).statusCode).toBe(404)
  })

  test('a moderator who is none any more cannot release it', async () => {
    const { id } = await makeHeld()
    const memberId = await makeMember(site.db, { is_moderator: true })
    const former = await signIn(site.db, memberId)
    await sql`update members set is_moderator = false where id = ${memberId}`.execute(site.db)
    expect((await sendRelease(site, former, id, 2)).statusCode).toBe(403)
    expect(await countWaiting(id)).toBe(1)
  })

  test('another member can neither confirm nor discard it, whatever its number', async () => {
    const { id } = await makeHeld()
    const other = await Author.create(site)
    expect(statusesOf(await Promise.all([other.confirm(id, 2), other.discard(id, 2)]))).toEqual([403, 403])
    for (const number of [1, 3, 2_147_483_647]) {
      expect(statusesOf([await author.confirm(id, number), await author.discard(id, number)])).toEqual([409, 409])
    }
    expect((await author.confirm(id, 0)).statusCode).toBe(400)
  })
})

test('300 versions by one token leave a bounded number of rows and one notification', async () => {
  const former = unique(HARMLESS)
  const id = await author.make(former)
  for (let i = 0; i < 300; i++) {
    const response = await author.put(id, { script_content: unique(REMOTE) })
    expect(response.statusCode, response.body).toBe(202)
  }
  const states = await statesOf(site, id)
  expect(states.filter(([, state]) => state === 'discarded').length).toBeLessThanOrEqual(20)
  expect([states.at(0), states.at(-1)]).toEqual([
    [1, 'published'],
    [301, 'held'],
  ])
  const { rows } = await sql`select title from notifications
    where member_id = ${author.memberId} and title <> 'New API token'`.execute(site.db)
  expect(rows).toEqual([{ title: 'A version waits for you' }])
  expect(await raw(id)).toBe(former)
}, 120_000)

test.each([true, false])(
  'a clock that was set back does not make an earlier version current: public %s',
  async (is_public) => {
    const id = await publish(site, author.headers, { script_content: unique(HARMLESS), is_public })
    await sql`update script_versions set state_since = now() + interval '1 hour' where script_id = ${id}`.execute(
      site.db,
    )
    for (const script_content of [unique(HARMLESS), unique(HARMLESS)]) {
      expect((await change(id, { script_content })).json()).toMatchObject({ script: { script_content } })
    }
  },
)
