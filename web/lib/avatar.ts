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
// Discord's default avatars.
const DEFAULT_AVATAR = /\/embed\/avatars\/\d+\.png|default-avatar\.png/

/** URL of a Discord avatar. The hash of an animated one starts with a_. */
export function discordAvatar(cdn: string, id: string, hash: string, size = DEFAULT_SIZE): string {
  return `${cdn}/avatars/${id}/${hash}.${hash.startsWith(ANIMATED) ? 'gif' : 'png'}?size=${size}`
}

/** URLs to try in order: the member's own image, Discord's, the record's, the member's default avatar, the general one. */
export function avatarSources(member: AvatarSources, cdn: string, size = DEFAULT_SIZE): string[] {
  const { profile_image, discord_id, avatar, discriminator, author_avatar } = member
  const sources = [
    profile_image,
    discord_id && avatar ? discordAvatar(cdn, discord_id, avatar, size) : undefined,
    author_avatar && !DEFAULT_AVATAR.test(author_avatar) ? author_avatar : undefined,
    discord_id ? defaultAvatar(discord_id, discriminator) : undefined,
    FALLBACK,
  ]
  return [...new Set(sources.filter((source) => typeof source === 'string' && source !== ''))] as string[]
}

/** Index of a member's default avatar: id modulo 6 without a discriminator, else discriminator modulo 5. 0 if invalid. */
export function defaultAvatarIndex(discordId: string, discriminator?: string | null): number {
  try {
    if (!discriminator || discriminator === '0') return Number(BigInt(discordId) % 6n)
    return Number(BigInt(discriminator) % 5n)
  } catch {
    return 0
  }
}

/** Our own version of Discord's default avatar. */
export function defaultAvatar(discordId: string, discriminator?: string | null): string {
  return `/default-avatar-${defaultAvatarIndex(discordId, discriminator)}.svg`
}
