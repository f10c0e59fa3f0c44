import { setTimeout } from 'node:timers/promises'
import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import type { Behavior } from '#contract/behavior.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { Database } from '#server/db/database.ts'
import { parseCode, parseDeclaration } from '#server/features/scripts/script-input.ts'
import { AppError } from '#server/http/errors.ts'
import { FieldErrors } from '#server/http/field-errors.ts'
import { type DraftChecker, UNREAD_CARD } from './analyze.ts'
import { findHostKinds, toBehavior, toStoredCard, toVerdict } from './cards.ts'

/** Checks that wait or run in this process, and those of one member. */
const MAX_CHECKS = 20
const MAX_PER_MEMBER = 2
/** A check that has not ended by then, because others run before it, is answered without a card. */
const MAX_WAIT_MS = 9000

type Checked = Awaited<ReturnType<DraftChecker['check']>>
const NOT_CHECKED: Checked = { card: undefined, result: { compiles: null, error: null } }

const busy = () =>
  new AppError('busy', 503, 'Many drafts are being checked right now. Please try again in a moment.', { retryAfter: 5 })
const tooManyChecks = () =>
  new AppError('too_many_checks', 429, 'Your other drafts are still being checked. Please try again in a moment.', {
    retryAfter: 5,
  })

export class DraftChecks {
  readonly #db: Database
  readonly #sandbox: DraftChecker
  readonly #running: number[] = []

  constructor(db: Database, sandbox: DraftChecker) {
    this.#db = db
    this.#sandbox = sandbox
  }

  /** Returns the card of a draft. Throws AppError `invalid`, `too_many_checks` and `busy`. */
  async check(memberId: number, body: BodyOf<'POST /api/script-check'>): Promise<Behavior> {
    const errors = new FieldErrors()
    const { content, sha256 } = parseCode(body.script_content, errors)
    const { capabilities, hosts } = parseDeclaration(body, errors)
    errors.throwIfAny()
    const { card, result } = await this.#run(memberId, content)
    const stored = toStoredCard(card ?? UNREAD_CARD)
    return toBehavior({
      status: card || result.compiles !== null ? 'ready' : 'failed',
      analyzer_version: ANALYZER_VERSION,
      analyzed_at: new Date().toISOString(),
      sha256,
      version: '',
      card: stored,
      verdict: toVerdict(result),
      declared: { declared_capabilities: capabilities ?? null, declared_hosts: hosts ?? null },
      kinds: await findHostKinds(this.#db, stored.hosts?.map(({ host }) => host) ?? []),
    })
  }

  async #run(memberId: number, content: string): Promise<Checked> {
    if (this.#running.filter((id) => id === memberId).length >= MAX_PER_MEMBER) throw tooManyChecks()
    if (this.#running.length >= MAX_CHECKS) throw busy()
    this.#running.push(memberId)
    const checking = this.#sandbox
      .check(content)
      .finally(() => this.#running.splice(this.#running.indexOf(memberId), 1))
    const ended = new AbortController()
    const timeout = setTimeout(MAX_WAIT_MS, NOT_CHECKED, { signal: ended.signal })
    try {
      return await Promise.race([checking, timeout])
    } finally {
      ended.abort()
    }
  }
}
