import type { Caller } from '#server/http/guards.ts'
import type { RatedScript } from './queries.ts'

/** Public scripts are everybody's, until their author is banned; the author and admins see theirs in any case. */
export function isShownTo(script: RatedScript, caller: Caller | undefined): boolean {
  if (script.is_public && !script.is_author_banned) return true
  return caller !== undefined && (caller.isAdmin || caller.id === script.author_id)
}
