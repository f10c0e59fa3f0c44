import { useEffect } from 'react'
import { useLoaderData, useRevalidator } from 'react-router'
import { useSession } from '#web/lib/session.tsx'
import type { ScriptDetails } from './load-script.ts'
import { ScriptNotFound } from './script-not-found.tsx'
import { ScriptView } from './script-view.tsx'

export { loadScript as loader } from './load-script.ts'

export function Component() {
  const details = useLoaderData<ScriptDetails | null>()
  useSecondLook(details === null)
  // A key of its own: what is open in one script's page is closed in the next one's.
  return details ? <ScriptView key={details.script.id} details={details} /> : <ScriptNotFound />
}

/** The server asks as a visitor. Whoever turns out to be signed in may see more: a private script of their own. */
function useSecondLook(isMissing: boolean): void {
  const { revalidate } = useRevalidator()
  const isMember = useSession().status === 'member'
  useEffect(() => {
    if (isMissing && isMember) void revalidate()
  }, [isMissing, isMember, revalidate])
}
