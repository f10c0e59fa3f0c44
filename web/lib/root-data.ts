import { useRouteLoaderData } from 'react-router'
import type { Site } from '#contract/site.ts'

export interface RootData {
  site: Site
  /** When the page was made, ISO 8601. */
  now: string
}

const UNKNOWN: RootData = {
  site: { name: 'Scriptyard', public_url: '', has_chat: false, discord_cdn_url: 'https://cdn.discordapp.com' },
  now: new Date(0).toISOString(),
}

/** What every page knows; bare defaults when even that could not be loaded. */
export function useRootData(): RootData {
  return useRouteLoaderData<RootData>('root') ?? UNKNOWN
}
