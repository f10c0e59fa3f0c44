import { useRouteLoaderData } from '#web/router/router.tsx'
import { DEFAULT_TAGLINE } from '#contract/limits.ts'
import type { Site } from '#contract/site.ts'

export interface RootData {
  site: Site
  /** Time of rendering, ISO 8601. */
  now: string
}

const DEFAULTS: RootData = {
  site: {
    name: 'Scriptyard',
    public_url: '',
    has_chat: false,
    has_email: false,
    discord_cdn_url: 'https://cdn.discordapp.com',
    tagline: DEFAULT_TAGLINE,
    logo: null,
    links: [],
    look: { theme_color: '#8b5cf6', stylesheet: null, icons: null, preview_image: '/og-image.png' },
    has_rules: false,
  },
  now: new Date(0).toISOString(),
}

/** Data that every page needs. Falls back to defaults if loading it failed. */
export function useRootData(): RootData {
  return (useRouteLoaderData('root') as RootData | undefined) ?? DEFAULTS
}
