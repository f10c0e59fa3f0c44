import type { Static } from 'typebox'
import type { Giveaway, Winner } from '#contract/giveaways.ts'
import { avatarUrl, displayNameOf } from '#server/features/members/avatar.ts'
import type { GiveawayRow, WinnerRow } from './queries.ts'
import type { Seal } from './seal.ts'

const NAMELESS = 'A member'

/** A winner by name, unless their profile is private, their account gone or banned. */
export function toWinner(row: WinnerRow, discordCdnUrl: string): Static<typeof Winner> {
  const { entry_id, username, display_name, slug, profile_image, discord_id, avatar, is_shown } = row
  if (!is_shown || username === null || discord_id === null) {
    return { entry_id, name: NAMELESS, slug: '', avatar_url: '' }
  }
  return {
    entry_id,
    name: displayNameOf({ username, display_name }),
    slug: slug ?? '',
    avatar_url: avatarUrl({ profile_image, discord_id, avatar }, discordCdnUrl),
  }
}

/** The one function that makes a giveaway for a viewer from a row. The prize is the viewer's own or none. */
export function toGiveaway(row: GiveawayRow, seal: Seal, discordCdnUrl: string): Giveaway {
  const { user_place, user_prize, seed: _seed, winners, end_date, drawn_at, created_at, ...plain } = row
  return {
    ...plain,
    user_won: user_place !== null,
    prize_value: user_prize ? seal.open(user_prize) : null,
    winners: winners.map((winner) => toWinner(winner, discordCdnUrl)),
    end_date: end_date.toISOString(),
    drawn_at: drawn_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  }
}
