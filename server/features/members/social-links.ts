import type { SOCIAL_SITES } from '#contract/limits.ts'
import type { SocialLinks } from '#contract/members.ts'
import type { FieldErrors } from '#server/http/field-errors.ts'
import { parseLink } from '#server/http/text.ts'

type Site = (typeof SOCIAL_SITES)[number]

/** What each site is called and where it is; a link that goes by its name must lead there. */
const SITES: Record<Exclude<Site, 'other'>, { name: string; hosts: readonly string[] }> = {
  youtube: { name: 'YouTube', hosts: ['youtube.com', 'm.youtube.com', 'youtu.be'] },
  github: { name: 'GitHub', hosts: ['github.com'] },
  x: { name: 'X', hosts: ['x.com', 'twitter.com', 'mobile.twitter.com'] },
  twitch: { name: 'Twitch', hosts: ['twitch.tv', 'm.twitch.tv'] },
  roblox: { name: 'Roblox', hosts: ['roblox.com', 'web.roblox.com', 'create.roblox.com'] },
  discord: { name: 'Discord', hosts: ['discord.com', 'discord.gg', 'discordapp.com'] },
}

/** A name as Discord gives them: small letters, digits, dots and underscores. */
const DISCORD_NAME = /^(?!.*\.\.)[a-z0-9_.]{2,32}$/
const MAX_DISCORD_NAME = 33

/** The links that a form gives, each checked; empty ones are left out. */
export function readSocialLinks(given: SocialLinks, refusals: FieldErrors): SocialLinks {
  const read = Object.entries(given).map(
    ([site, text]) => [site, readSocialLink(site as Site, text, refusals)] as const,
  )
  return Object.fromEntries(read.filter(([, link]) => link !== null))
}

function readSocialLink(site: Site, text: string, refusals: FieldErrors): string | null {
  const field = `social_links.${site}`
  if (site === 'other') return parseLink(text, { field, name: 'The other link' }, refusals)?.href ?? null
  if (site === 'discord') {
    const name = findDiscordName(text)
    if (name !== undefined) return name
  }
  const { name, hosts } = SITES[site]
  const url = parseLink(text, { field, name: `The ${name} link` }, refusals)
  if (!url) return null
  if (!hosts.includes(url.host.replace(/^www\./, ''))) {
    refusals.add(field, `The ${name} link must lead to ${hosts[0]}.`)
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
