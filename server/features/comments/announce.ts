import { parseShortText } from '@scriptyard/markdown/short-text'
import { sql } from 'kysely'
import { scriptSlug } from '#contract/slug.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { isActive } from '#server/features/members/standing.ts'
import { type Event, notify } from '#server/features/notifications/notify.ts'
import type { Emit } from '#server/features/webhooks/emit.ts'

/** Further names are plain text. */
const MAX_MENTIONS = 10
const MENTION = /(?<![\p{L}\p{N}_@/.])@([a-z0-9_.]{2,32})/giu

/** The ids of the members that a text mentions as @name outside of code. A name that is a slug is that member's. */
export async function findMentions(trx: Transaction, text: string): Promise<number[]> {
  const prose = parseShortText(text).flatMap(([tag, nodes]) => (tag === 'p' ? nodes : []))
  const matches = prose.flatMap((node) => (typeof node === 'string' ? [...node.matchAll(MENTION)] : []))
  const names = new Set(matches.map(([, name = '']) => name.toLowerCase().replace(/\.+$/, '')))
  if (names.size === 0) return []
  const { rows } = await sql<{ id: number }>`select distinct on (n.name) m.id
    from unnest(${[...names].slice(0, MAX_MENTIONS)}::text[]) n (name)
    join members m on lower(m.username) = n.name and ${isActive('m')}
    order by n.name, m.slug = n.name desc, m.id`.execute(trx)
  return rows.map(({ id }) => id)
}

interface AnnouncedComment {
  id: number
  script_id: number
  script_title: string
  script_author_id: number
  parent_id: number | null
  /** The author of the comment that was replied to. */
  replied_to: number | null
  author_id: number | null
  text: string
  mentions: number[]
  /** Null if the comment was never announced. */
  announced_to: number[] | null
}

export interface AnnounceOptions {
  emit: Emit
}

/**
 * Notifies the members concerned and the webhooks of a comment that everyone can see now: the first time all of them, later
 * only members whom an edit has mentioned since. Does nothing while the comment is hidden. Lock the comment first.
 */
export async function announceComment(trx: Transaction, { emit }: AnnounceOptions, id: number): Promise<void> {
  const { rows } = await sql<AnnouncedComment>`select c.id, c.script_id, s.title as script_title,
      s.author_id as script_author_id, c.parent_id, r.author_id as replied_to, c.author_id, c.text, c.mentions,
      c.announced_to
    from comments c join scripts s on s.id = c.script_id left join comments r on r.id = c.replied_to_id
    where c.id = ${id} and c.hidden_at is null and c.text is not null`.execute(trx)
  const [comment] = rows
  if (!comment) return
  const { author_id: actorId, announced_to: former, mentions, parent_id, text } = comment
  const isFirst = former === null
  const mentioned = mentions.filter((member) => !former?.includes(member))
  if (!isFirst && mentioned.length === 0) return
  await sql`update comments set announced_to = ${[...(former ?? []), ...mentioned]}::int[] where id = ${id}`.execute(
    trx,
  )
  // Nobody is named by the comment of a deleted account.
  if (actorId === null) return
  await notifyMembers(trx, { ...comment, actorId, mentions: mentioned }, isFirst)
  if (!isFirst) return
  await emit(trx, {
    type: 'comment.posted',
    scriptId: comment.script_id,
    actorId,
    comment: { id, parent_id, text },
  })
}

/** Notifies each member once. */
async function notifyMembers(
  trx: Transaction,
  comment: AnnouncedComment & { actorId: number },
  isFirst: boolean,
): Promise<void> {
  const script = `“${comment.script_title}”`
  const link = `/scripts/${scriptSlug(comment.script_title, comment.script_id)}#comment-${comment.id}`
  const base = { type: 'info' as const, link, actorId: comment.actorId }
  const events = new Map<number, Event>()
  const add = (memberId: number, event: Pick<Event, 'kind' | 'title' | 'message' | 'groupKey'>) => {
    if (!events.has(memberId)) events.set(memberId, { ...base, ...event, memberId })
  }
  if (isFirst) {
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
  for (const memberId of comment.mentions) {
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
