import { setTimeout as sleep } from 'node:timers/promises'
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PublicClient } from '#server/platform/http/public-client.ts'
import { FakeIssuer, makeKey } from '#tests/support/oidc-issuer.ts'
import { IdTokenVerifier } from './id-token.ts'

const AUDIENCE = 'http://localhost:3000'

let github: FakeIssuer
let gitlab: FakeIssuer
let client: PublicClient
beforeEach(async () => {
  github = new FakeIssuer('github')
  gitlab = new FakeIssuer('gitlab')
  await Promise.all([github.start(), gitlab.start()])
  client = new PublicClient({ userAgent: 'Tests/1.0', allowsLoopback: true, timeoutMs: 300 })
})
afterEach(async () => {
  client.close()
  await Promise.all([github.close(), gitlab.close()])
})

const openVerifier = (times: { refetchMs?: number; retryMs?: number } = {}) =>
  new IdTokenVerifier({ forges: [github.forge, gitlab.forge], audience: AUDIENCE, client, ...times })

const codeOf = (token: string, verifier = openVerifier()) =>
  verifier.verify(token).then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )

const seconds = () => Math.floor(Date.now() / 1000)

describe('an ID token', () => {
  test('of GitHub names the build', async () => {
    const build = await openVerifier().verify(await github.sign({ environment: 'Release' }))
    expect(build).toMatchObject({
      repository: 'owner/lamp',
      repositoryId: '1001',
      definedBy: 'owner/lamp/.github/workflows/release.yml',
      ref: 'refs/heads/main',
      environment: 'Release',
      isProposal: false,
    })
    expect(build.tokenHash).toHaveLength(32)
  })

  test('of GitLab names the build', async () => {
    const build = await openVerifier().verify(await gitlab.sign())
    const host = new URL(gitlab.issuer).host
    expect(build).toMatchObject({
      repository: 'group/sub/lamp',
      repositoryId: '2002',
      definedBy: `${host}/group/sub/lamp//.gitlab-ci.yml`,
      environment: null,
      isProposal: false,
    })
  })

  test('may be signed with ES256, and for several audiences', async () => {
    github.keys = [await makeKey('curve', 'ES256')]
    expect(await codeOf(await github.sign({ aud: ['https://other.example', AUDIENCE] }))).toBe('accepted')
  })

  test.each([
    ['another issuer', { iss: 'https://issuer.example' }, 'id_token_issuer'],
    ['an issuer that is written differently', { iss: undefined }, 'id_token_issuer'],
    ['another audience', { aud: 'https://other.example' }, 'id_token_audience'],
    ['no audience', { aud: undefined }, 'id_token_audience'],
    ['an end in the past', { exp: 1 }, 'id_token_expired'],
    ['no end', { exp: undefined }, 'id_token_claims'],
    ['no number', { jti: undefined }, 'id_token_claims'],
    ['no time of issue', { iat: undefined }, 'id_token_claims'],
    ['no repository', { repository: undefined }, 'id_token_claims'],
    ['a repository that is a list', { repository: ['owner/lamp'] }, 'id_token_claims'],
    ['no repository id', { repository_id: undefined }, 'id_token_claims'],
    ['a workflow of another ref', { ref: 'refs/heads/other' }, 'id_token_claims'],
  ])('with %s is rejected', async (_, changes, code) => {
    expect(await codeOf(await github.sign(changes))).toBe(code)
  })

  test('may be off by a minute, not by more', async () => {
    const now = seconds()
    expect(await codeOf(await github.sign({ exp: now - 50 }))).toBe('accepted')
    expect(await codeOf(await github.sign({ exp: now - 70 }))).toBe('id_token_expired')
    expect(await codeOf(await github.sign({ nbf: now + 50 }))).toBe('accepted')
    expect(await codeOf(await github.sign({ nbf: now + 70 }))).toBe('id_token_not_yet_valid')
    expect(await codeOf(await github.sign({ iat: now + 50 }))).toBe('accepted')
    expect(await codeOf(await github.sign({ iat: now + 70 }))).toBe('id_token_not_yet_valid')
    expect(await codeOf(await github.sign({ iat: now - 90_000 }))).toBe('id_token_expired')
  })

  test('without a signature, or with a public key as the secret, is rejected before keys are requested', async () => {
    const unsigned = new UnsecuredJWT(github.claims()).encode()
    expect(await codeOf(unsigned)).toBe('id_token_algorithm')
    const [key] = github.keys
    const text = await exportSPKI(
      (await importJWK({ ...key?.publicJwk, ext: true }, 'RS256', { extractable: true })) as never,
    )
    const secret = new TextEncoder().encode(text)
    const symmetric = await new SignJWT(github.claims()).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret)
    expect(await codeOf(symmetric)).toBe('id_token_algorithm')
    expect(github.requests).toBe(0)
  })

  test('that was changed, or signed by somebody else with the name of a key, is rejected', async () => {
    const [head, , signature] = (await github.sign()).split('.')
    const claims = Buffer.from(JSON.stringify(github.claims({ repository: 'owner/other' }))).toString('base64url')
    expect(await codeOf([head, claims, signature].join('.'))).toBe('id_token_signature')
    expect(await codeOf(await github.sign({}, await makeKey('first', 'RS256')))).toBe('id_token_signature')
  })

  test.each([
    ['nothing', ''],
    ['a word', 'x'],
    ['three words', 'a.b.c'],
    ['empty objects', 'e30.e30.'],
    ['an API token', 'sy_token'],
    ['a long text', `${'a'.repeat(9000)}.b.c`],
  ])('that is %s is rejected', async (_, token) => {
    expect(await codeOf(token)).toMatch(/^id_token_(malformed|issuer)$/)
  })

  test.each(['pull_request', 'pull_request_target', 'pull_request_review', 'workflow_run', 'merge_group'])(
    'of the event %s is of a proposal',
    async (event_name) => {
      expect((await openVerifier().verify(await github.sign({ event_name }))).isProposal).toBe(true)
    },
  )

  test('of a merge request, or of its ref, is of a proposal', async () => {
    const verifier = openVerifier()
    const event = await verifier.verify(await gitlab.sign({ pipeline_source: 'merge_request_event' }))
    const ref = 'refs/merge-requests/4/head'
    const ci_config_ref_uri = `${new URL(gitlab.issuer).host}/group/sub/lamp//.gitlab-ci.yml@${ref}`
    const child = await verifier.verify(await gitlab.sign({ ref_path: ref, ci_config_ref_uri }))
    expect([event.isProposal, child.isProposal]).toEqual([true, true])
  })
})

describe('keys', () => {
  test('are requested once, also for concurrent tokens', async () => {
    const verifier = openVerifier()
    const tokens = await Promise.all(Array.from({ length: 8 }, () => github.sign()))
    expect(new Set(await Promise.all(tokens.map((token) => codeOf(token, verifier))))).toEqual(new Set(['accepted']))
    expect(github.requests).toBe(2)
  })

  test('that were changed are requested again', async () => {
    const verifier = openVerifier({ refetchMs: 0 })
    expect(await codeOf(await github.sign(), verifier)).toBe('accepted')
    const [old] = github.keys
    github.keys = [await makeKey('second', 'RS256')]
    expect(await codeOf(await github.sign(), verifier)).toBe('accepted')
    expect(await codeOf(await github.sign({}, old), verifier)).toBe('id_token_key')
  })

  test('that the issuer does not have are requested at most once per interval', async () => {
    const verifier = openVerifier({ refetchMs: 500 })
    const unknown = await makeKey('unknown', 'RS256')
    const tokens = await Promise.all(Array.from({ length: 5 }, () => github.sign({}, unknown)))
    expect(await codeOf(await github.sign(), verifier)).toBe('accepted')
    for (const token of tokens) expect(await codeOf(token, verifier)).toBe('id_token_key')
    expect(github.requests).toBe(2)
    await sleep(510)
    for (const token of tokens) expect(await codeOf(token, verifier)).toBe('id_token_key')
    expect(github.requests).toBe(4)
  })

  test('are used while the issuer is down', async () => {
    const verifier = openVerifier({ refetchMs: 0 })
    expect(await codeOf(await github.sign(), verifier)).toBe('accepted')
    github.answer = (response) => response.writeHead(500).end()
    expect(await codeOf(await github.sign(), verifier)).toBe('accepted')
  })
})

describe('an issuer', () => {
  test('that is down is asked again only after a while', async () => {
    github.answer = (response) => response.socket?.destroy()
    const verifier = openVerifier({ retryMs: 200 })
    const token = await github.sign()
    const error = await verifier
      .verify(token)
      .catch((thrown: { code: string; status: number; message: string }) => thrown)
    expect(error).toMatchObject({
      code: 'issuer_unavailable',
      status: 503,
      message: "The keys of the token's issuer could not be read. The connection failed.",
    })
    expect(await codeOf(token, verifier)).toBe('issuer_unavailable')
    expect(github.requests).toBe(1)
    github.answer = undefined
    await sleep(210)
    expect(await codeOf(token, verifier)).toBe('accepted')
  })

  test.each<[string, NonNullable<FakeIssuer['answer']>, string]>([
    ['is slow', () => {}, 'There was no complete response in time.'],
    ['answers with too much', (response) => response.end('x'.repeat(300_000)), 'The response is too large.'],
    ['answers with an error', (response) => response.writeHead(502).end(), 'It answered with status 502.'],
    ['redirects', (response) => response.writeHead(302, { location: '/' }).end(), 'It answered with status 302.'],
    ['answers with a page', (response) => response.end('<html>'), 'Its answer is not JSON.'],
    ['answers with something else', (response) => response.end('[]'), 'Its configuration is not valid.'],
  ])('that %s is reported', async (_, answer, sentence) => {
    github.answer = answer
    await expect(openVerifier().verify(await github.sign())).rejects.toThrow(sentence)
  })

  test('that names keys of another server, or another issuer, is not trusted', async () => {
    for (const configuration of [
      { jwks_uri: `${gitlab.issuer}/.well-known/jwks` },
      { issuer: gitlab.issuer },
      { jwks_uri: 7 },
    ]) {
      github.configuration = configuration
      expect(await codeOf(await github.sign())).toBe('issuer_unavailable')
    }
    expect(gitlab.requests).toBe(0)
  })

  test('on a private network gets no request', async () => {
    const outside = new PublicClient({ userAgent: 'Tests/1.0', allowsLoopback: false, timeoutMs: 300 })
    const verifier = new IdTokenVerifier({ forges: [github.forge], audience: AUDIENCE, client: outside })
    expect(await codeOf(await github.sign(), verifier)).toBe('issuer_unavailable')
    expect(github.requests).toBe(0)
    outside.close()
  })
})
