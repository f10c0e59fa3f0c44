import { sql } from 'kysely'
import { MAX_COUNTED } from '#contract/limits.ts'
import type { ResultOf } from '#contract/operations.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { HeldVersion, HoldReason, Provenance } from '#contract/versions.ts'
import { toHold } from '#server/features/scripts/waiting.ts'
import type { Database } from '#server/platform/db/database.ts'

const PAGE_SIZE = 20

interface HeldRow {
  script_id: number
  title: string
  author_id: number
  author_name: string
  author_slug: string
  number: number
  version: string
  current_number: number | null
  created_at: Date
  state_since: Date
  provenance: Provenance
  hold_reasons: HoldReason[] | null
  confirmed_at: Date | null
  current_at: Date | null
}

/** Held versions of all scripts: those that wait for a moderator or the clock only, then those that wait for their author. */
export async function listHeldVersions(db: Database, page: number): Promise<ResultOf<'GET /api/held-versions'>> {
  const { rows } = await sql<HeldRow>`select s.id as script_id, s.title, m.id as author_id, m.username as author_name,
      m.slug as author_slug, v.number, v.version, case when v.number <> s.current_version then s.current_version end
        as current_number, v.created_at, v.state_since, v.provenance, v.hold_reasons, v.confirmed_at, v.current_at
    from script_versions v join scripts s on s.id = v.script_id join members m on m.id = s.author_id
    where v.state = 'held'
    order by v.confirmed_at is null, v.state_since, v.script_id limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`.execute(
    db,
  )
  const counted = await sql<{ total: number }>`select count(*) as total
    from (select from script_versions where state = 'held' limit ${MAX_COUNTED + 1}) held`.execute(db)
  const total = counted.rows[0]?.total ?? 0
  const pages = Math.ceil(Math.min(total, MAX_COUNTED) / PAGE_SIZE)
  return {
    versions: rows.map(toHeldVersion),
    pagination: { page, limit: PAGE_SIZE, total, pages, is_exact: total <= MAX_COUNTED },
  }
}

const toHeldVersion = (row: HeldRow): HeldVersion => ({
  script: { id: row.script_id, title: row.title, slug: scriptSlug(row.title, row.script_id) },
  author: { id: row.author_id, name: row.author_name, slug: row.author_slug },
  number: row.number,
  version: row.version,
  current_number: row.current_number,
  created_at: row.created_at.toISOString(),
  held_since: row.state_since.toISOString(),
  provenance: row.provenance,
  held: toHold(row),
})
