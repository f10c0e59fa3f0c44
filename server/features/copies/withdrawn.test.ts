import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OwnCase } from '#contract/reports.ts'
import { Rescan } from '#server/features/behavior/rescan.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { createDatabaseBefore } from '#tests/support/database.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { minimalScript, sendScript, type SignedIn } from '#tests/support/scripts.ts'
import { type Author, makeAuthor, sha256 } from '#tests/support/withdrawals.ts'

let site: TestApp
let ada: Author
let eve: Author
let moderator: SignedIn
let other: SignedIn
beforeAll(async () => {
  site = await createTestApp({}, { runsJobs: true, sandboxes: fakeSandboxes })
  ;[ada, eve] = [await makeAuthor(site), await makeAuthor(site)]
  moderator = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
  other = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
})
afterAll(() => site.close())

let serial = 0

/** Code that no other test has, and a copy in another layout with other names of locals. */
function makeCode(): { code: string; renamed: string } {
  const name = `Gate${++serial}`
  const lines = Array.from({ length: 12 }, (_, index) => `print(part.Name, "${name}", ${index})`)
  const code = `local part = workspace.${name}\n${lines.join('\n')}\n`
  return { code, renamed: `-- by me\n${code.replaceAll('part', 'x').replaceAll(', ', ',')}` }
}

const countHashes = async (code: string) =>
  (await site.pool.query('select from code_hashes where sha256 = $1', [sha256(code)])).rowCount
async function waitForHash(code: string): Promise<void> {
  await expect.poll(() => countHashes(code), { timeout: 20_000 }).toBe(1)
}

/** The error code of a new script with this code, undefined if it was published. */
const tryToPublish = async (author: Author, script_content: string) =>
  (await sendScript(site, author.author, { ...minimalScript, script_content })).json<{ code?: string }>().code

const tryToChange = async (author: Author, id: number, script_content: string) =>
  (await author.send('PUT', `/api/script-details?id=${id}`, { script_content })).json<{ code?: string }>().code

async function grantAppeal(author: Author): Promise<void> {
  const { cases } = (await site.app.inject({ url: '/api/own-cases', headers: author.author })).json<{
    cases: OwnCase[]
  }>()
  const id = cases[0]?.id
  await author.send('POST', '/api/appeals', { case_id: id, text: 'It is harmless.' })
  const granted = await author.send('PUT', '/api/reports', { id, action: 'grant', decision: 'It is.' }, other)
  expect(granted.statusCode, granted.body).toBe(200)
}

const moderate = async (action: 'hide' | 'unhide', id: number) => {
  const body = { action, subject_type: 'script', subject_id: id, reason: 'Steals accounts.' }
  const response = await eve.send('POST', '/api/moderation', body, moderator)
  expect(response.statusCode, response.body).toBe(200)
}

const casesOf = async (subject: 'script' | 'profile', id: number) =>
  (
    await sql<{ count: number; detail: string }>`select found_count as count, findings -> 0 ->> 'detail' as detail
      from report_cases where subject_type = ${subject} and subject_id = ${id} and reason = 'withdrawn_code'`.execute(
      site.db,
    )
  ).rows

describe('code that moderators withdrew', () => {
  test('is rejected everywhere, also renamed and reformatted, until an appeal is granted', async () => {
    const author = await makeAuthor(site)
    const { code, renamed } = makeCode()
    const id = await author.make(makeCode().code, code)
    const elsewhere = await eve.make(makeCode().code)
    await waitForHash(code)
    await author.withdrawn(id, 2, {}, moderator)
    for (const copy of [code, renamed]) {
      expect(await tryToPublish(eve, copy)).toBe('withdrawn_code')
      expect(await tryToChange(eve, elsewhere, copy)).toBe('withdrawn_code')
      expect(await tryToChange(author, id, copy)).toBe('withdrawn_code')
    }
    expect(await casesOf('script', elsewhere)).toMatchObject([{ count: 2 }])
    await grantAppeal(author)
    expect(await tryToPublish(eve, renamed)).toBeUndefined()
  })

  test('is recognized if its tokens are hashed after the decision', async () => {
    const author = await makeAuthor(site)
    const { code, renamed } = makeCode()
    const id = await author.make(makeCode().code, code)
    await waitForHash(code)
    await sql`delete from code_hashes where sha256 = ${sha256(code)}`.execute(site.db)
    await author.withdrawn(id, 2, {}, moderator)
    await new Rescan(site.db, site.jobs).run()
    await waitForHash(code)
    expect(await tryToPublish(eve, renamed)).toBe('withdrawn_code')
  })

  test('that is tiny is rejected in its script only, unless it is malicious', async () => {
    const author = await makeAuthor(site)
    const [harmless, malicious] = [`print("gate ${++serial}")`, `print("gate ${++serial}")`]
    const id = await author.make(makeCode().code, harmless, malicious)
    await author.withdrawn(id, 2, {}, moderator)
    await author.withdrawn(id, 3, { is_malicious: true }, moderator)
    expect(await tryToPublish(eve, harmless)).toBeUndefined()
    expect(await tryToChange(author, id, harmless)).toBe('withdrawn_code')
    expect(await tryToPublish(eve, malicious)).toBe('withdrawn_code')
  })

  test('for being a copy stays allowed for its author', async () => {
    const { code, renamed } = makeCode()
    await eve.make(code)
    const copy = await ada.make(makeCode().code, renamed)
    await waitForHash(renamed)
    await ada.withdrawn(copy, 2, {}, moderator)
    expect(await tryToPublish(eve, code)).toBeUndefined()
    expect(await tryToChange(ada, copy, renamed)).toBe('withdrawn_code')
  })
})

test('code that its author withdrew is rejected by its bytes, in that script', async () => {
  const { code, renamed } = makeCode()
  const id = await ada.make(makeCode().code, code)
  await waitForHash(code)
  await ada.withdrawn(id, 2)
  expect(await tryToChange(ada, id, code)).toBe('withdrawn_code')
  expect(await tryToPublish(ada, code)).toBeUndefined()
  expect(await tryToChange(ada, id, renamed)).toBeUndefined()
})

describe('the code of a hidden script', () => {
  test('gets a case when it is published elsewhere, and is allowed when the script is shown again', async () => {
    const copier = await makeAuthor(site)
    const { code, renamed } = makeCode()
    const id = await ada.make(code)
    await waitForHash(code)
    await moderate('hide', id)
    expect(await tryToPublish(copier, renamed)).toBe('withdrawn_code')
    expect(await casesOf('profile', copier.memberId)).toEqual([
      { count: 1, detail: expect.stringContaining(`Code of a-script-${id}. Moderators hid the script on `) },
    ])
    // Its author may correct the details, with the code that the form sends.
    expect(await tryToChange(ada, id, code)).toBeUndefined()
    expect(await casesOf('script', id)).toEqual([])
    await moderate('unhide', id)
    expect(await tryToPublish(copier, renamed)).toBeUndefined()
    await moderate('hide', id)
    expect(await tryToPublish(copier, code)).toBe('withdrawn_code')
  })

  test('is in no list of withdrawn versions', async () => {
    const { code } = makeCode()
    const id = await ada.make(code)
    await moderate('hide', id)
    const list = await site.app.inject(`/api/v1/withdrawn?sha256=${sha256(code)}`)
    expect(list.json()).toMatchObject({ withdrawals: [] })
    expect((await site.app.inject('/feeds/withdrawn.json')).body).not.toContain(`-${id}`)
    expect(await ada.statusOf(id, `?sha256=${sha256(code)}`)).toBe(404)
  })
})

test('the hash of a withdrawn version survives the version and its script', async () => {
  const author = await makeAuthor(site)
  const { code, renamed } = makeCode()
  const id = await author.make(makeCode().code, code)
  await waitForHash(code)
  await author.withdrawn(id, 2, {}, moderator)
  await sql`delete from scripts where id = ${id}`.execute(site.db)
  await sql`delete from code_hashes where sha256 = ${sha256(code)}`.execute(site.db)
  expect(await tryToPublish(eve, renamed)).toBe('withdrawn_code')
})

test('a site with two lists of withdrawn code gets one', async () => {
  const [hidden, deleted, withdrawn, own, tokens, lost] = ['1', '2', '3', '4', '5', '6'].map((digit) =>
    digit.repeat(64),
  )
  const database = await createDatabaseBefore('0098')
  try {
    await database.pool.query(
      `insert into code_hashes (sha256, token_sha256) values ('${hidden}', '${tokens}'), ('${withdrawn}', '${tokens}')`,
    )
    await database.pool.query(`insert into withdrawn_code (kind, sha256, script_id, withdrawn_at) values
      ('bytes', '${hidden}', 1, '2026-11-01Z'), ('tokens', '${tokens}', 1, '2026-11-01Z'),
      ('bytes', '${deleted}', 2, '2026-11-02Z'), ('tokens', '${lost}', 2, '2026-11-02Z')`)
    await database.pool.query(`insert into withdrawals (script_id, sha256, slug, version, withdrawn_as, reason) values
      (3, '${withdrawn}', 'a-3', '1.0.0', 'moderators', 'Bad.'), (3, '${own}', 'a-3', '1.0.1', 'author', 'Broken.')`)
    await migrate(database.pool)
    const { rows } = await database.pool.query(
      'select script_id, sha256, token_sha256, subject, is_sitewide from withdrawals order by script_id, sha256',
    )
    expect(rows).toEqual([
      { script_id: 1, sha256: hidden, token_sha256: tokens, subject: 'script', is_sitewide: true },
      { script_id: 2, sha256: deleted, token_sha256: lost, subject: 'script', is_sitewide: true },
      { script_id: 3, sha256: withdrawn, token_sha256: tokens, subject: 'version', is_sitewide: true },
      { script_id: 3, sha256: own, token_sha256: null, subject: 'version', is_sitewide: false },
    ])
  } finally {
    await database.drop()
  }
})
