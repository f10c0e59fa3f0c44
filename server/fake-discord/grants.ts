import { createHash, randomBytes } from 'node:crypto'
import type { TestAccount } from './test-accounts.ts'

/** What a code was given for; the exchange has to name the same. */
export interface Grant {
  account: TestAccount
  redirectUri: string
  challenge: string
  expiresAt: number
}

const CODE_LIFETIME_MS = 60_000

const makeSecret = () => randomBytes(24).toString('base64url')

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** Codes, each good for one exchange, and the access tokens that came out of them. */
export class Grants {
  readonly #codes = new Map<string, Grant>()
  readonly #tokens = new Map<string, TestAccount>()

  createCode(grant: Omit<Grant, 'expiresAt'>): string {
    const code = makeSecret()
    this.#codes.set(code, { ...grant, expiresAt: Date.now() + CODE_LIFETIME_MS })
    return code
  }

  /** The access token for a code; undefined for one that is unknown, used, old, or another's. */
  exchange(code: string, redirectUri: string, verifier: string): string | undefined {
    const grant = this.#codes.get(code)
    this.#codes.delete(code)
    if (!grant || grant.expiresAt < Date.now()) return undefined
    if (grant.redirectUri !== redirectUri || grant.challenge !== challengeOf(verifier)) return undefined
    const token = makeSecret()
    this.#tokens.set(token, grant.account)
    return token
  }

  findAccount(token: string): TestAccount | undefined {
    return this.#tokens.get(token)
  }
}
