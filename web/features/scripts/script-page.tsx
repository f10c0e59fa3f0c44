import { useLoaderData } from 'react-router'
import type { ScriptDetails } from './load-script.ts'
import { ScriptNotFound } from './script-not-found.tsx'
import { ScriptView } from './script-view.tsx'

export { loadScript as loader } from './load-script.ts'

export function Component() {
  const details = useLoaderData<ScriptDetails | null>()
  // A key of its own: what is open in one script's page is closed in the next one's.
  return details ? <ScriptView key={details.script.id} details={details} /> : <ScriptNotFound />
}
