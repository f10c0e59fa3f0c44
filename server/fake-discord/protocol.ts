import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Application, redirectUrl, parseAuthorizationRequest } from './authorization-request.ts'
import { Grants } from './grants.ts'
import { accountsPage, errorPage, STYLES } from './page.ts'
import { testAccounts, drawTestAvatar, createTestAccount, type TestAccount } from './test-accounts.ts'
import { readForm, send, sendJson } from './request.ts'

const MAX_NEW_ACCOUNTS = 3

/** Discord's three addresses, and the page between them. */
export class Protocol {
  readonly #application: Application
  /** The path below which everything lies. */
  readonly #base: string
  readonly #grants = new Grants()
  #newcomers: TestAccount[] = []

  constructor(application: Application, base: string) {
    this.#application = application
    this.#base = base
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const picture = /^\/people\/([0-9]{1,20})\.svg$/.exec(url.pathname.slice(this.#base.length))?.[1]
    switch (`${request.method} ${url.pathname.slice(this.#base.length)}`) {
      case 'GET /oauth2/authorize':
        return this.#ask(url.searchParams, response)
      case 'POST /oauth2/authorize':
        return this.#decide((await readForm(request)) ?? new URLSearchParams(), response)
      case 'POST /oauth2/token':
        return this.#exchange(request, (await readForm(request)) ?? new URLSearchParams(), response)
      case 'GET /users/@me':
        return this.#describe(request, response)
      case 'GET /page.css':
        return send(response, 200, 'text/css', STYLES)
      default:
        if (picture) return send(response, 200, 'image/svg+xml', drawTestAvatar(picture))
        return sendJson(response, 404, { message: '404: Not Found', code: 0 })
    }
  }

  #sendPage(response: ServerResponse, status: number, html: string): void {
    // A form's redirect has to be allowed too: the answer leads back to the site.
    const target = new URL(this.#application.redirectUri).origin
    const policy = `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${target}; base-uri 'none'; frame-ancestors 'none'`
    send(response, status, 'text/html', html, { 'content-security-policy': policy })
  }

  #ask(asked: URLSearchParams, response: ServerResponse): void {
    const question = parseAuthorizationRequest(asked, this.#application)
    if (typeof question === 'string') return this.#sendPage(response, 400, errorPage(this.#base, question))
    const people = [...testAccounts, ...this.#newcomers]
    return this.#sendPage(response, 200, accountsPage({ base: this.#base, people, asked }))
  }

  #decide(form: URLSearchParams, response: ServerResponse): void {
    const question = parseAuthorizationRequest(form, this.#application)
    if (typeof question === 'string') return this.#sendPage(response, 400, errorPage(this.#base, question))
    const account = this.#findChosen(form.get('account') ?? '')
    const answer = account
      ? { code: this.#grants.createCode({ account, ...question }) }
      : { error: 'access_denied', error_description: 'The resource owner or authorization server denied the request' }
    response.writeHead(303, { location: redirectUrl(question, answer), 'cache-control': 'no-store' }).end()
  }

  #findChosen(id: string): TestAccount | undefined {
    if (id !== 'new') return [...testAccounts, ...this.#newcomers].find((account) => account.id === id)
    const newcomer = createTestAccount()
    this.#newcomers = [newcomer, ...this.#newcomers].slice(0, MAX_NEW_ACCOUNTS)
    return newcomer
  }

  #exchange({ headers }: IncomingMessage, form: URLSearchParams, response: ServerResponse): void {
    const { clientId, clientSecret } = this.#application
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const isInForm = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
    if (headers.authorization !== basic && !isInForm) return sendJson(response, 401, { error: 'invalid_client' })
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

  #describe({ headers }: IncomingMessage, response: ServerResponse): void {
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
