import { mediaPath } from '#server/features/media/store.ts'

interface AvatarColumns {
  profile_image: string | null
  discord_id: string
  avatar: string | null
}

const SIZE = 128

/** URL of a member's avatar: the uploaded one or Discord's; empty if they have none. */
export function avatarUrl(member: AvatarColumns, discordCdnUrl: string): string {
  if (member.profile_image) return mediaPath(member.profile_image, 'card')
  if (!member.avatar) return ''
  const extension = member.avatar.startsWith('a_') ? 'gif' : 'png'
  return `${discordCdnUrl}/avatars/${member.discord_id}/${member.avatar}.${extension}?size=${SIZE}`
}

/** The display name if there is one, otherwise the username. */
export function displayNameOf(member: { display_name: string | null; username: string }): string {
  return member.display_name || member.username
}
