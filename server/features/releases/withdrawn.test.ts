import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Withdrawal } from '#contract/versions.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { findInconsistencies, publish, sendDelete, sendRestore, type SignedIn } from '#tests/support/scripts.ts'
import { type Author, codeOf, makeAuthor, makeCode, sha256 } from '#tests/support/withdrawals.ts'

let site: TestApp
let ada: Author
let moderator: SignedIn
let other: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  moderator = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
  other = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
})
beforeEach(async () => {
  ada = await makeAuthor(site)
})
const checkConsistency = async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
}
afterAll(async () => {
  await checkConsistency()
  await site.close()
})

const entries = async (query = '') =>
  (await site.app.inject(`/api/v1/withdrawn${query}`)).json<{
    withdrawals: Withdrawal[]
    pagination: { next_cursor: string | null }
  }>()

describe('an address', () => {
  test('with a wrong hash or parameter never has other code', async () => {
    const [code, foreign, secret] = [makeCode(), makeCode(), makeCode()]
    const id = await ada.make(code)
    await ada.make(foreign)
    const hidden = await publish(site, ada.author, { is_public: false, script_content: secret })
    expect(await ada.statusOf(id, `?sha256=${sha256(foreign)}`)).toBe(404)
    expect(await ada.statusOf(hidden, `?sha256=${sha256(secret)}`)).toBe(404)
    expect(await ada.statusOf(hidden)).toBe(404)
    for (const hash of ['', 'abc', `${sha256(code)}0`, `${sha256(code).slice(1)}g`]) {
      expect([hash, await ada.statusOf(id, `?sha256=${hash}`)]).toEqual([hash, 404])
    }
    expect(await ada.raw(id, '?sha=1')).toEqual([400, '-- The request has an unknown parameter: sha.\n'])
  })

  test('of a removed script is 410, of one that never was 404', async () => {
    const code = makeCode()
    const id = await ada.make(code)
    await sendDelete(site, ada.author, id)
    const text = '-- This script was removed.\nerror("This script was removed.", 0)\n'
    for (const query of ['', `?sha256=${sha256(code)}`, '?version=1'])
      expect(await ada.raw(id, query)).toEqual([410, text])
    const download = await site.app.inject(`/api/script-download?id=${id}`)
    expect([download.statusCode, download.body]).toEqual([410, text])
    expect((await ada.scriptOf(id)).code).toBe('script_not_found')
    expect(await ada.raw(1_000_000)).toEqual([404, '-- This script was not found.\n'])
  })
})

test('another process of the site shows a withdrawal within two seconds', async () => {
  const { database, pool } = site
  const second = await createAppOn(database, pool, { catalogueIndex: 'memory' }, { isFirst: false })
  try {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await ada.make(good, bad)
    const list = `/api/scripts?author=${ada.memberId}`
    const read = async () => {
      const { scripts } = (await second.app.inject(list)).json<{ scripts: { version: string }[] }>()
      const feed = await second.app.inject('/feeds/withdrawn.json')
      return [scripts.map(({ version }) => version), feed.body.includes(`a-script-${id} `)]
    }
    await expect.poll(read, { timeout: 5000 }).toEqual([['1.0.1'], false])
    await ada.withdrawn(id, 2)
    await expect.poll(read, { timeout: 2000 }).toEqual([['1.0.0'], true])
    await ada.withdrawn(id, 1)
    await expect.poll(read, { timeout: 2000 }).toEqual([[], true])
    expect((await second.app.inject(`/raw/x-${id}`)).statusCode).toBe(410)
  } finally {
    await second.close()
  }
})

describe('moderators', () => {
  test('withdraw with an entry in the audit log, and an appeal reinstates the code', async () => {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await ada.make(good, bad)
    const entry = await ada.withdrawn(id, 2, { is_malicious: true, reason: 'It steals accounts.' }, moderator)
    expect(entry).toMatchObject({ by: 'moderators', is_malicious: true })
    const audit = await site.db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('subject_id', '=', id)
      .where('subject_type', '=', 'script')
      .execute()
    expect(audit).toMatchObject([
      { action: 'withdraw_version', after: { number: 2, state: 'withdrawn', reason: 'It steals accounts.' } },
    ])
    const { cases } = (await site.app.inject({ url: '/api/own-cases', headers: ada.author })).json<{
      cases: { id: number; decision: string }[]
    }>()
    expect(cases).toMatchObject([{ decision: 'Version 1.0.1 was withdrawn: It steals accounts.' }])
    const case_id = cases[0]?.id ?? 0
    await ada.send('POST', '/api/appeals', { case_id, text: 'It does not.' })
    const granted = await ada.send('PUT', '/api/reports', { id: case_id, action: 'grant', decision: 'Right.' }, other)
    expect(granted.statusCode, granted.body).toBe(200)
    expect((await entries(`?sha256=${sha256(bad)}`)).withdrawals).toMatchObject([
      { version: '1.0.1', reinstated_at: expect.any(String) },
    ])
    expect(await ada.raw(id, `?sha256=${sha256(bad)}`)).toEqual([200, bad])
    // What took its place in the meantime stays current.
    expect(await ada.statesOf(id)).toEqual(['current', 'former'])
    await sendRestore(site, ada.author, { script_id: id, number: 2 })
    expect(await ada.raw(id)).toEqual([200, bad])
  })

  test('reinstate the only version as it was', async () => {
    const code = makeCode()
    const id = await ada.make(code)
    await ada.withdrawn(id, 1, {}, moderator)
    const { cases } = (await site.app.inject({ url: '/api/own-cases', headers: ada.author })).json<{
      cases: { id: number }[]
    }>()
    const case_id = cases[0]?.id ?? 0
    await ada.send('POST', '/api/appeals', { case_id, text: 'Why?' })
    await ada.send('PUT', '/api/reports', { id: case_id, action: 'grant', decision: 'Right.' }, other)
    expect(await ada.raw(id)).toEqual([200, code])
    expect(await ada.statesOf(id)).toEqual(['current'])
  })

  test('decide about what the author has withdrawn, but not the other way round', async () => {
    const id = await ada.make(makeCode(), makeCode())
    await ada.withdrawn(id, 2, { reason: 'A typo.' })
    const entry = await ada.withdrawn(id, 2, { is_malicious: true, reason: 'It steals accounts.' }, moderator)
    expect(entry).toMatchObject({ by: 'moderators', is_malicious: true, reason: 'It steals accounts.' })
    expect(await ada.withdrawn(id, 2, { reason: 'A typo.' })).toEqual(entry)
    const { rows } = await site.pool.query('select from withdrawals where script_id = $1', [id])
    expect(rows).toHaveLength(1)
  })

  test('do not see private scripts', async () => {
    const id = await ada.make(makeCode())
    await ada.change(id, { is_public: false })
    expect(codeOf(await ada.withdraw(id, 1, {}, moderator))).toEqual([404, 'not_found'])
  })
})

describe('the list', () => {
  test('has the newest first, page by page, and one code by its hash', async () => {
    const codes = [makeCode(), makeCode(), makeCode()]
    const id = await ada.make(...codes)
    for (const number of [1, 2, 3]) await ada.withdrawn(id, number)
    const first = await entries('?limit=2')
    const second = await entries(`?limit=2&cursor=${first.pagination.next_cursor}`)
    const hashes = [...first.withdrawals, ...second.withdrawals].map((entry) => entry.sha256)
    expect(hashes.slice(0, 3)).toEqual(codes.toReversed().map(sha256))
    const found = await entries(`?sha256=${sha256(codes[1] ?? '').toUpperCase()}`)
    expect(found).toMatchObject({ withdrawals: [{ version: '1.0.1' }], pagination: { next_cursor: null } })
    expect((await entries(`?sha256=${'0'.repeat(64)}`)).withdrawals).toEqual([])
    for (const query of ['?sha256=abc', '?cursor=abc', '?limit=0', '?sha=1']) {
      expect([query, (await site.app.inject(`/api/v1/withdrawn${query}`)).statusCode]).toEqual([query, 400])
    }
  })

  test('keeps an entry when its script or its author is deleted', async () => {
    const code = makeCode()
    const id = await ada.make(code)
    const entry = await ada.withdrawn(id, 1)
    await site.db.deleteFrom('members').where('id', '=', ada.memberId).execute()
    expect(await entries(`?sha256=${sha256(code)}`)).toMatchObject({ withdrawals: [entry] })
    expect((await ada.raw(id, `?sha256=${sha256(code)}`))[1]).toContain('It deletes saved games.')
    expect(await ada.statusOf(id)).toBe(410)
    await expect(site.db.deleteFrom('withdrawals').execute()).rejects.toThrow('append-only')
  })

  test('is a feed, too', async () => {
    const id = await ada.make(makeCode())
    await site.app.inject('/feeds/withdrawn.json')
    await ada.withdrawn(id, 1, { reason: 'It deletes <b>games</b>.' })
    const { items } = (await site.app.inject('/feeds/withdrawn.json')).json<{
      items: { title: string; content_html: string }[]
    }>()
    expect(items[0]).toMatchObject({
      title: `a-script-${id} 1.0.0`,
      content_html: expect.stringContaining('It deletes &lt;b&gt;games&lt;/b&gt;.'),
    })
    expect((await site.app.inject('/feeds/withdrawn.atom')).body).toContain(`a-script-${id} 1.0.0`)
  })
})
