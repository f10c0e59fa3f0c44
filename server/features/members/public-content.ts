// SQL conditions: what everyone may see of the content of members. A banned member's content is not public.
import { type RawBuilder, sql } from 'kysely'
import { isActive, isBanned } from './standing.ts'

/** SQL condition: everyone may find the script in this alias: it is reachable, and lists contain it. */
export const isListed = (script: string, author?: string): RawBuilder<boolean> =>
  sql`(${isReachable(script, author)} and not ${sql.ref(`${script}.is_unlisted`)})`

/**
 * SQL condition: everyone with its address may see the script in this alias, whose author is joined as `author`. A query
 * without the author leaves it out, and PostgreSQL reads the banned members once.
 */
export function isReachable(script: string, author?: string): RawBuilder<boolean> {
  const isPublic = sql.ref(`${script}.is_public`)
  return author === undefined
    ? sql`(${isPublic} and ${sql.ref(`${script}.author_id`)} not in (select id from members where ${isBanned('members')}))`
    : sql`(${isPublic} and ${isActive(author)})`
}

/** SQL condition: everyone may see the collection in this alias, unless its owner is banned. */
export const isPublicCollection = (collection: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${collection}.is_public`)} and ${sql.ref(`${collection}.hidden_at`)} is null)`
