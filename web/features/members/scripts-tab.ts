import { type ComponentProps, createElement } from 'react'
import type { ProfileScripts } from './profile-scripts.tsx'

let tab: typeof ProfileScripts | undefined

/** Brings the code of the scripts' tab, which is no part of a profile's first load. To be awaited before it is drawn. */
export async function loadScriptsTab(): Promise<void> {
  tab ??= (await import('./profile-scripts.tsx')).ProfileScripts
}

/** The tab, once its code is there. */
export const drawScriptsTab = (props: ComponentProps<typeof ProfileScripts>) => tab && createElement(tab, props)
