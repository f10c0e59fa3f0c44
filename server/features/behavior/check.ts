import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import { SandboxError } from '@scriptyard/luau-behavior/sandbox'
import type { Behavior } from '#contract/behavior.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { Database } from '#server/db/database.ts'
import { parseCode, parseDeclaration } from '#server/features/scripts/script-input.ts'
import { AppError } from '#server/http/errors.ts'
import { FairQueue, type FairQueueOptions } from '#server/http/fair-queue.ts'
import { FieldErrors } from '#server/http/field-errors.ts'
import { type Analyzer, CONCURRENT_DRAFTS } from './analyze.ts'
import { findHostKinds, type StoredCard, toBehavior, toStoredCard } from './cards.ts'

const RETRY = { retryAfter: 5 }

/** Drafts of several members are checked side by side, one of each member at a time. */
const CHECKS: FairQueueOptions = {
  concurrency: CONCURRENT_DRAFTS,
  maxWaiting: 18,
  maxPerOwner: 2,
  errors: {
    busy: () =>
      new AppError('busy', 503, 'Many drafts are being checked right now. Please try again in a moment.', RETRY),
    tooMany: () =>
      new AppError(
        'too_many_checks',
        429,
        'Your other drafts are still being checked. Please try again in a moment.',
        RETRY,
      ),
  },
}

export class DraftChecks {
  readonly #db: Database
  readonly #sandbox: Analyzer
  readonly #queue = new FairQueue(CHECKS)

  constructor(db: Database, sandbox: Analyzer) {
    this.#db = db
    this.#sandbox = sandbox
  }

  /** Returns the card of a draft. Throws AppError `invalid`, `too_many_checks` and `busy`. */
  async check(personId: number, body: BodyOf<'POST /api/script-check'>): Promise<Behavior> {
    const errors = new FieldErrors()
    const { content, sha256 } = parseCode(body.script_content, errors)
    const { capabilities, hosts } = parseDeclaration(body, errors)
    errors.throwIfAny()
    const card = await this.#queue.run({ owner: personId }, () => this.#analyze(content))
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

  async #analyze(content: string): Promise<StoredCard | undefined> {
    try {
      return toStoredCard(await this.#sandbox.analyze(content))
    } catch (error) {
      if (error instanceof SandboxError) return undefined
      throw error
    }
  }
}
