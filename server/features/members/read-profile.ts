import type { Profile } from '#contract/members.ts'
import { notFound } from '#server/http/errors.ts'
import { CachedResponse } from '#server/http/cached-response.ts'
import { ResponseCache } from '#server/http/response-cache.ts'
import { findMember, type MemberRow } from './find-member.ts'
import type { MembersOptions } from './options.ts'
import { canSeeAll, canSeeStats, toProfile, type Viewer } from './profile.ts'
import { findScriptTotals } from './script-totals.ts'

type ReadingOptions = Pick<MembersOptions, 'db' | 'discordCdnUrl'>

/**
 * The profile of the member whom an id, a slug or a username means, as this viewer may see it. Throws AppError
 * `not_found`, for all but admins also while the member is banned.
 */
export async function getProfile(options: ReadingOptions, name: string, viewer: Viewer): Promise<Profile> {
  const member = await findMember(options.db, name)
  if (!member || (member.is_banned && !canSeeAll(member, viewer))) throw notFound('This member')
  return makeProfile(options, member, viewer)
}

async function makeProfile({ db, discordCdnUrl }: ReadingOptions, member: MemberRow, viewer: Viewer): Promise<Profile> {
  const withPrivate = canSeeAll(member, viewer)
  const totals = canSeeStats(member, viewer) ? await findScriptTotals(db, member.id, { withPrivate }) : null
  return toProfile(member, totals, viewer, discordCdnUrl)
}

const JSON_TYPE = 'application/json; charset=utf-8'
const CACHE_BYTES = 16 * 1024 * 1024
/** The time of the last visit is shown and changes without a note in the feed. */
const MAX_AGE_MS = 30_000

/** Profiles as visitors see them, as finished bytes: the same for everybody and what pages are made from. */
export class PublicProfiles {
  readonly #options: MembersOptions
  readonly #cache = new ResponseCache(CACHE_BYTES, MAX_AGE_MS)

  constructor(options: MembersOptions) {
    this.#options = { ...options, db: options.reads }
  }

  /** Throws AppError `not_found`. */
  get(name: string): Promise<CachedResponse> {
    return this.#cache.getOrCreate(name, this.#options.version(), async () => {
      const profile = await getProfile(this.#options, name, undefined)
      return new CachedResponse(JSON.stringify({ profile }), JSON_TYPE)
    })
  }
}
