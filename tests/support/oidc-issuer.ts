import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { Forge } from '#server/platform/config/forges.ts'

interface Key {
  kid: string
  alg: string
  privateKey: CryptoKey
  publicJwk: JWK
}

type Claims = Record<string, unknown>

// Making one takes a while.
let firstKey: Promise<Key> | undefined

/** An issuer of ID tokens on this machine, with the paths and claims of GitHub Actions or GitLab CI/CD. */
export class FakeIssuer {
  readonly #kind: Forge['kind']
  readonly #server = createServer((request, response) => this.#answer(request.url ?? '', response))
  #origin = ''
  keys: Key[] = []
  /** Replaces the responses with its documents. */
  answer: ((response: ServerResponse) => void) | undefined
  /** Changes of the configuration document. */
  configuration: object = {}
  requests = 0

  constructor(kind: Forge['kind']) {
    this.#kind = kind
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    this.keys = [await (firstKey ??= makeKey('first', 'RS256'))]
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  get issuer(): string {
    return this.#kind === 'github' ? `${this.#origin}/_services/token` : this.#origin
  }

  get forge(): Forge {
    const apiUrl = this.#kind === 'github' ? `${this.#origin}/api/v3` : `${this.#origin}/api/v4`
    return { kind: this.#kind, url: this.#origin, issuer: this.issuer, apiUrl }
  }

  /** Claims of a build of owner/lamp on main, with changes; undefined removes a claim. */
  claims(changes: Claims = {}): Claims {
    const seconds = Math.floor(Date.now() / 1000)
    const host = new URL(this.#origin).host
    const own =
      this.#kind === 'github'
        ? {
            repository: 'owner/lamp',
            repository_id: '1001',
            workflow_ref: 'owner/lamp/.github/workflows/release.yml@refs/heads/main',
            ref: 'refs/heads/main',
            event_name: 'push',
          }
        : {
            project_path: 'group/sub/lamp',
            project_id: '2002',
            ci_config_ref_uri: `${host}/group/sub/lamp//.gitlab-ci.yml@refs/heads/main`,
            ref: 'main',
            ref_path: 'refs/heads/main',
            pipeline_source: 'push',
          }
    const all: Claims = {
      iss: this.issuer,
      aud: 'http://localhost:3000',
      sub: 'a build',
      jti: randomUUID(),
      iat: seconds,
      nbf: seconds - 5,
      exp: seconds + 300,
      sha: 'a'.repeat(40),
      ...own,
      ...changes,
    }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }

  /** A signed token, by default with the last key that the issuer lists. */
  async sign(changes: Claims = {}, key: Key | undefined = this.keys.at(-1)): Promise<string> {
    if (!key) throw new Error('The issuer has no key.')
    const { alg, kid, privateKey } = key
    return new SignJWT(this.claims(changes)).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(privateKey)
  }

  #answer(url: string, response: ServerResponse): void {
    this.requests++
    if (this.answer) return this.answer(response)
    const send = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const jwks = `${this.issuer}/.well-known/jwks`
    if (url.endsWith('/openid-configuration')) {
      send({ issuer: this.issuer, jwks_uri: jwks, ...this.configuration })
    } else if (`${this.#origin}${url}` === jwks) send({ keys: this.keys.map(({ publicJwk }) => publicJwk) })
    else response.writeHead(404).end()
  }
}

export async function makeKey(kid: string, alg: 'RS256' | 'ES256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}
