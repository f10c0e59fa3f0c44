import { sql } from 'kysely'
import type { CollectionPage, CollectionSummary, OwnCollection } from '#contract/collections.ts'
import { MAX_COLLECTIONS } from '#contract/limits.ts'
import { readScriptId, scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import { findCardRows, toCard } from '#server/features/catalogue/cards.ts'
import { avatarUrl, displayNameOf, publicAvatarColumns } from '#server/features/members/avatar.ts'
import { isPublicCollection } from '#server/features/members/public-content.ts'
import { isActive } from '#server/features/members/standing.ts'
import { type Viewer, visibleTo } from '#server/features/scripts/visibility.ts'
import { notFound } from '#server/platform/http/errors.ts'

export const collectionNotFound = () => notFound('This collection')

interface SummaryRow {
  id: number
  name: string
  description: string | null
  is_public: boolean
  is_hidden: boolean
  item_count: number
  updated_at: Date
}

const SUMMARY = sql`c.id, c.name, c.description, c.is_public, c.hidden_at is not null as is_hidden, c.item_count, c.updated_at`

const toSummary = ({
  id,
  name,
  description,
  is_public,
  is_hidden,
  item_count,
  updated_at,
}: SummaryRow): CollectionSummary => ({
  id,
  slug: scriptSlug(name, id),
  name,
  description,
  is_public,
  is_hidden,
  item_count,
  updated_at: updated_at.toISOString(),
})

interface CollectionRow extends SummaryRow {
  owner_id: number
  username: string
  display_name: string | null
  owner_slug: string
  profile_image: string | null
  discord_id: string | null
  avatar: string | null
}

/** SQL condition: this viewer may see public collections `c` by member `m`. The staff sees hidden ones. */
const publicTo = (viewer: Viewer) => sql`(${isActive('m')} and (${isPublicCollection('c')}
  or c.is_public and (${viewer?.isAdmin ?? false}::boolean or ${viewer?.isModerator ?? false}::boolean)))`

/** Admins, too, see the scripts in a collection that everyone may see, and their own. */
const visibleToViewer = (viewer: Viewer) => visibleTo(viewer && { id: viewer.id, isAdmin: false })

const PAGE_SIZE = 50

/** With the scripts the viewer may see. Throws AppError `not_found`, also if the viewer may not see the collection. */
export async function getCollection(
  { db }: { db: Database },
  { slug, page }: { slug: string; page: number },
  viewer: Viewer,
): Promise<CollectionPage> {
  const id = readScriptId(slug)
  const { rows } = await sql<CollectionRow>`select ${SUMMARY}, c.owner_id, m.username, m.display_name,
      m.slug as owner_slug, ${publicAvatarColumns}
    from collections c join members m on m.id = c.owner_id
    where c.id = ${id ?? 0} and (c.owner_id = ${viewer?.id ?? 0} or ${publicTo(viewer)})`.execute(db)
  const [row] = rows
  if (!row) throw collectionNotFound()
  const from = sql`collection_items i join scripts s on s.id = i.script_id join members m on m.id = s.author_id
    where i.collection_id = ${row.id} and ${visibleToViewer(viewer)}
      and (not s.is_unlisted or ${viewer?.id ?? 0}::int in (s.author_id, ${row.owner_id}))`
  const [{ rows: items }, { rows: totals }] = await Promise.all([
    sql<{ script_id: number; note: string | null; added_at: Date }>`select i.script_id, i.note, i.added_at from ${from}
      order by i.position, i.script_id limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`.execute(db),
    sql<{ total: number }>`select count(*) as total from ${from}`.execute(db),
  ])
  const cardRows = await findCardRows(
    db,
    items.map(({ script_id }) => script_id),
  )
  const cards = new Map(cardRows.map((card) => [card.id, toCard(card)]))
  const total = totals[0]?.total ?? 0
  return {
    collection: {
      ...toSummary(row),
      owner_id: row.owner_id,
      owner_name: displayNameOf(row),
      owner_slug: row.owner_slug,
      owner_avatar: avatarUrl(row),
    },
    items: items.flatMap(({ script_id, note, added_at }) => {
      const script = cards.get(script_id)
      return script ? [{ script, note, added_at: added_at.toISOString() }] : []
    }),
    pagination: { page, limit: PAGE_SIZE, total, pages: Math.ceil(total / PAGE_SIZE) },
    unavailable_count: viewer?.id === row.owner_id ? Math.max(0, row.item_count - total) : 0,
  }
}

export async function listCollections(db: Database, ownerId: number, viewer: Viewer): Promise<CollectionSummary[]> {
  const { rows } = await sql<SummaryRow>`select ${SUMMARY} from collections c join members m on m.id = c.owner_id
    where c.owner_id = ${ownerId} and (${viewer?.id === ownerId} or ${publicTo(viewer)} and not m.is_private)
    order by c.updated_at desc, c.id desc limit ${MAX_COLLECTIONS}`.execute(db)
  return rows.map(toSummary)
}

export async function listOwnCollections(
  db: Database,
  ownerId: number,
  scriptId: number | undefined,
): Promise<OwnCollection[]> {
  const { rows } = await sql<SummaryRow & { has_script: boolean }>`select ${SUMMARY},
      exists (select from collection_items i
        where i.collection_id = c.id and i.script_id = ${scriptId ?? 0}) as has_script
    from collections c where c.owner_id = ${ownerId}
    order by c.updated_at desc, c.id desc limit ${MAX_COLLECTIONS}`.execute(db)
  return rows.map((row) => ({ ...toSummary(row), has_script: row.has_script }))
}

/** Throws AppError `not_found`. */
export async function getSummary(db: Database, id: number): Promise<CollectionSummary> {
  const { rows } = await sql<SummaryRow>`select ${SUMMARY} from collections c where c.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw collectionNotFound()
  return toSummary(row)
}
