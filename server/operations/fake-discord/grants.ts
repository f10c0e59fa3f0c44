import { createHash, randomBytes } from 'node:crypto'
import type { TestAccount } from './test-accounts.ts'

interface Grant {
  account: TestAccount
  redirectUri: string
  challenge: string
  expiresAt: number
}

const CODE_LIFETIME_MS = 60_000

const makeSecret = () => randomBytes(24).toString('base64url')

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** Authorization codes, each valid for one exchange, and access tokens. */
export class Grants {
  readonly #codes = new Map<string, Grant>()
  readonly #tokens = new Map<string, TestAccount>()

  createCode(grant: Omit<Grant, 'expiresAt'>): string {
    const code = makeSecret()
    this.#codes.set(code, { ...grant, expiresAt: Date.now() + CODE_LIFETIME_MS })
    return code
  }

  /** Exchanges a code for an access token; undefined if it is unknown, used or expired, or does not match. */
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
