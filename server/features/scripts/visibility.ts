import { type RawBuilder, sql } from 'kysely'
import { readScriptId } from '#contract/slug.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { isReachable } from '#server/features/members/public-content.ts'

/** Undefined for a visitor. */
export type Viewer = (Pick<Caller, 'id' | 'isAdmin'> & Partial<Pick<Caller, 'isModerator'>>) | undefined

export const isStaffViewer = (viewer: Viewer): boolean => (viewer?.isAdmin || viewer?.isModerator) ?? false

/** SQL condition: script `s` is public, or would be if it were not hidden or unchecked. Moderators may see it. */
export const publicOrHidden = sql<boolean>`(s.is_public or s.was_public is true)`

/** SQL condition: this viewer may see script `s` by member `m`. Moderators see hidden scripts unless they are private. */
export function visibleTo(viewer: Viewer): RawBuilder<boolean> {
  return sql<boolean>`(${isReachable('s', 'm')}
    or s.author_id = ${viewer?.id ?? null}::int or ${viewer?.isAdmin ?? false}::boolean
    or ${viewer?.isModerator ?? false}::boolean and s.was_public is true)`
}

export const scriptNotFound = () => new AppError('script_not_found', 404, 'This script was not found.')

/** The id at the end of a script's slug. Throws AppError `script_not_found`. */
export function getScriptId(slug: string): number {
  const id = readScriptId(slug)
  if (id === null) throw scriptNotFound()
  return id
}

/** Throws AppError `not_the_author`, or `script_not_found` if the viewer may not see the script. */
export async function rejectNonAuthor(db: Database, id: number, viewer: Viewer): Promise<never> {
  const { rows } = await sql`select from scripts s join members m on m.id = s.author_id
    where s.id = ${id} and ${visibleTo(viewer)}`.execute(db)
  if (rows.length === 0) throw scriptNotFound()
  throw new AppError('not_the_author', 403, 'Only its author can change this script.')
}

/** In the place of the version with which a script was hidden, if no version of it was ever public. */
const NEVER_PUBLIC = 0

/** Hides a script from everyone but its author, moderators and admins. Returns false if it's already hidden. */
export async function hideScript(trx: Transaction, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update scripts set hidden_at = now(),
      was_public = coalesce(was_public, is_public), is_public = false,
      hidden_version = case when is_public or exists (select from script_versions v where v.script_id = scripts.id
        and (v.state = 'published' or v.published_at is not null)) then current_version else ${NEVER_PUBLIC} end
    where id = ${id} and hidden_at is null`.execute(trx)
  return numAffectedRows === 1n
}

interface VisibleBefore {
  currentVersion: number
  isVisible: boolean
  isUnlisted: boolean
}

/**
 * Gives a hidden script the visibility that its author chose. Returns what visitors had of it before, undefined if it isn't hidden.
 * Code that takes the place of a withdrawn version is no news, so an earlier version counts as the former one.
 */
export async function unhideScript(trx: Transaction, id: number): Promise<VisibleBefore | undefined> {
  const { rows } = await sql<VisibleBefore>`update scripts set hidden_at = null,
      is_public = was_public and not is_unchecked, was_public = case when is_unchecked then was_public end
    where id = ${id} and hidden_at is not null
    returning least(hidden_version, current_version) as "currentVersion",
      hidden_version is distinct from ${NEVER_PUBLIC} as "isVisible", is_unlisted as "isUnlisted"`.execute(trx)
  return rows[0]
}
