import { useRouteLoaderData } from '#web/router/router.tsx'
import { DEFAULT_SITE } from '#contract/default-site.ts'
import type { Site } from '#contract/site.ts'

export interface RootData {
  site: Site
  /** Time of rendering, ISO 8601. */
  now: string
}

const DEFAULTS: RootData = { site: DEFAULT_SITE, now: new Date(0).toISOString() }

/** Data that every page needs. Falls back to defaults if loading it failed. */
export function useRootData(): RootData {
  return (useRouteLoaderData('root') as RootData | undefined) ?? DEFAULTS
}
