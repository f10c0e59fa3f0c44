import type { SOCIAL_SITES } from '#contract/limits.ts'
import type { SocialLinks, SocialLinksInput } from '#contract/members.ts'
import type { FieldErrors } from '#server/platform/http/field-errors.ts'
import { parseLink } from '#server/platform/http/text.ts'

type Site = (typeof SOCIAL_SITES)[number]

interface SiteRule {
  name: string
  /** A link to the site must have one of these hosts. */
  hosts: readonly string[]
  /** What a name looks like on this site, without the @ in front. With dots, it needs the @: it could be a host. */
  handle: RegExp
  toUrl: (handle: string) => string
}

const SITES: Record<Exclude<Site, 'other'>, SiteRule> = {
  youtube: {
    name: 'YouTube',
    hosts: ['youtube.com', 'm.youtube.com', 'youtu.be'],
    handle: /^[\p{L}\p{N}_.·-]{3,30}$/u,
    toUrl: (handle) => `https://www.youtube.com/@${encodeURIComponent(handle)}`,
  },
  github: {
    name: 'GitHub',
    hosts: ['github.com'],
    handle: /^[a-z\d][a-z\d-]{0,38}$/i,
    toUrl: (handle) => `https://github.com/${handle}`,
  },
  x: {
    name: 'X',
    hosts: ['x.com', 'twitter.com', 'mobile.twitter.com'],
    handle: /^\w{1,15}$/,
    toUrl: (handle) => `https://x.com/${handle}`,
  },
  instagram: {
    name: 'Instagram',
    hosts: ['instagram.com'],
    handle: /^[\w.]{1,30}$/,
    toUrl: (handle) => `https://www.instagram.com/${handle}`,
  },
  twitch: {
    name: 'Twitch',
    hosts: ['twitch.tv', 'm.twitch.tv'],
    handle: /^\w{3,25}$/,
    toUrl: (handle) => `https://www.twitch.tv/${handle}`,
  },
  roblox: {
    name: 'Roblox',
    hosts: ['roblox.com', 'web.roblox.com', 'create.roblox.com'],
    handle: /^\w{1,20}$/,
    toUrl: (handle) =>
      /^\d+$/.test(handle)
        ? `https://www.roblox.com/users/${handle}/profile`
        : `https://www.roblox.com/users/profile?username=${handle}`,
  },
  // Discord has no URLs of profiles by name, so the name itself is stored, in lower case.
  discord: {
    name: 'Discord',
    hosts: ['discord.com', 'discord.gg', 'discordapp.com'],
    handle: /^(?!.*\.\.)[a-z0-9_.]{2,32}$/i,
    toUrl: (handle) => handle.toLowerCase(),
  },
}

export interface ParsedLinks {
  /** Without empty links. */
  links: SocialLinks
  /** Sites whose link is invalid, which keep the link that is stored. */
  rejected: Site[]
}

/** Links and names of the known sites, as URLs. Reports invalid ones by field; the others count. */
export function parseSocialLinks({ twitter, ...input }: SocialLinksInput, errors: FieldErrors): ParsedLinks {
  const parsed: ParsedLinks = { links: {}, rejected: [] }
  const add = (site: Site, text: string | null | undefined, field: string) => {
    if (!text?.trim()) return
    const link = parseSocialLink(site, text.trim(), `social_links.${field}`, errors)
    if (link === null) parsed.rejected.push(site)
    else parsed.links[site] = link
  }
  for (const [site, text] of Object.entries(input)) add(site as Site, text, site)
  if (!input.x?.trim()) add('x', twitter, 'twitter')
  return parsed
}

function parseSocialLink(site: Site, text: string, field: string, errors: FieldErrors): string | null {
  if (site === 'other') return parseLink(text, { field, label: 'Other link' }, errors)?.href ?? null
  const { name, hosts, handle: pattern, toUrl } = SITES[site]
  const isHost = hosts.some((host) => new RegExp(`^(www\\.)?${host.replaceAll('.', '\\.')}(/|$)`, 'i').test(text))
  const handle = text.replace(/^@/, '')
  const isName =
    !isHost && pattern.test(handle) && (site === 'discord' || text.startsWith('@') || !handle.includes('.'))
  if (isName) return toUrl(handle)
  const url = parseLink(isHost ? `https://${text}` : text, { field, label: `${name} link` }, errors)
  if (!url) return null
  if (!hosts.includes(url.host.replace(/^www\./, ''))) {
    errors.add(field, `${name} link must lead to ${hosts[0]}.`)
    return null
  }
  url.protocol = 'https:'
  return url.href
}
