import { type RawBuilder, sql } from 'kysely'
import { scriptSlug } from '#contract/slug.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { isReachable, isPublicCollection } from '#server/features/members/public-content.ts'
import { isActive } from '#server/features/members/standing.ts'
import { publicOrHidden } from '#server/features/scripts/visibility.ts'

export type SubjectType = 'script' | 'review' | 'profile' | 'comment' | 'collection'

export interface Subject {
  authorId: number | null
  title: string
  excerpt: string
  isVisible: boolean
}

const FINDERS: Record<SubjectType, (id: number) => RawBuilder<Subject>> = {
  script: (id) => sql`select s.author_id as "authorId", s.title, left(s.description, 2000) as excerpt,
      ${isReachable('s', 'm')} as "isVisible"
    from scripts s join members m on m.id = s.author_id where s.id = ${id}`,
  // Ratings without text can't be reported.
  review: (id) => sql`select r.member_id as "authorId", 'Review of “' || s.title || '”' as title,
      left(coalesce(r.review, ''), 2000) as excerpt,
      r.is_counted and r.is_written and ${isReachable('s', 'm')} as "isVisible"
    from ratings r join scripts s on s.id = r.script_id join members m on m.id = s.author_id where r.id = ${id}`,
  comment: (id) => sql`select c.author_id as "authorId", 'Comment on “' || s.title || '”' as title,
      left(coalesce(c.text, ''), 2000) as excerpt,
      c.hidden_at is null and c.deleted_at is null and ${isReachable('s', 'm')} as "isVisible"
    from comments c join scripts s on s.id = c.script_id join members m on m.id = s.author_id where c.id = ${id}`,
  // Its texts: the description and the notes on scripts.
  collection: (id) => sql`select c.owner_id as "authorId", c.name as title,
      left(concat_ws(E'\n', c.description, (select string_agg(i.note, E'\n' order by i.position, i.script_id)
        from collection_items i where i.collection_id = c.id)), 2000) as excerpt,
      ${isPublicCollection('c')} and ${isActive('m')} as "isVisible"
    from collections c join members m on m.id = c.owner_id where c.id = ${id}`,
  profile: (id) => sql`select m.id as "authorId", coalesce(nullif(m.display_name, ''), m.username) as title,
      left(coalesce(m.bio, ''), 2000) as excerpt, ${isActive('m')} as "isVisible"
    from members m where m.id = ${id}`,
}

export async function findSubject(db: Database, type: SubjectType, id: number): Promise<Subject | undefined> {
  const { rows } = await FINDERS[type](id).execute(db)
  return rows[0]
}

const MODERATABLE: Record<Exclude<SubjectType, 'profile'>, (id: number) => RawBuilder<{ ok: boolean }>> = {
  script: (id) =>
    sql`select ${publicOrHidden} or s.hidden_at is not null as ok from scripts s where s.id = ${id} for no key update`,
  review: (id) =>
    sql`select ${publicOrHidden} as ok from ratings r join scripts s on s.id = r.script_id where r.id = ${id}`,
  comment: (id) =>
    sql`select ${publicOrHidden} as ok from comments c join scripts s on s.id = c.script_id where c.id = ${id}`,
  collection: (id) => sql`select is_public as ok from collections where id = ${id} for no key update`,
}

/**
 * Private scripts, their reviews and private collections do not exist for moderators. True for deleted subjects. Locks the
 * subject, so that its author cannot make it private during the transaction.
 */
export async function isModeratable(trx: Transaction, type: SubjectType, id: number): Promise<boolean> {
  if (type === 'profile') return true
  const { rows } = await MODERATABLE[type](id).execute(trx)
  return rows[0]?.ok ?? true
}

/** The script, profile or collection that shows a subject. Null values mean that it is deleted. */
export interface SubjectLocation {
  script_id: number | null
  script_title: string | null
  profile_slug: string | null
  collection_name: string | null
}

export function linkTo(
  { type, id }: { type: SubjectType; id: number },
  { script_id, script_title, profile_slug, collection_name }: SubjectLocation,
): string | null {
  if (type === 'profile') return profile_slug && `/profile/${profile_slug}`
  if (type === 'collection') return collection_name && `/collections/${scriptSlug(collection_name, id)}`
  if (script_id === null || script_title === null) return null
  const fragments = { script: '', review: '#ratings', comment: `#comment-${id}` }
  return `/scripts/${scriptSlug(script_title, script_id)}${fragments[type]}`
}
