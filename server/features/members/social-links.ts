import type { SOCIAL_SITES } from '#contract/limits.ts'
import type { SocialLinks } from '#contract/members.ts'
import type { FieldErrors } from '#server/http/field-errors.ts'
import { parseLink } from '#server/http/text.ts'

type Site = (typeof SOCIAL_SITES)[number]

/** Name and hosts of each site. A link to a site must have one of its hosts. */
const SITES: Record<Exclude<Site, 'other'>, { name: string; hosts: readonly string[] }> = {
  youtube: { name: 'YouTube', hosts: ['youtube.com', 'm.youtube.com', 'youtu.be'] },
  github: { name: 'GitHub', hosts: ['github.com'] },
  x: { name: 'X', hosts: ['x.com', 'twitter.com', 'mobile.twitter.com'] },
  twitch: { name: 'Twitch', hosts: ['twitch.tv', 'm.twitch.tv'] },
  roblox: { name: 'Roblox', hosts: ['roblox.com', 'web.roblox.com', 'create.roblox.com'] },
  discord: { name: 'Discord', hosts: ['discord.com', 'discord.gg', 'discordapp.com'] },
}

/** A Discord username: lowercase letters, digits, dots and underscores. */
const DISCORD_NAME = /^(?!.*\.\.)[a-z0-9_.]{2,32}$/
const MAX_DISCORD_NAME = 33

/** Leaves out empty links. */
export function parseSocialLinks(input: SocialLinks, errors: FieldErrors): SocialLinks {
  const parsed = Object.entries(input).map(
    ([site, text]) => [site, parseSocialLink(site as Site, text, errors)] as const,
  )
  return Object.fromEntries(parsed.filter(([, link]) => link !== null))
}

function parseSocialLink(site: Site, text: string, errors: FieldErrors): string | null {
  const field = `social_links.${site}`
  if (site === 'other') return parseLink(text, { field, label: 'Other link' }, errors)?.href ?? null
  if (site === 'discord') {
    const name = findDiscordName(text)
    if (name !== undefined) return name
  }
  const { name, hosts } = SITES[site]
  const url = parseLink(text, { field, label: `${name} link` }, errors)
  if (!url) return null
  if (!hosts.includes(url.host.replace(/^www\./, ''))) {
    errors.add(field, `${name} link must lead to ${hosts[0]}.`)
    return null
  }
  url.protocol = 'https:'
  return url.href
}

function findDiscordName(text: string): string | undefined {
  const name = text
    .trim()
    .slice(0, MAX_DISCORD_NAME + 1)
    .replace(/^@/, '')
    .toLowerCase()
  return DISCORD_NAME.test(name) ? name : undefined
}
