export interface AvatarSources {
  profile_image?: string | null
  discord_id?: string | null
  avatar?: string | null
  discriminator?: string | null
  author_avatar?: string | null
}

const DEFAULT_SIZE = 128
const FALLBACK = '/default-avatar.svg'
const ANIMATED = 'a_'
// What Discord itself shows for somebody without a picture.
const DEFAULT_PICTURE = /\/embed\/avatars\/\d+\.png|default-avatar\.png/

/** The picture a member has at Discord; animated ones are named with a_ in front. */
export function discordAvatar(cdn: string, id: string, hash: string, size = DEFAULT_SIZE): string {
  return `${cdn}/avatars/${id}/${hash}.${hash.startsWith(ANIMATED) ? 'gif' : 'png'}?size=${size}`
}

/** Addresses to try in turn: the own picture, Discord's, what the record carries, the drawn fallback. */
export function avatarSources(member: AvatarSources, cdn: string, size = DEFAULT_SIZE): string[] {
  const { profile_image, discord_id, avatar, author_avatar } = member
  const sources = [
    profile_image,
    discord_id && avatar ? discordAvatar(cdn, discord_id, avatar, size) : undefined,
    author_avatar && !DEFAULT_PICTURE.test(author_avatar) ? author_avatar : undefined,
    FALLBACK,
  ]
  return [...new Set(sources.filter((source) => typeof source === 'string' && source !== ''))] as string[]
}

/** Which of Discord's default pictures belongs to a member: by id without a discriminator, else by that; 0 if neither reads. */
export function defaultAvatarIndex(discordId: string, discriminator?: string | null): number {
  try {
    if (!discriminator || discriminator === '0') return Number(BigInt(discordId) % 6n)
    return Number(BigInt(discriminator) % 5n)
  } catch {
    return 0
  }
}

/** Our own drawing of that picture. */
export function defaultAvatar(discordId: string, discriminator?: string | null): string {
  return `/default-avatar-${defaultAvatarIndex(discordId, discriminator)}.svg`
}
