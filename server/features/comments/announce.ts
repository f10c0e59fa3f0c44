import { sql } from 'kysely'
import { scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/db/database.ts'
import { isActive } from '#server/features/members/standing.ts'
import { type Event, notify } from '#server/features/notifications/notify.ts'

/** Further names are plain text. */
const MAX_MENTIONS = 10
const MENTION = /(?<![\p{L}\p{N}_@/.])@([a-z0-9_.]{2,32})/giu

/** The ids of the members that a text mentions as @name. A name that is a slug is that member's. */
export async function findMentions(trx: Database, text: string): Promise<number[]> {
  const names = new Set([...text.matchAll(MENTION)].map(([, name = '']) => name.toLowerCase().replace(/\.+$/, '')))
  if (names.size === 0) return []
  const { rows } = await sql<{ id: number }>`select distinct on (n.name) m.id
    from unnest(${[...names].slice(0, MAX_MENTIONS)}::text[]) n (name)
    join members m on lower(m.username) = n.name and ${isActive('m')}
    order by n.name, m.slug = n.name desc, m.id`.execute(trx)
  return rows.map(({ id }) => id)
}

export interface NotifiedComment {
  id: number
  script_id: number
  script_title: string
  script_author_id: number
  parent_id: number | null
  /** The author of the comment that was replied to. */
  replied_to: number | null
  author_id: number
  mentions: number[]
}

/** Notifies each member once. `only` limits it to members who are newly mentioned. */
export async function notifyOfComment(
  trx: Database,
  comment: NotifiedComment,
  only?: readonly number[],
): Promise<void> {
  const script = `“${comment.script_title}”`
  const link = `/scripts/${scriptSlug(comment.script_title, comment.script_id)}#comment-${comment.id}`
  const base = { type: 'info' as const, link, actorId: comment.author_id }
  const events = new Map<number, Event>()
  const add = (memberId: number, event: Pick<Event, 'kind' | 'title' | 'message' | 'groupKey'>) => {
    if (!events.has(memberId)) events.set(memberId, { ...base, ...event, memberId })
  }
  if (!only) {
    if (comment.replied_to !== null) {
      add(comment.replied_to, {
        kind: 'replies',
        title: 'Reply to your comment',
        message: `replied to your comment on ${script}.`,
      })
    }
    add(comment.script_author_id, {
      kind: 'comments',
      title: 'New comment',
      message: `commented on your script ${script}.`,
      groupKey: `comments:${comment.script_id}`,
    })
  }
  for (const memberId of only ?? comment.mentions) {
    add(memberId, {
      kind: 'mentions',
      title: 'You were mentioned',
      message: `mentioned you in a comment on ${script}.`,
    })
  }
  // In the order of the ids, as every transaction that notifies several members.
  for (const memberId of [...events.keys()].toSorted((a, b) => a - b)) {
    const event = events.get(memberId)
    if (event) await notify(trx, event)
  }
}
