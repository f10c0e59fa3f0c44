import { sql } from 'kysely'
import type { Tag } from '#contract/catalogue.ts'
import type { Database } from '#server/db/database.ts'

/** A script's row with everything that a card shows. */
export interface CardRow {
  id: number
  title: string
  description: string
  version: string
  image: string | null
  tags: Tag[]
  has_key_system: boolean
  key_system_url: string | null
  is_universal: boolean
  game_id: string | null
  is_client_side: boolean
  is_free: boolean
  is_featured: boolean
  is_verified: boolean
  is_public: boolean
  is_mobile_compatible: boolean
  is_working: boolean
  file_size: number
  created_at: Date
  updated_at: Date
  showcase_date: Date | null
  showcase_video_url: string | null
  showcase_notes: string | null
  author_id: number
  username: string
  author_slug: string
  display_name: string | null
  profile_image: string | null
  discord_id: string
  avatar: string | null
  discriminator: string
  rating_average: number
  rating_count: number
  view_count: number
  download_count: number
}

/** The rows of these scripts, in no order; one that is gone is left out. Whether they may be shown is the caller's to know. */
export async function findCardRows(db: Database, ids: readonly number[]): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select s.id, s.title, s.description, s.version, s.image, s.has_key_system, s.key_system_url, s.is_universal,
      s.game_id, s.is_client_side, s.is_free, s.is_featured, s.is_verified, s.is_public, s.is_mobile_compatible,
      s.is_working, s.file_size, s.created_at, s.updated_at, s.showcase_date, s.showcase_video_url, s.showcase_notes,
      s.author_id, m.username, m.slug as author_slug, m.display_name, m.profile_image, m.discord_id, m.avatar,
      m.discriminator, st.rating_average, st.rating_count, st.view_count, st.download_count,
      coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color) order by x.position)
        from script_tags x join tags t on t.id = x.tag_id where x.script_id = s.id), '[]') as tags
    from scripts s join script_stats st on st.script_id = s.id join members m on m.id = s.author_id
    where s.id = any(${ids}::int[])`.execute(db)
  return rows
}
