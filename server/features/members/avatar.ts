import { mediaPath } from '#server/features/media/store.ts'

interface AvatarColumns {
  profile_image: string | null
  discord_id: string
  avatar: string | null
}

const SIZE = 128

/** Address of a member's own picture: theirs here, else Discord's; empty where they have none. */
export function avatarUrl(member: AvatarColumns, discordCdnUrl: string): string {
  if (member.profile_image) return mediaPath(member.profile_image, 'card')
  if (!member.avatar) return ''
  const extension = member.avatar.startsWith('a_') ? 'gif' : 'png'
  return `${discordCdnUrl}/avatars/${member.discord_id}/${member.avatar}.${extension}?size=${SIZE}`
}

/** The name a member is shown under. */
export function displayNameOf(member: { display_name: string | null; username: string }): string {
  return member.display_name || member.username
}
