// A member enters a giveaway at most once. A draw happens once, with a seed whose hash is published at creation. Prizes are
// encrypted and shown to their winners, and to admins with an audit log entry.
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Giveaway, GiveawayDraw, Winner } from '#contract/giveaways.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Seal } from '#server/platform/db/seal.ts'
import { avatarUrl, displayNameOf } from '#server/features/members/avatar.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { openWonPrize } from './seal.ts'
import { isActive } from '#server/features/members/standing.ts'

export const giveawayNotFound = () => new AppError('giveaway_not_found', 404, 'This giveaway was not found.')
export const alreadyDrawn = () => new AppError('already_drawn', 409, 'The winners of this giveaway are already drawn.')

export interface GiveawaysOptions {
  db: Database
  seal: Seal
}

export interface Viewer {
  viewerId: number
  isAdmin: boolean
}

export async function listGiveaways(options: GiveawaysOptions, filter: GiveawayFilter): Promise<Giveaway[]> {
  const rows = await findGiveaways(options.db, filter)
  return rows.map((row) => toGiveaway(row, options.seal))
}

/** One giveaway as a viewer sees it. Throws AppError `giveaway_not_found`. */
export async function getGiveaway(options: GiveawaysOptions, id: number, viewer: Viewer): Promise<Giveaway> {
  const [giveaway] = await listGiveaways(options, { ...viewer, id, status: 'all' })
  if (!giveaway) throw giveawayNotFound()
  return giveaway
}

/** Everything needed to repeat a draw; seed and winners are empty until the draw. Throws AppError `giveaway_not_found`. */
export async function getDraw({ db }: GiveawaysOptions, id: number): Promise<GiveawayDraw> {
  const [row] = await findGiveaways(db, { viewerId: 0, id, isAdmin: false, status: 'all' })
  if (!row) throw giveawayNotFound()
  return {
    giveaway_id: row.id,
    title: row.title,
    seed_sha256: row.seed_sha256,
    seed: row.seed,
    winner_count: row.winner_count,
    entries: await findEntryIds(db, id),
    winners: row.winners.map(({ entry_id }) => entry_id),
    drawn_at: row.drawn_at?.toISOString() ?? null,
  }
}

export async function findOwnPrizes(
  { db, seal }: Pick<GiveawaysOptions, 'db' | 'seal'>,
  memberId: number,
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('giveaway_entries')
    .select(['giveaway_id', 'sealed_prize'])
    .where('member_id', '=', memberId)
    .where('sealed_prize', 'is not', null)
    .execute()
  return new Map(
    rows.flatMap((row) => (row.sealed_prize ? [[row.giveaway_id, openWonPrize(seal, row.sealed_prize)]] : [])),
  )
}

const ANONYMOUS = 'A member'

/** A winner, anonymous if the member is banned or deleted or has a private profile. */
function toWinner(row: WinnerRow): Static<typeof Winner> {
  const { entry_id, username, display_name, slug, profile_image, discord_id, avatar, is_shown } = row
  if (!is_shown || username === null) {
    return { entry_id, name: ANONYMOUS, slug: '', avatar_url: '' }
  }
  return {
    entry_id,
    name: displayNameOf({ username, display_name }),
    slug: slug ?? '',
    avatar_url: avatarUrl({ profile_image, discord_id, avatar }),
  }
}

/** A giveaway as a viewer sees it: with their own prize and no other. */
function toGiveaway(row: GiveawayRow, seal: Seal): Giveaway {
  const { user_place, user_prize, seed: _seed, winners, end_date, drawn_at, created_at, ...plain } = row
  return {
    ...plain,
    user_won: user_place !== null,
    prize_value: user_prize ? openWonPrize(seal, user_prize) : null,
    winners: winners.map((winner) => toWinner(winner)),
    end_date: end_date.toISOString(),
    drawn_at: drawn_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  }
}

interface WinnerRow {
  entry_id: number
  username: string | null
  display_name: string | null
  slug: string | null
  profile_image: string | null
  discord_id: string | null
  avatar: string | null
  /** Null for a deleted account. */
  is_shown: boolean | null
}

interface GiveawayRow {
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

interface GiveawayFilter {
  viewerId: number
  id?: number
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
const MAX_GIVEAWAYS = 200

/** Giveaways with their winners and the viewer's own entry, newest first, at most 200. */
async function findGiveaways(db: Database, filter: GiveawayFilter): Promise<GiveawayRow[]> {
  const { viewerId, id = null, isAdmin, status } = filter
  const { rows } = await sql<GiveawayRow>`
    select g.id, g.title, g.description, g.prize_type, g.prize_description, g.entry_requirement, g.end_date,
      g.max_entries, g.entry_count, g.winner_count, g.is_active, ${ENDED} as is_ended, g.seed_sha256, g.seed,
      g.drawn_at, g.created_at, own.id is not null as user_entered, own.place as user_place,
      own.sealed_prize as user_prize,
      coalesce((select json_agg(json_build_object('entry_id', e.id, 'username', m.username,
          'display_name', m.display_name, 'slug', m.slug, 'profile_image', m.profile_image,
          'discord_id', m.discord_id, 'avatar', m.avatar,
          'is_shown', not m.is_private and ${isActive('m')}) order by e.place)
        from giveaway_entries e left join members m on m.id = e.member_id
        where e.giveaway_id = g.id and e.place is not null), '[]') as winners
    from giveaways g left join giveaway_entries own on own.giveaway_id = g.id and own.member_id = ${viewerId}
    where (${isAdmin}::boolean or g.is_active or g.drawn_at is not null)
      and (${id}::int is null or g.id = ${id}) and ${STATUS[status]}
    order by g.created_at desc, g.id desc limit ${MAX_GIVEAWAYS}`.execute(db)
  return rows
}

async function findEntryIds(db: Database, giveawayId: number): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] | null }>`select array_agg(id::int8 order by id) as ids
    from giveaway_entries where giveaway_id = ${giveawayId} and not is_excluded`.execute(db)
  return (rows[0]?.ids ?? []).map(Number)
}
