import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_PUBLISHERS } from '#contract/limits.ts'
import type { ScriptVersion } from '#contract/scripts.ts'
import type { TrustedPublisher } from '#contract/trusted-publishing.ts'
import { deleteDueData } from '#server/operations/retention/retention.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { FakeIssuer } from '#tests/support/oidc-issuer.ts'
import { checkVersions } from '#tests/support/scripts.ts'

let site: TestApp
const github = new FakeIssuer('github')
const gitlab = new FakeIssuer('gitlab')
let authorId: number
let author: { authorization: string }
let scriptId: number
beforeAll(async () => {
  await Promise.all([github.start(), gitlab.start()])
  site = await createTestApp({ forges: [github.forge, gitlab.forge] })
})
afterAll(async () => {
  await site.close()
  await Promise.all([github.close(), gitlab.close()])
})
beforeEach(async () => {
  await site.pool.query('delete from trusted_publishers')
  authorId = await makeMember(site.db)
  author = await signIn(site.db, authorId)
  scriptId = await makeScript(site.db, { author_id: authorId, title: 'Lamp' })
})

const trust = (changes: object = {}, headers: object = author) =>
  site.app.inject({
    method: 'POST',
    url: '/api/trusted-publishers',
    headers: { ...headers },
    payload: {
      script_id: scriptId,
      forge: github.forge.url,
      repository: 'owner/lamp',
      workflow: 'release.yml',
      ...changes,
    },
  })
const list = async (headers: object = author) =>
  (await site.app.inject({ url: `/api/trusted-publishers?id=${scriptId}`, headers: { ...headers } })).json<{
    publishers: TrustedPublisher[]
    forges: object[]
    audience: string
  }>()
const exchange = (id_token: string, payload: object = {}, on = site) =>
  on.app.inject({ method: 'POST', url: '/api/v1/oidc/token', payload: { id_token, ...payload } })
const exchangeBuild = async (changes: object = {}, payload: object = {}) =>
  exchange(await github.sign({ ...changes }), payload)
const getToken = async (changes: object = {}) => {
  const response = await exchangeBuild(changes)
  expect(response.statusCode, response.body).toBe(201)
  return { authorization: `Bearer ${response.json<{ token: string }>().token}` }
}
const put = (id: number, headers: object, script_content = 'return 2') =>
  site.app.inject({
    method: 'PUT',
    url: `/api/v1/scripts/lamp-${id}/versions`,
    headers: { ...headers },
    payload: { script_content },
  })

describe('a trusted publisher', () => {
  test('is added, listed and removed, with a notification and entries of the audit log', async () => {
    const response = await trust({ environment: ' Release ', branch: 'main', repository_id: '1001' })
    expect(response.statusCode, response.body).toBe(201)
    const { publisher } = response.json<{ publisher: TrustedPublisher }>()
    expect(publisher).toMatchObject({
      script_id: scriptId,
      forge: { kind: 'github', url: github.forge.url },
      repository: 'owner/lamp',
      repository_id: '1001',
      workflow: 'release.yml',
      environment: 'Release',
      branch: 'main',
      last_used_at: null,
    })
    expect(await list()).toEqual({
      publishers: [publisher],
      forges: [github, gitlab].map(({ forge: { kind, url } }) => ({ kind, url })),
      only_builds: false,
      audience: 'http://localhost:3000',
    })
    const { notifications } = (await site.app.inject({ url: '/api/user-notifications', headers: author })).json()
    expect(notifications).toMatchObject([
      { title: 'New trusted publisher', link: `/scripts/lamp-${scriptId}/new-version?tab=repository` },
    ])
    const removed = await site.app.inject({
      method: 'DELETE',
      url: `/api/trusted-publishers?id=${publisher.id}`,
      headers: author,
    })
    expect(removed.statusCode).toBe(200)
    expect((await list()).publishers).toEqual([])
    const { rows } = await site.pool.query(
      'select action, subject_id, member_id from audit_log where actor_id = $1 order by id',
      [authorId],
    )
    const entry = { subject_id: scriptId, member_id: authorId }
    expect(rows).toEqual([
      { action: 'add_trusted_publisher', ...entry },
      { action: 'remove_trusted_publisher', ...entry },
    ])
  })

  test.each([
    ['an unknown server', { forge: 'https://git.example' }, ['forge']],
    ['an address as the repository', { repository: 'https://github.com/owner/lamp' }, ['repository']],
    ['a repository without an owner', { repository: 'lamp' }, ['repository']],
    ['a repository above the owner', { repository: '../lamp' }, ['repository']],
    ['a workflow in a folder', { workflow: '.github/workflows/release.yml' }, ['workflow']],
    ['a workflow of another format', { workflow: 'release.sh' }, ['workflow']],
    ['a whole ref', { branch: 'refs/heads/main' }, ['branch']],
    ['a name as the id', { repository_id: 'lamp' }, ['repository_id']],
    ['several errors', { repository: '', workflow: '' }, ['repository', 'workflow']],
  ])('with %s is rejected', async (_, changes, fields) => {
    const response = await trust(changes)
    expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, fields])
  })

  test('of GitLab may have a path with groups and a configuration in a folder', async () => {
    const response = await trust({ forge: gitlab.forge.url, repository: 'group/sub/lamp', workflow: 'ci/publish.yml' })
    expect(response.statusCode, response.body).toBe(201)
  })

  test('is added once, and up to a limit, also by concurrent requests', async () => {
    const same = await Promise.all(Array.from({ length: 4 }, () => trust()))
    expect(same.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
    const others = await Promise.all(Array.from({ length: MAX_PUBLISHERS + 2 }, (_, i) => trust({ branch: `b${i}` })))
    expect(others.filter(({ statusCode }) => statusCode === 201)).toHaveLength(MAX_PUBLISHERS - 1)
    expect(others.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('too_many_publishers')
  })

  test('requires a recent sign-in, and belongs to the author', async () => {
    const { publisher } = (await trust()).json<{ publisher: TrustedPublisher }>()
    const other = await signIn(site.db)
    expect((await trust({}, other)).json().code).toBe('not_the_author')
    const url = `/api/trusted-publishers?id=${publisher.id}`
    expect((await site.app.inject({ method: 'DELETE', url, headers: other })).statusCode).toBe(404)
    await site.pool.query("update sessions set created_at = now() - interval '1 hour' where member_id = $1", [authorId])
    expect((await trust({ branch: 'main' })).json().code).toBe('reauthentication_required')
  })
})

describe('a build', () => {
  test('gets a token for 15 minutes that publishes versions of the script and nothing else', async () => {
    await trust()
    const response = await exchangeBuild()
    expect(response.statusCode, response.body).toBe(201)
    expect(response.headers['cache-control']).toBe('no-store')
    const { token, expires_at, scripts } = response.json<{ token: string; expires_at: string; scripts: object[] }>()
    expect(token).toMatch(/^sy_\w{36}$/)
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(14)
    expect(minutes).toBeLessThan(15.1)
    expect(scripts).toEqual([{ id: scriptId, title: 'Lamp', slug: `lamp-${scriptId}` }])

    const headers = { authorization: `Bearer ${token}` }
    expect((await put(scriptId, headers)).statusCode).toBe(201)
    expect((await put(scriptId, headers)).statusCode).toBe(200)
    const own = await makeScript(site.db, { author_id: authorId })
    expect((await put(own, headers)).json().code).toBe('token_not_for_script')
    const change = {
      method: 'PATCH',
      url: `/api/v1/scripts/lamp-${scriptId}`,
      headers,
      payload: { title: 'Torch' },
    } as const
    expect((await site.app.inject(change)).json().code).toBe('insufficient_scope')
    const publish = { title: 'New', description: 'Text.', script_content: 'return 1' }
    const created = await site.app.inject({ method: 'POST', url: '/api/v1/scripts', headers, payload: publish })
    expect(created.json().code).toBe('insufficient_scope')
    expect((await site.app.inject({ url: '/api/tokens', headers })).json().code).toBe('token_not_allowed')

    const [publisher] = (await list()).publishers
    expect(publisher).toMatchObject({ repository_id: '1001', last_used_at: expect.any(String) })
    // The author neither sees nor counts these tokens.
    expect((await site.app.inject({ url: '/api/tokens', headers: author })).json().tokens).toEqual([])
  })

  test('of GitLab gets one, too', async () => {
    await trust({ forge: gitlab.forge.url, repository: 'Group/sub/lamp', workflow: '.gitlab-ci.yml' })
    const response = await exchange(await gitlab.sign())
    expect(response.statusCode, response.body).toBe(201)
  })

  test('gets a token for all scripts of the author that trust it, or for one of them', async () => {
    const second = await makeScript(site.db, { author_id: authorId, title: 'Torch' })
    await trust()
    await trust({ script_id: second })
    const both = (await exchangeBuild()).json<{ scripts: { id: number }[] }>()
    expect(both.scripts.map(({ id }) => id)).toEqual([scriptId, second])
    const one = (await exchangeBuild({}, { script_id: second })).json<{ scripts: { id: number }[]; token: string }>()
    expect(one.scripts.map(({ id }) => id)).toEqual([second])
    expect((await put(scriptId, { authorization: `Bearer ${one.token}` })).json().code).toBe('token_not_for_script')
  })

  test('that scripts of several authors trust has to name the script', async () => {
    const otherId = await makeMember(site.db)
    const other = await makeScript(site.db, { author_id: otherId })
    await trust()
    await trust({ script_id: other }, await signIn(site.db, otherId))
    expect((await exchangeBuild()).json().code).toBe('publisher_ambiguous')
    const named = await exchangeBuild({}, { script_id: other })
    expect([named.statusCode, named.json().scripts]).toMatchObject([201, [{ id: other }]])
  })

  test.each<[string, object, object, string]>([
    [
      'of another repository',
      {},
      { repository: 'owner/other', workflow_ref: 'owner/other/.github/workflows/release.yml@refs/heads/main' },
      'No script trusts this repository.',
    ],
    [
      'of a fork',
      {},
      {
        repository: 'stranger/lamp',
        repository_id: '6666',
        workflow_ref: 'stranger/lamp/.github/workflows/release.yml@refs/heads/main',
      },
      'No script trusts this repository.',
    ],
    [
      'of a repository that was renamed',
      {},
      { repository: 'owner/torch', workflow_ref: 'owner/torch/.github/workflows/release.yml@refs/heads/main' },
      'No script trusts this repository.',
    ],
    [
      'of the pull request of a fork',
      {},
      {
        event_name: 'pull_request',
        ref: 'refs/pull/7/merge',
        head_ref: 'main',
        workflow_ref: 'owner/lamp/.github/workflows/release.yml@refs/pull/7/merge',
      },
      'pull requests',
    ],
    [
      'of the ref of a pull request, whatever started it,',
      {},
      {
        event_name: 'workflow_dispatch',
        ref: 'refs/pull/7/merge',
        workflow_ref: 'owner/lamp/.github/workflows/release.yml@refs/pull/7/merge',
      },
      'pull requests',
    ],
    ['that another workflow started, maybe of a fork,', {}, { event_name: 'workflow_run' }, 'pull requests'],
    [
      'of another workflow',
      {},
      { workflow_ref: 'owner/lamp/.github/workflows/test.yml@refs/heads/main' },
      'another workflow',
    ],
    [
      'of a workflow of another repository',
      {},
      { workflow_ref: 'other/lamp/.github/workflows/release.yml@refs/heads/main' },
      'another workflow',
    ],
    ['of another branch', { branch: 'stable' }, {}, 'another branch'],
    [
      'of a tag with the name of the branch',
      { branch: 'main' },
      { ref: 'refs/tags/main', workflow_ref: 'owner/lamp/.github/workflows/release.yml@refs/tags/main' },
      'another branch',
    ],
    ['of another environment', { environment: 'release' }, { environment: 'test' }, 'another environment'],
    ['without an environment', { environment: 'release' }, {}, 'another environment'],
    ['of a pull request', {}, { event_name: 'pull_request' }, 'pull requests'],
    ['of a pull request with the rights of the repository', {}, { event_name: 'pull_request_target' }, 'pull requests'],
  ])('%s gets no token', async (_, publisher, claims, sentence) => {
    await trust(publisher)
    const response = await exchangeBuild(claims)
    expect([response.statusCode, response.json().error]).toEqual([403, expect.stringContaining(sentence)])
    expect(response.headers['content-type']).toContain('application/problem+json')
  })

  test('that fits gets one: branch, environment in other letters, tag', async () => {
    await trust({ branch: 'main', environment: 'Release' })
    expect((await exchangeBuild({ environment: 'release' })).statusCode).toBe(201)
    await trust({ workflow: 'tag.yaml' })
    const ref = 'refs/tags/v1'
    const tagged = { ref, workflow_ref: `owner/lamp/.github/workflows/tag.yaml@${ref}` }
    expect((await exchangeBuild(tagged)).statusCode).toBe(201)
  })

  test('of a repository that another owner created under the same name gets no token', async () => {
    await trust()
    expect((await exchangeBuild()).statusCode).toBe(201)
    const response = await exchangeBuild({ repository_id: '6666' })
    expect([response.statusCode, response.json().code]).toEqual([403, 'repository_replaced'])
    expect((await list()).publishers).toMatchObject([{ repository_id: '1001' }])
    // The names of repositories differ in more than letter case.
    const inOtherLetters = { repository: 'Owner/Lamp', repository_id: '6666' }
    const workflow_ref = 'Owner/Lamp/.github/workflows/release.yml@refs/heads/main'
    expect((await exchangeBuild({ ...inOtherLetters, workflow_ref })).json().code).toBe('repository_replaced')
    expect((await exchangeBuild()).statusCode).toBe(201)
  })

  test('gets no token if another repository was entered by its id', async () => {
    await trust({ repository_id: '7' })
    expect((await exchangeBuild()).json().code).toBe('repository_replaced')
  })

  test('of a private script publishes, of a muted or banned author it does not', async () => {
    await site.pool.query('update scripts set is_public = false where id = $1', [scriptId])
    await trust()
    expect((await put(scriptId, await getToken())).statusCode).toBe(201)
    await site.pool.query("update members set muted_until = 'infinity' where id = $1", [authorId])
    expect((await exchangeBuild()).json().code).toBe('muted')
    await site.pool.query("update members set banned_until = 'infinity', muted_until = null where id = $1", [authorId])
    expect((await exchangeBuild()).json().code).toBe('no_trusted_publisher')
  })
})

describe('an ID token', () => {
  test('is exchanged once, also by concurrent requests', async () => {
    await trust()
    const token = await github.sign()
    const responses = await Promise.all(Array.from({ length: 8 }, () => exchange(token)))
    const [first, ...others] = responses.toSorted((a, b) => a.statusCode - b.statusCode)
    expect(first?.statusCode).toBe(201)
    expect(others.map((response) => response.json().code)).toEqual(others.map(() => 'id_token_used'))
    expect((await exchange(token)).json()).toMatchObject({
      code: 'id_token_used',
      error: 'This ID token was exchanged already. Request a new one.',
    })
    const { rowCount } = await site.pool.query('select from api_tokens where member_id = $1', [authorId])
    expect(rowCount).toBe(1)
  })

  test('is remembered until it has expired', async () => {
    await trust()
    const token = await github.sign()
    await exchange(token)
    await deleteDueData(site.db)
    expect((await exchange(token)).json().code).toBe('id_token_used')
    await site.pool.query("update used_id_tokens set expires_at = now() - interval '2 hours'")
    await deleteDueData(site.db)
    expect((await site.pool.query('select from used_id_tokens')).rowCount).toBe(0)
  })

  test('that could not be exchanged may be sent again', async () => {
    const token = await github.sign()
    expect((await exchange(token)).json().code).toBe('no_trusted_publisher')
    await trust()
    expect((await exchange(token)).statusCode).toBe(201)
  })

  test('that is not valid is not echoed', async () => {
    const response = await exchange('<script>alert(1)</script>')
    expect([response.statusCode, response.json().code]).toEqual([400, 'id_token_malformed'])
    expect(response.body).not.toContain('alert')
  })

  test('has limits of its own', async () => {
    const limited = await createAppOn(
      site.database,
      site.pool,
      { rateLimit: true, forges: [github.forge] },
      { isFirst: false },
    )
    await trust()
    const statuses: number[] = []
    for (let i = 0; i < 62; i++) statuses.push((await exchange(await github.sign(), {}, limited)).statusCode)
    expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([60, 429])
    await limited.close()
  })
})

/** The newest version, as everyone reads it. */
const readVersion = async (id = scriptId) =>
  (await site.app.inject(`/api/script-versions?id=${id}`)).json<{ versions: ScriptVersion[] }>().versions[0]

describe('a version by a build', () => {
  test.each([
    [
      'GitHub',
      { run_id: '77', run_attempt: '2', sha: 'b'.repeat(40) },
      { commit: 'b'.repeat(40), run_url: 'actions/runs/77' },
    ],
    ['GitHub, without a run', {}, { commit: 'a'.repeat(40), run_url: null }],
    ['GitHub, with strange claims', { run_id: '7/../..', sha: 'main' }, { commit: null, run_url: null }],
  ])('has its provenance: %s', async (_, claims, { commit, run_url }) => {
    await trust()
    const sha = 'sha' in claims ? claims.sha : undefined
    const definition = sha === 'main' ? { workflow_ref: 'owner/lamp/.github/workflows/release.yml@main' } : {}
    expect((await put(scriptId, await getToken({ ...claims, ...definition }))).statusCode).toBe(201)
    await checkVersions(site)
    expect(await readVersion()).toMatchObject({
      number: 2,
      token_name: null,
      provenance: {
        by: 'build',
        repository: 'owner/lamp',
        commit,
        workflow: 'release.yml',
        run_url: run_url === null ? null : `${github.forge.url}/owner/lamp/${run_url}`,
        matches_commit: null,
      },
    })
  })

  test('of GitLab has it, too', async () => {
    await trust({ forge: gitlab.forge.url, repository: 'group/sub/lamp', workflow: '.gitlab-ci.yml' })
    const { token } = (await exchange(await gitlab.sign({ job_id: '302' }))).json<{ token: string }>()
    expect((await put(scriptId, { authorization: `Bearer ${token}` })).statusCode).toBe(201)
    await checkVersions(site)
    expect((await readVersion())?.provenance).toMatchObject({
      by: 'build',
      repository: 'group/sub/lamp',
      workflow: '.gitlab-ci.yml',
      run_url: `${gitlab.forge.url}/group/sub/lamp/-/jobs/302`,
    })
  })
})

describe('the token of a build', () => {
  test('is rejected as soon as the trusted publisher is removed', async () => {
    await trust()
    const headers = await getToken()
    const [publisher] = (await list()).publishers
    await site.app.inject({ method: 'DELETE', url: `/api/trusted-publishers?id=${publisher?.id}`, headers: author })
    expect((await put(scriptId, headers)).json().code).toBe('token_invalid')
  })

  test('is rejected after 15 minutes and then deleted', async () => {
    await trust()
    const headers = await getToken()
    await site.pool.query("update api_tokens set expires_at = now() - interval '1 second' where member_id = $1", [
      authorId,
    ])
    expect((await put(scriptId, headers)).json().code).toBe('token_expired')
    await deleteDueData(site.db)
    expect((await site.pool.query('select from api_tokens where member_id = $1', [authorId])).rowCount).toBe(0)
  })

  test('is gone with the script', async () => {
    await trust()
    const headers = await getToken()
    await site.app.inject({ method: 'DELETE', url: `/api/script-details?id=${scriptId}`, headers: author })
    expect((await put(scriptId, headers)).json().code).toBe('token_invalid')
  })
})
