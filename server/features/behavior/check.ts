import { setTimeout } from 'node:timers/promises'
import { ANALYZER_VERSION } from '@scriptyard/luau-behavior'
import type { BodyOf, ResultOf } from '#contract/operations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { findDuplicate } from '#server/features/copies/originals.ts'
import { parseDraft } from '#server/features/scripts/script-input.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { FairQueue, type FairQueueOptions } from '#server/platform/http/fair-queue.ts'
import { CONCURRENT_DRAFTS, type DraftChecker, UNREAD_CARD } from './analyze.ts'
import { findHostKinds, toBehavior, toStoredCard, toVerdict } from './cards.ts'

/** A check that has not ended by then, because others run before it, is answered without a card. */
const MAX_WAIT_MS = 9000

type Checked = Awaited<ReturnType<DraftChecker['check']>>
const NOT_CHECKED: Checked = { card: undefined, tokenSha256: null, result: { compiles: null, error: null } }

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
  readonly #sandbox: DraftChecker
  readonly #queue = new FairQueue(CHECKS)

  constructor(db: Database, sandbox: DraftChecker) {
    this.#db = db
    this.#sandbox = sandbox
  }

  /** Returns the card of a draft, and whose code it is. Throws AppError `invalid`, `too_many_checks` and `busy`. */
  async check(
    { id, personId }: Pick<Caller, 'id' | 'personId'>,
    body: BodyOf<'POST /api/script-check'>,
  ): Promise<ResultOf<'POST /api/script-check'>> {
    const { code, declaration } = parseDraft(body)
    const { sha256 } = code
    const { card, tokenSha256, result } = await this.#run(personId, code.content)
    const stored = toStoredCard(card ?? UNREAD_CARD)
    const behavior = toBehavior({
      status: card || result.compiles !== null ? 'ready' : 'failed',
      analyzer_version: ANALYZER_VERSION,
      analyzed_at: new Date().toISOString(),
      sha256: code.sha256,
      version: '',
      card: stored,
      verdict: toVerdict(result),
      declared: {
        declared_capabilities: declaration.capabilities ?? null,
        declared_hosts: declaration.hosts ?? null,
      },
      kinds: await findHostKinds(this.#db, stored.hosts?.map(({ host }) => host) ?? []),
    })
    return { behavior, duplicate_of: await findDuplicate(this.#db, { sha256, tokenSha256, authorId: id }) }
  }

  async #run(personId: number, content: string): Promise<Checked> {
    const checking = this.#queue.run({ owner: personId }, () => this.#sandbox.check(content))
    const ended = new AbortController()
    const timeout = setTimeout(MAX_WAIT_MS, NOT_CHECKED, { signal: ended.signal })
    try {
      return await Promise.race([checking, timeout])
    } finally {
      ended.abort()
    }
  }
}
