import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeApiToken, makeMember, signIn } from '#tests/support/factories.ts'
import {
  checkVersions,
  findInconsistencies,
  publish,
  sendChange,
  sendDelete,
  sendRestore,
  type SignedIn,
} from '#tests/support/scripts.ts'
import { type Author, codeOf, makeAuthor, makeCode, sha256, WEBHOOK } from '#tests/support/withdrawals.ts'
import type { Withdrawal } from '#contract/versions.ts'

let site: TestApp
let ada: Author
let moderator: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  moderator = await signIn(site.db, await makeMember(site.db, { is_moderator: true }))
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

describe('withdrawing the current version', () => {
  test('makes the former one current, and its own addresses say why', async () => {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await ada.make(good, bad)
    expect(await ada.withdrawn(id, 2, { reason: 'It says "hi"\\\n and deletes games.' })).toEqual({
      sha256: sha256(bad),
      slug: `a-script-${id}`,
      version: '1.0.1',
      withdrawn_at: expect.any(String),
      by: 'author',
      reason: 'It says "hi"\\ and deletes games.',
      is_malicious: false,
      reinstated_at: null,
    })
    expect(await ada.raw(id)).toEqual([200, good])
    expect(await ada.raw(id, '?version=1')).toEqual([200, good])
    for (const query of [`?sha256=${sha256(bad).toUpperCase()}`, '?version=2']) {
      const [status, body] = await ada.raw(id, query)
      expect(status).toBe(410)
      const text = /^-- (Version 1\.0\.1 was withdrawn by its author on \w.+ UTC: It says "hi"\\ and deletes games\.)\n/
      expect(body).toMatch(text)
      expect(body.split('\n')[1]).toMatch(/^error\(".+UTC: It says \\"hi\\"\\\\ and deletes games\.", 0\)$/)
    }
    expect((await ada.scriptOf(id)).script).toMatchObject({ version: '1.0.0', script_content: good, waiting: null })
    expect(await ada.versionsOf(id)).toMatchObject([
      {
        number: 2,
        state: 'withdrawn',
        is_current: false,
        withdrawn: { by: 'author', reason: 'It says "hi"\\ and deletes games.', is_malicious: false },
      },
      { number: 1, state: 'current', is_current: true, withdrawn: null },
    ])
  })

  test('leaves its code to the staff, and to its author in the browser', async () => {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await ada.make(good, bad)
    await ada.withdrawn(id, 2)
    const read = (by: object) => site.app.inject({ url: `/api/script-version?id=${id}&number=2`, headers: { ...by } })
    const { authorization } = await makeApiToken(site.db, ada.memberId)
    for (const by of [{}, await signIn(site.db), { authorization }]) {
      expect(codeOf(await read(by))).toEqual([410, 'version_withdrawn'])
    }
    for (const by of [ada.author, moderator]) {
      expect((await read(by)).json()).toMatchObject({ version: { script_content: bad } })
    }
  })

  test('of a private script has the same effect, and the former one is checked before it is public', async () => {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await ada.make(good, bad)
    await ada.change(id, { is_public: false })
    await ada.withdrawn(id, 2)
    expect(await ada.statusOf(id)).toBe(404)
    expect(await ada.statusOf(id, `?sha256=${sha256(good)}`)).toBe(404)
    expect(await ada.statusOf(id, `?sha256=${sha256(bad)}`)).toBe(410)
    expect((await ada.scriptOf(id, ada.author)).script).toMatchObject({ version: '1.0.0', is_public: false })
    await ada.change(id, { is_public: true })
    expect(await ada.raw(id)).toEqual([200, good])
  })

  test('keeps the version that waits, which is compared with former code, too', async () => {
    const id = await ada.make(makeCode(), WEBHOOK)
    // Held: the current code has no webhook.
    expect(await ada.statesOf(id)).toEqual(['current', 'held'])
    await ada.send('POST', '/api/version-confirm', { script_id: id, number: 2 })
    await ada.send('POST', '/api/version-release', { script_id: id, number: 2, reason: 'Fine' }, moderator)
    await ada.change(id, { script_content: `${WEBHOOK} -- again` })
    expect(await ada.statesOf(id)).toEqual(['former', 'former', 'current'])
    await ada.withdrawn(id, 3)
    await ada.withdrawn(id, 2)
    expect(await ada.statesOf(id)).toEqual(['current', 'withdrawn', 'withdrawn'])
    await ada.change(id, { script_content: `${WEBHOOK} -- and again` })
    expect(await ada.statesOf(id)).toEqual(['current', 'withdrawn', 'withdrawn', 'held'])
    await ada.withdrawn(id, 1)
    expect(await ada.statesOf(id)).toEqual(['withdrawn', 'withdrawn', 'withdrawn', 'held'])
    expect(await ada.statusOf(id)).toBe(410)
  })
})

describe('a former version that would start something', () => {
  /** Its first version has a webhook, which the second one, that is withdrawn, had not. */
  async function makeReturning() {
    const declared = `${WEBHOOK} -- ${makeCode()}`
    const id = await ada.make(declared, makeCode())
    await ada.withdrawn(id, 2)
    return { id, declared }
  }

  test('is held, while nothing but its pinned address has its code', async () => {
    const { id, declared } = await makeReturning()
    expect(await ada.statesOf(id)).toEqual(['held', 'withdrawn'])
    expect(await ada.statusOf(id)).toBe(410)
    expect(await ada.raw(id, `?sha256=${sha256(declared)}`)).toEqual([200, declared])
    expect((await ada.scriptOf(id)).code).toBe('version_withdrawn')
    expect((await ada.scriptOf(id, ada.author)).script.waiting).toMatchObject({
      number: 1,
      held: { reasons: [{ id: 'net.webhook', host: 'discord.com' }] },
    })
    const released = await ada.send(
      'POST',
      '/api/version-release',
      { script_id: id, number: 1, reason: 'Declared' },
      moderator,
    )
    expect(released.statusCode, released.body).toBe(200)
    expect(await ada.raw(id)).toEqual([200, declared])
    expect(await ada.statesOf(id)).toEqual(['current', 'withdrawn'])
  })

  test('is a former one again when its author discards it or publishes other code', async () => {
    const { id, declared } = await makeReturning()
    const discarded = await ada.send('POST', '/api/version-discard', { script_id: id, number: 1, was_me: true })
    expect(discarded.json()).toMatchObject({ state: 'former' })
    expect(await ada.statesOf(id)).toEqual(['former', 'withdrawn'])
    expect([await ada.statusOf(id), await ada.statusOf(id, `?sha256=${sha256(declared)}`)]).toEqual([410, 200])
    const code = makeCode()
    await ada.change(id, { script_content: code })
    expect(await ada.raw(id)).toEqual([200, code])
    expect(await ada.statesOf(id)).toEqual(['former', 'withdrawn', 'current'])
  })

  test('can be withdrawn while it is held', async () => {
    const { id, declared } = await makeReturning()
    await ada.withdrawn(id, 1)
    expect(await ada.statesOf(id)).toEqual(['withdrawn', 'withdrawn'])
    expect(await ada.statusOf(id, `?sha256=${sha256(declared)}`)).toBe(410)
  })
})

describe('withdrawing the only version', () => {
  test('leaves a page that says so, until there is new code', async () => {
    const bad = makeCode()
    const id = await ada.make(bad)
    await ada.withdrawn(id, 1)
    const [status, body] = await ada.raw(id)
    expect([status, body]).toEqual([410, expect.stringContaining('\nerror("Version 1.0.0 was withdrawn by its author')])
    expect(await ada.scriptOf(id)).toMatchObject({
      code: 'version_withdrawn',
      error: expect.stringMatching(/: It deletes saved games\.$/),
    })
    expect((await ada.scriptOf(id, ada.author)).script).toMatchObject({
      is_public: false,
      is_public_setting: true,
      script_content: '',
      version: '1.0.0',
    })
    expect((await ada.scriptOf(id, moderator)).script.script_content).toBe(bad)
    const good = makeCode()
    await ada.change(id, { script_content: good })
    expect(await ada.raw(id)).toEqual([200, good])
    expect(await ada.statesOf(id)).toEqual(['withdrawn', 'current'])
  })

  test('answers its download with 410, for the author as well', async () => {
    const id = await ada.make(makeCode())
    await ada.withdrawn(id, 1)
    for (const url of [`/api/script-download?id=${id}`, `/api/v1/scripts/x-${id}/code`]) {
      for (const headers of url.includes('v1') ? [{}] : [{}, ada.author]) {
        const response = await site.app.inject({ url, headers })
        expect([url, response.statusCode, response.headers['content-type']]).toEqual(
          expect.arrayContaining([410, 'text/plain; charset=utf-8']),
        )
        expect(response.body).toMatch(/^-- Version .+\nerror\("Version .+", 0\)\n$/)
      }
    }
  })

  test('is not undone by a change of its visibility or number', async () => {
    const id = await ada.make(makeCode())
    await ada.withdrawn(id, 1)
    await ada.change(id, { is_public: false })
    expect(await ada.statusOf(id)).toBe(404)
    await ada.change(id, { is_public: true, title: 'Other title' })
    expect(await ada.statusOf(id)).toBe(410)
    expect(codeOf(await sendChange(site, ada.author, id, { version: '2.0.0' }))).toEqual([409, 'withdrawn_code'])
    expect((await ada.scriptOf(id, ada.author)).script).toMatchObject({ is_public: false, version: '1.0.0' })
  })
})

test('withdrawing a former version leaves the current one', async () => {
  const [bad, good] = [makeCode(), makeCode()]
  const id = await ada.make(bad, good)
  await ada.withdrawn(id, 1)
  expect(await ada.raw(id)).toEqual([200, good])
  expect(await ada.statesOf(id)).toEqual(['withdrawn', 'current'])
  expect(await ada.statusOf(id, '?version=1')).toBe(410)
})

test('all versions with the code are withdrawn', async () => {
  const [bad, good] = [makeCode(), makeCode()]
  const id = await ada.make(bad, good)
  await sendRestore(site, ada.author, { script_id: id, number: 1 })
  expect(await ada.statesOf(id)).toEqual(['former', 'former', 'current'])
  await ada.withdrawn(id, 3)
  expect(await ada.statesOf(id)).toEqual(['withdrawn', 'current', 'withdrawn'])
})

test('only what was public can be withdrawn', async () => {
  const isPrivate = await publish(site, ada.author, { script_content: makeCode(), is_public: false })
  expect(codeOf(await ada.withdraw(isPrivate, 1))).toEqual([409, 'version_not_withdrawable'])
  const id = await ada.make(makeCode(), WEBHOOK)
  expect(await ada.statesOf(id)).toEqual(['current', 'held'])
  expect(codeOf(await ada.withdraw(id, 2))).toEqual([409, 'version_not_withdrawable'])
  await ada.send('POST', '/api/version-discard', { script_id: id, number: 2, was_me: true })
  expect(codeOf(await ada.withdraw(id, 2))).toEqual([409, 'version_not_withdrawable'])
  expect(codeOf(await ada.withdraw(id, 9))).toEqual([404, 'not_found'])
  expect(codeOf(await ada.withdraw(1_000_000, 1))).toEqual([404, 'script_not_found'])
  expect(codeOf(await ada.withdraw(id, 1, { reason: '  ' }))).toEqual([400, 'invalid'])
  expect(codeOf(await ada.withdraw(id, 1, { is_malicious: true }))).toEqual([400, 'invalid'])
  expect(codeOf(await ada.withdraw(id, 1, {}, await signIn(site.db)))).toEqual([403, 'not_the_author'])
  const token = await makeApiToken(site.db, ada.memberId)
  expect(codeOf(await ada.withdraw(id, 1, {}, { authorization: token.authorization }))).toEqual([
    403,
    'token_not_allowed',
  ])
  expect(await ada.statesOf(id)).toEqual(['current', 'discarded'])
})

test('two withdrawals at once are one', async () => {
  const id = await ada.make(makeCode(), makeCode())
  const responses = await Promise.all(['One', 'Two', 'Three'].map((reason) => ada.withdraw(id, 2, { reason })))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  const reasons = responses.map((response) => response.json<{ withdrawal: Withdrawal }>().withdrawal.reason)
  expect(new Set(reasons).size).toBe(1)
  const { rows } = await site.pool.query('select reason from withdrawals where script_id = $1', [id])
  expect(rows).toEqual([{ reason: reasons[0] }])
})

test('withdrawals of two versions at once leave none of them', async () => {
  const codes = [makeCode(), makeCode(), makeCode()]
  const id = await ada.make(...codes)
  const responses = await Promise.all([ada.withdraw(id, 3), ada.withdraw(id, 2)])
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(await ada.raw(id)).toEqual([200, codes[0]])
})

describe('withdrawn code', () => {
  test('cannot be restored or published again', async () => {
    const [good, bad] = [makeCode(), makeCode()]
    const id = await ada.make(good, bad)
    await ada.withdrawn(id, 2)
    expect(codeOf(await sendRestore(site, ada.author, { script_id: id, number: 2 }))).toEqual([409, 'withdrawn_code'])
    expect(codeOf(await sendChange(site, ada.author, id, { script_content: bad }))).toEqual([409, 'withdrawn_code'])
    const token = await makeApiToken(site.db, ada.memberId)
    const put = await ada.send(
      'PUT',
      `/api/v1/scripts/x-${id}/versions`,
      { script_content: bad },
      {
        authorization: token.authorization,
      },
    )
    expect(codeOf(put)).toEqual([409, 'withdrawn_code'])
    expect(await ada.raw(id)).toEqual([200, good])
  })

  test('that is current cannot be pushed again', async () => {
    const bad = makeCode()
    const id = await ada.make(bad)
    await ada.withdrawn(id, 1)
    const token = await makeApiToken(site.db, ada.memberId)
    const put = await ada.send(
      'PUT',
      `/api/v1/scripts/x-${id}/versions`,
      { script_content: bad },
      {
        authorization: token.authorization,
      },
    )
    expect(codeOf(put)).toEqual([409, 'withdrawn_code'])
  })

  test('that a version waits with is discarded', async () => {
    const id = await ada.make(WEBHOOK, makeCode())
    await sendRestore(site, ada.author, { script_id: id, number: 1 })
    expect(await ada.statesOf(id)).toEqual(['former', 'current', 'held'])
    await ada.withdrawn(id, 1)
    await checkVersions(site)
    expect(await ada.statesOf(id)).toEqual(['withdrawn', 'current', 'discarded'])
  })

  test('of an author is only rejected in their script, that of moderators everywhere', async () => {
    const bad = makeCode()
    const id = await ada.make(bad)
    await ada.withdrawn(id, 1)
    const elsewhere = await ada.make(bad)
    expect(await ada.raw(elsewhere)).toEqual([200, bad])
    await ada.withdrawn(elsewhere, 1, { is_malicious: true }, moderator)
    const response = await ada.send('POST', '/api/scripts', { title: 'A', description: 'B', script_content: bad })
    expect(codeOf(response)).toEqual([409, 'withdrawn_code'])
  })
})

describe('the successor', () => {
  test('is shown while everyone can see it', async () => {
    const id = await ada.make(makeCode(), makeCode())
    const next = await publish(site, ada.author, { title: 'Next one', script_content: makeCode() })
    await ada.withdrawn(id, 2, { successor_slug: `next-one-${next}` })
    expect((await ada.scriptOf(id)).script.successor).toEqual({ slug: `next-one-${next}`, title: 'Next one' })
    await ada.change(next, { is_public: false })
    expect((await ada.scriptOf(id)).script.successor).toBeNull()
    await ada.change(next, { is_public: true })
    expect((await ada.scriptOf(id)).script.successor).not.toBeNull()
    await ada.withdrawn(id, 1)
    expect((await ada.raw(id))[1]).toContain(` It is replaced by /scripts/next-one-${next}"`)
    const problem = {
      code: 'version_withdrawn',
      withdrawn: {
        version: '1.0.0',
        by: 'author',
        reason: 'It deletes saved games.',
        is_malicious: false,
        successor: { slug: `next-one-${next}`, title: 'Next one' },
      },
    }
    for (const url of [`/api/script-details-slug?slug=x-${id}`, `/api/v1/scripts/x-${id}`]) {
      const response = await site.app.inject(url)
      expect([response.statusCode, response.json()]).toMatchObject([410, problem])
    }
    await sendDelete(site, ada.author, next)
    expect((await ada.scriptOf(id, ada.author)).script.successor).toBeNull()
    expect((await ada.raw(id))[1]).not.toContain('replaced')
  })

  test('can be named and forgotten by an edit', async () => {
    const id = await ada.make(makeCode())
    const next = await ada.make(makeCode())
    await ada.change(id, { successor_slug: `x-${next}` })
    await ada.change(id, { title: 'Other title' })
    expect((await ada.scriptOf(id)).script.successor?.slug).toBe(`a-script-${next}`)
    await ada.change(id, { successor_slug: null })
    expect((await ada.scriptOf(id)).script.successor).toBeNull()
    for (const slug of ['', `x-${id}`, 'x-1000000']) {
      const response = await sendChange(site, ada.author, id, { successor_slug: slug })
      expect([slug, response.statusCode]).toEqual([slug, 400])
    }
  })

  test('must be another public script', async () => {
    const id = await ada.make(makeCode())
    const hidden = await publish(site, ada.author, { is_public: false, script_content: makeCode() })
    for (const slug of [`x-${id}`, `x-${hidden}`, 'x-1000000', 'x', '']) {
      const response = await ada.withdraw(id, 1, { successor_slug: slug })
      expect([slug, response.statusCode]).toEqual([slug, 400])
    }
    expect(await ada.statesOf(id)).toEqual(['current'])
  })
})
