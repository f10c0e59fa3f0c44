import { sql } from 'kysely'
import { mediaPath } from '#server/platform/media/store.ts'

interface AvatarColumns {
  profile_image: string | null
  discord_id: string | null
  avatar: string | null
}

const SIZE = 128

let discordCdnUrl = 'https://cdn.discordapp.com'

/** Sets the origin of Discord's avatars for the process. Call it before the first request. */
export function setDiscordCdnUrl(url: string): void {
  discordCdnUrl = url
}

/** Empty if the member has neither an uploaded avatar nor one at Discord. */
export function avatarUrl(member: AvatarColumns): string {
  if (member.profile_image) return mediaPath(member.profile_image, 'card')
  if (!member.avatar || !member.discord_id) return ''
  const extension = member.avatar.startsWith('a_') ? 'gif' : 'png'
  return `${discordCdnUrl}/avatars/${member.discord_id}/${member.avatar}.${extension}?size=${SIZE}`
}

/** SQL for member `m`. Omits Discord's avatar of a private profile, because its URL contains the Discord id. */
export const publicAvatarColumns = sql`m.profile_image,
  case when not m.is_private then m.discord_id end as discord_id,
  case when not m.is_private then m.avatar end as avatar`

export function displayNameOf(member: { display_name: string | null; username: string }): string {
  return member.display_name || member.username
}
