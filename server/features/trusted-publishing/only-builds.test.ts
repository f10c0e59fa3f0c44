import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ResultOf } from '#contract/operations.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeApiToken, signIn } from '#tests/support/factories.ts'
import { FakeIssuer } from '#tests/support/oidc-issuer.ts'
import { checkVersions, findInconsistencies, publish, sendChange, sendRestore } from '#tests/support/scripts.ts'
import { type Author, codeOf, makeAuthor, makeCode, sha256 } from '#tests/support/withdrawals.ts'

let site: TestApp
const github = new FakeIssuer('github')
let ada: Author
let id: number
let publisherId: number
beforeAll(async () => {
  await github.start()
  site = await createTestApp({ forges: [github.forge] })
})
const checkConsistency = async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
}
afterAll(async () => {
  await checkConsistency()
  await site.close()
  await github.close()
})
beforeEach(async () => {
  await site.pool.query('delete from trusted_publishers')
  ada = await makeAuthor(site)
  id = await ada.make(makeCode(), makeCode())
  publisherId = await trust(id)
})

async function trust(script_id: number): Promise<number> {
  const payload = { script_id, forge: github.forge.url, repository: 'owner/lamp', workflow: 'release.yml' }
  const response = await ada.send('POST', '/api/trusted-publishers', payload)
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ publisher: { id: number } }>().publisher.id
}
const turnOn = (script_id = id, by: object = ada.author) => ada.send('PUT', '/api/only-builds', { script_id }, by)
const turnOff = (by: object = ada.author) =>
  site.app.inject({ method: 'DELETE', url: `/api/only-builds?id=${id}`, headers: { ...by } })
const read = async () =>
  (await site.app.inject({ url: `/api/trusted-publishers?id=${id}`, headers: ada.author })).json<
    ResultOf<'GET /api/trusted-publishers'>
  >()
const put = (headers: object, script_content = makeCode()) =>
  ada.send('PUT', `/api/v1/scripts/x-${id}/versions`, { script_content }, headers)
const getBuild = async (claims: object = {}) => {
  const response = await ada.send('POST', '/api/v1/oidc/token', { id_token: await github.sign({ ...claims }) }, {})
  expect(response.statusCode, response.body).toBe(201)
  return { authorization: `Bearer ${response.json<{ token: string }>().token}` }
}
const countCards = async (code: string) =>
  (await site.pool.query('select from behavior_cards where sha256 = $1', [sha256(code)])).rowCount
const ageSignIn = () =>
  site.pool.query("update sessions set created_at = now() - interval '1 hour' where member_id = $1", [ada.memberId])

test.each([
  ['with a run', { run_id: '77', sha: 'b'.repeat(40) }, 'b'.repeat(40), '/actions/runs/77'],
  ['without a run', {}, 'a'.repeat(40), null],
  ['with a strange run', { run_id: '7/../..' }, 'a'.repeat(40), null],
])('a version by a build %s says where it comes from', async (_, claims, commit, run) => {
  expect((await put(await getBuild(claims))).statusCode).toBe(201)
  await checkVersions(site)
  const [version] = await ada.versionsOf(id)
  expect(version).toMatchObject({ number: 3, token_name: null })
  expect(version?.provenance).toEqual({
    by: 'build',
    repository: 'owner/lamp',
    commit,
    workflow: 'release.yml',
    run_url: run && `${github.forge.url}/owner/lamp${run}`,
    matches_commit: null,
  })
})

describe('while only trusted builds may publish', () => {
  beforeEach(async () => {
    await turnOn()
  })

  test('every other way is rejected and changes nothing', async () => {
    expect((await read()).only_builds).toBe(true)
    const token = await makeApiToken(site.db, ada.memberId)
    const versions = await ada.versionsOf(id, ada.author)
    const responses = [
      await sendChange(site, ada.author, id, { script_content: makeCode() }),
      await sendChange(site, ada.author, id, { version: '9.0.0' }),
      await sendChange(site, token, id, { script_content: makeCode() }),
      await site.app.inject({
        method: 'PATCH',
        url: `/api/v1/scripts/x-${id}`,
        headers: token,
        payload: { script_content: makeCode() },
      }),
      await put(ada.author),
      await put(token),
      await put(await makeApiToken(site.db, ada.memberId, ['versions:write'])),
      await sendRestore(site, ada.author, { script_id: id, number: 1 }),
      await sendRestore(site, token, { script_id: id, number: 1 }),
    ]
    expect(responses.map(codeOf)).toEqual(responses.map(() => [403, 'only_builds']))
    expect(responses[0]?.json().error).toContain('Only trusted builds may publish versions of this script.')
    expect(await ada.versionsOf(id, ada.author)).toEqual(versions)
    const code = makeCode()
    expect(codeOf(await put(token, code))).toEqual([403, 'only_builds'])
    expect(await countCards(code)).toBe(0)
  })

  test('builds publish, and other details are changed in every way', async () => {
    const response = await put(await getBuild())
    expect(response.statusCode, response.body).toBe(201)
    await checkVersions(site)
    expect(await ada.statesOf(id)).toEqual(['former', 'former', 'current'])
    const { script } = await ada.scriptOf(id, ada.author)
    const { version, script_content } = script
    await ada.change(id, { title: 'Brighter', description: 'A lamp.', version, script_content })
    const token = await makeApiToken(site.db, ada.memberId)
    expect((await sendChange(site, token, id, { tags: ['light'] })).statusCode).toBe(200)
    expect((await ada.scriptOf(id)).script).toMatchObject({ title: 'Brighter', tags: [{ name: 'light' }] })
  })

  test('a withdrawal brings the former version back', async () => {
    await ada.withdrawn(id, 2)
    await checkVersions(site)
    expect(await ada.statesOf(id)).toEqual(['current', 'withdrawn'])
  })

  test('turning it off needs a recent sign-in, and says so to the author', async () => {
    await ageSignIn()
    expect(codeOf(await turnOff())).toEqual([403, 'reauthentication_required'])
    expect(codeOf(await turnOff(await makeApiToken(site.db, ada.memberId)))).toEqual([403, 'token_not_allowed'])
    expect((await read()).only_builds).toBe(true)
    const fresh = await signIn(site.db, ada.memberId)
    expect((await turnOff(fresh)).statusCode).toBe(200)
    expect((await turnOff(fresh)).statusCode).toBe(200)
    expect((await read()).only_builds).toBe(false)
    expect((await put(ada.author)).statusCode).toBe(201)
    const { notifications } = (await site.app.inject({ url: '/api/user-notifications', headers: fresh })).json()
    expect(notifications.filter((each: { title: string }) => each.title === 'Versions without a build')).toHaveLength(1)
    const { rows } = await site.pool.query(
      "select action from audit_log where subject_id = $1 and action like 'accept_%' order by id",
      [id],
    )
    expect(rows).toEqual([{ action: 'accept_only_builds' }, { action: 'accept_all_versions' }])
  })

  test('removing the last trusted publisher leaves it on, so nothing publishes', async () => {
    const build = await getBuild()
    await site.app.inject({ method: 'DELETE', url: `/api/trusted-publishers?id=${publisherId}`, headers: ada.author })
    expect(await read()).toMatchObject({ publishers: [], only_builds: true })
    expect(codeOf(await put(build))).toEqual([401, 'token_invalid'])
    expect(codeOf(await put(ada.author))).toEqual([403, 'only_builds'])
  })
})

test('turning it on needs no recent sign-in, but a trusted publisher, and the author', async () => {
  await ageSignIn()
  expect(codeOf(await turnOn(id, await signIn(site.db)))).toEqual([403, 'not_the_author'])
  expect(codeOf(await turnOn(id, await makeApiToken(site.db, ada.memberId)))).toEqual([403, 'token_not_allowed'])
  expect((await turnOn()).statusCode).toBe(200)
  await site.pool.query('delete from trusted_publishers where script_id = $1', [id])
  await site.pool.query('update scripts set only_builds = false where id = $1', [id])
  expect(codeOf(await turnOn())).toEqual([409, 'no_publishers'])
})

test('a private script becomes public only with a version by a build', async () => {
  id = await publish(site, ada.author, { script_content: makeCode(), is_public: false })
  await trust(id)
  expect((await turnOn()).statusCode).toBe(200)
  expect(codeOf(await sendChange(site, ada.author, id, { is_public: true }))).toEqual([403, 'only_builds'])
  const build = await ada.send('POST', '/api/v1/oidc/token', { id_token: await github.sign(), script_id: id }, {})
  expect((await put({ authorization: `Bearer ${build.json().token}` })).statusCode).toBe(201)
  await ada.change(id, { is_public: true })
  expect(await ada.statesOf(id)).toEqual(['former', 'current'])
})

test('what was published before waits on, and its author decides', async () => {
  await put(ada.author)
  expect((await turnOn()).statusCode).toBe(200)
  await checkVersions(site)
  expect(await ada.statesOf(id)).toEqual(['former', 'former', 'current'])
})
