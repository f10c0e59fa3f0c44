import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

export interface WinnerRow {
  entry_id: number
  username: string | null
  display_name: string | null
  slug: string | null
  profile_image: string | null
  discord_id: string | null
  avatar: string | null
  /** Null for an account that is gone. */
  is_shown: boolean | null
}

export interface GiveawayRow {
  id: number
  title: string
  description: string
  prize_type: 'exec_key' | 'executor_key' | 'custom' | 'other'
  prize_description: string
  entry_requirement: 'login' | 'verified'
  end_date: Date
  max_entries: number | null
  entry_count: number
  winner_count: number
  is_active: boolean
  is_ended: boolean
  user_entered: boolean
  user_place: number | null
  user_prize: Buffer | null
  winners: WinnerRow[]
  seed_sha256: string
  seed: string | null
  drawn_at: Date | null
  created_at: Date
}

export interface GiveawayFilter {
  viewerId: number
  id?: number
  /** Admins see the inactive ones too. */
  isAdmin: boolean
  status: 'all' | 'active' | 'ended' | 'inactive'
}

const ENDED = sql`(g.drawn_at is not null or g.end_date <= now())`
const STATUS = {
  all: sql`true`,
  active: sql`(g.is_active and not ${ENDED})`,
  ended: ENDED,
  inactive: sql`(not g.is_active and not ${ENDED})`,
}
const MOST = 200

/** Giveaways with their winners and with what they are to one viewer, newest first, at most 200. */
export async function findGiveaways(db: Database, filter: GiveawayFilter): Promise<GiveawayRow[]> {
  const { viewerId, id = null, isAdmin, status } = filter
  const { rows } = await sql<GiveawayRow>`
    select g.id, g.title, g.description, g.prize_type, g.prize_description, g.entry_requirement, g.end_date,
      g.max_entries, g.entry_count, g.winner_count, g.is_active, ${ENDED} as is_ended, g.seed_sha256, g.seed,
      g.drawn_at, g.created_at, own.id is not null as user_entered, own.place as user_place,
      own.sealed_prize as user_prize,
      coalesce((select json_agg(json_build_object('entry_id', e.id, 'username', m.username,
          'display_name', m.display_name, 'slug', m.slug, 'profile_image', m.profile_image,
          'discord_id', m.discord_id, 'avatar', m.avatar,
          'is_shown', not m.is_private and (m.banned_until is null or m.banned_until <= now())) order by e.place)
        from giveaway_entries e left join members m on m.id = e.member_id
        where e.giveaway_id = g.id and e.place is not null), '[]') as winners
    from giveaways g left join giveaway_entries own on own.giveaway_id = g.id and own.member_id = ${viewerId}
    where (${isAdmin}::boolean or g.is_active or g.drawn_at is not null)
      and (${id}::int is null or g.id = ${id}) and ${STATUS[status]}
    order by g.created_at desc, g.id desc limit ${MOST}`.execute(db)
  return rows
}

/** Ids of the entries of a draw that took part, in order. */
export async function findEntryIds(db: Database, giveawayId: number): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] | null }>`select array_agg(id::int8 order by id) as ids
    from giveaway_entries where giveaway_id = ${giveawayId} and not is_excluded`.execute(db)
  return (rows[0]?.ids ?? []).map(Number)
}
