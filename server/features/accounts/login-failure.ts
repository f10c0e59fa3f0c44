import type { LoginError } from '#contract/accounts.ts'

/** A sign-in that ends without a member. The reason is for the log and repeats nothing that Discord or a browser sent. */
export class SignInError extends Error {
  readonly code: LoginError

  constructor(code: LoginError, reason: string) {
    super(reason)
    this.code = code
  }
}
