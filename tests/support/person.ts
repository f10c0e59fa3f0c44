import { testAccounts } from '#server/operations/fake-discord/test-accounts.ts'
import { signInAs, type SignInSite } from './sign-in.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Somebody with an account of the fake Discord who signs in, acts, deletes the account and returns. */
export class Person {
  readonly #site: SignInSite
  discordId: string
  #token = ''
  /** Member id of the current account. */
  id = 0

  /** `key` is a test account such as 'ada', or 'new'. */
  constructor(site: SignInSite, key: string) {
    this.#site = site
    this.discordId = testAccounts.find(({ email }) => email === `${key}@example.com`)?.id ?? key
  }

  get headers(): { authorization: string } {
    return { authorization: `Bearer ${this.#token}` }
  }

  async signIn(): Promise<this> {
    this.#token = await signInAs(this.#site.app, this.discordId)
    const { id, discord_id } = (await this.ask('GET /api/user-profile')).body as { id: number; discord_id: string }
    Object.assign(this, { id, discordId: discord_id })
    return this
  }

  async ask(call: string, payload?: object): Promise<{ status: number; body: Record<string, unknown> }> {
    const [method, url] = call.split(' ') as [Method, string]
    const { headers } = this
    const response = await this.#site.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    return { status: response.statusCode, body: response.json() }
  }

  async eraseAccount(): Promise<number> {
    const { username } = (await this.ask('GET /api/user-profile')).body
    return (await this.ask('DELETE /api/account', { username })).status
  }

  async returnWithNewAccount(): Promise<this> {
    const status = await this.eraseAccount()
    if (status !== 200) throw new Error(`Deleting the account got status ${status}.`)
    return this.signIn()
  }

  rate(scriptId: number, rating: number, review?: string) {
    return this.ask(`POST /api/script-rating?id=${scriptId}`, { rating, ...(review ? { review } : {}) })
  }

  give(target_user_id: number) {
    return this.ask('POST /api/profile-reputation', { target_user_id })
  }

  enter(giveaway_id: number) {
    return this.ask('POST /api/giveaways', { action: 'enter', giveaway_id })
  }

  report(script: number) {
    return this.ask('POST /api/reports', { subject_type: 'script', subject_id: script, reason: 'spam' })
  }
}
