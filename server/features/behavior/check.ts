import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { SandboxError } from '@scriptyard/luau-behavior/sandbox'
import type { Behavior } from '#contract/behavior.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { Database } from '#server/db/database.ts'
import { parseCode, parseDeclaration } from '#server/features/scripts/script-input.ts'
import { AppError } from '#server/http/errors.ts'
import { FieldErrors } from '#server/http/field-errors.ts'
import type { Analyzer } from './analyze.ts'
import { findHostKinds, type StoredCard, toBehavior, toStoredCard } from './cards.ts'

/** Checks that wait or run in this process, and those of one member. */
const MAX_CHECKS = 20
const MAX_PER_MEMBER = 2

const busy = () =>
  new AppError('busy', 503, 'Many drafts are being checked right now. Please try again in a moment.', { retryAfter: 5 })
const tooManyChecks = () =>
  new AppError('too_many_checks', 429, 'Your other drafts are still being checked. Please try again in a moment.', {
    retryAfter: 5,
  })

export class DraftChecks {
  readonly #db: Database
  readonly #sandbox: Analyzer
  readonly #running: number[] = []

  constructor(db: Database, sandbox: Analyzer) {
    this.#db = db
    this.#sandbox = sandbox
  }

  /** Returns the card of a draft. Throws AppError `invalid`, `too_many_checks` and `busy`. */
  async check(memberId: number, body: BodyOf<'POST /api/script-check'>): Promise<Behavior> {
    const errors = new FieldErrors()
    const { content, sha256 } = parseCode(body.script_content, errors)
    const { capabilities, hosts } = parseDeclaration(body, errors)
    errors.throwIfAny()
    const card = await this.#analyze(memberId, content)
    return toBehavior({
      status: card ? 'ready' : 'failed',
      analyzer_version: ANALYZER_VERSION,
      analyzed_at: new Date().toISOString(),
      sha256,
      version: '',
      card: card ?? {},
      verdict: { compiles: null, error: null },
      declared: { declared_capabilities: capabilities ?? null, declared_hosts: hosts ?? null },
      kinds: await findHostKinds(this.#db, card?.hosts?.map(({ host }) => host) ?? []),
    })
  }

  async #analyze(memberId: number, content: string): Promise<StoredCard | undefined> {
    if (this.#running.filter((id) => id === memberId).length >= MAX_PER_MEMBER) throw tooManyChecks()
    if (this.#running.length >= MAX_CHECKS) throw busy()
    this.#running.push(memberId)
    try {
      return toStoredCard(await this.#sandbox.analyze(content))
    } catch (error) {
      if (error instanceof SandboxError) return undefined
      throw error
    } finally {
      this.#running.splice(this.#running.indexOf(memberId), 1)
    }
  }
}
