import type { IncomingMessage, ServerResponse } from 'node:http'
import { Grants } from './grants.ts'
import { accountsPage, errorPage, STYLES } from './page.ts'
import { createTestAccount, readTestAvatar, type TestAccount, testAccounts } from './test-accounts.ts'

/** The only OAuth application: the site that started the fake Discord. */
export interface Application {
  clientId: string
  clientSecret: string
  redirectUri: string
}

const MAX_NEW_ACCOUNTS = 3

/** Discord's three OAuth 2 endpoints, and the page on which a test account is chosen. */
export class Protocol {
  readonly #application: Application
  readonly #base: string
  readonly #grants = new Grants()
  #newAccounts: TestAccount[] = []

  constructor(application: Application, base: string) {
    this.#application = application
    this.#base = base
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake-discord')
    const avatarOf = /^\/avatars\/([0-9]{1,20})\.webp$/.exec(url.pathname.slice(this.#base.length))?.[1]
    switch (`${request.method} ${url.pathname.slice(this.#base.length)}`) {
      case 'GET /oauth2/authorize':
        return this.#sendAccountsPage(url.searchParams, response)
      case 'POST /oauth2/authorize':
        return this.#authorize((await readForm(request)) ?? new URLSearchParams(), response)
      case 'POST /oauth2/token':
        return this.#exchange(request, (await readForm(request)) ?? new URLSearchParams(), response)
      case 'GET /users/@me':
        return this.#sendUser(request, response)
      case 'GET /page.css':
        return send(response, 200, 'text/css', STYLES)
      default:
        if (avatarOf) return send(response, 200, 'image/webp', await readTestAvatar(avatarOf))
        return sendJson(response, 404, { message: '404: Not Found', code: 0 })
    }
  }

  #sendPage(response: ServerResponse, status: number, html: string): void {
    // The form redirects back to the site, which form-action has to allow as well.
    const target = new URL(this.#application.redirectUri).origin
    const policy = `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${target}; base-uri 'none'; frame-ancestors 'none'`
    send(response, status, 'text/html', html, { 'content-security-policy': policy })
  }

  #sendAccountsPage(parameters: URLSearchParams, response: ServerResponse): void {
    const authorization = parseAuthorizationRequest(parameters, this.#application)
    if (typeof authorization === 'string') return this.#sendPage(response, 400, errorPage(this.#base, authorization))
    const accounts = [...testAccounts, ...this.#newAccounts]
    return this.#sendPage(response, 200, accountsPage({ base: this.#base, accounts, parameters }))
  }

  #authorize(form: URLSearchParams, response: ServerResponse): void {
    const authorization = parseAuthorizationRequest(form, this.#application)
    if (typeof authorization === 'string') return this.#sendPage(response, 400, errorPage(this.#base, authorization))
    const account = this.#findAccount(form.get('account') ?? '')
    const result = account
      ? { code: this.#grants.createCode({ account, ...authorization }) }
      : { error: 'access_denied', error_description: 'The resource owner or authorization server denied the request' }
    response.writeHead(303, { location: redirectUrl(authorization, result), 'cache-control': 'no-store' }).end()
  }

  #findAccount(id: string): TestAccount | undefined {
    if (id !== 'new') return [...testAccounts, ...this.#newAccounts].find((account) => account.id === id)
    const account = createTestAccount()
    this.#newAccounts = [account, ...this.#newAccounts].slice(0, MAX_NEW_ACCOUNTS)
    return account
  }

  #exchange({ headers }: IncomingMessage, form: URLSearchParams, response: ServerResponse): void {
    const { clientId, clientSecret } = this.#application
    const basicAuth = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const isInForm = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
    if (headers.authorization !== basicAuth && !isInForm) return sendJson(response, 401, { error: 'invalid_client' })
    const read = (name: string) => form.get(name) ?? ''
    if (read('grant_type') !== 'authorization_code') {
      return sendJson(response, 400, { error: 'unsupported_grant_type' })
    }
    const token = this.#grants.exchange(read('code'), read('redirect_uri'), read('code_verifier'))
    if (!token)
      return sendJson(response, 400, { error: 'invalid_grant', error_description: 'Invalid "code" in request.' })
    return sendJson(response, 200, {
      token_type: 'Bearer',
      access_token: token,
      expires_in: 604_800,
      refresh_token: '',
      scope: 'identify email',
    })
  }

  #sendUser({ headers }: IncomingMessage, response: ServerResponse): void {
    const account = this.#grants.findAccount(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
    if (!account) return sendJson(response, 401, { message: '401: Unauthorized', code: 0 })
    const { id, username, email, verified } = account
    return sendJson(response, 200, {
      id,
      username,
      discriminator: '0',
      global_name: null,
      avatar: null,
      email,
      verified,
    })
  }
}

interface AuthorizationRequest {
  redirectUri: string
  state: string
  challenge: string
}

const CHALLENGE = /^[\w-]{43}$/

/** Returns a sentence if they are invalid. */
function parseAuthorizationRequest(
  parameters: URLSearchParams,
  application: Application,
): AuthorizationRequest | string {
  const redirectUri = parameters.get('redirect_uri') ?? ''
  const challenge = parameters.get('code_challenge') ?? ''
  const scopes = (parameters.get('scope') ?? '').split(' ')
  if (parameters.get('client_id') !== application.clientId) return 'client_id is unknown.'
  if (redirectUri !== application.redirectUri) return 'redirect_uri does not match the application.'
  if (parameters.get('response_type') !== 'code') return 'response_type must be code.'
  if (!scopes.includes('identify')) return 'scope must include identify.'
  if (parameters.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge))
    return 'PKCE with S256 is required.'
  return { redirectUri, state: parameters.get('state') ?? '', challenge }
}

function redirectUrl({ redirectUri, state }: AuthorizationRequest, result: Record<string, string>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...result, state })) url.searchParams.set(name, value)
  return url.href
}

const MAX_BODY_BYTES = 16_384

/** A URL-encoded form; undefined if it is too long. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, 'application/json', JSON.stringify(body))
}
