import type { ScriptDetails } from '../load-script.ts'
import { OwnerPlace } from './owner-place.tsx'
import { VersionsPlace } from './versions-place.tsx'

const parts = { owner: OwnerPlace, versions: VersionsPlace }
export type ExtraPart = keyof typeof parts

/** What follows once the page has come to life, in one file. */
export function Extras({ part, script }: { part: ExtraPart; script: ScriptDetails['script'] }) {
  const Part = parts[part]
  return <Part script={script} />
}
