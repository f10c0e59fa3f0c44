import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Asks before unsaved changes are left behind: by a link in the site's own words, by closing the tab in the browser's. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && nextLocation.pathname !== currentLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])
  if (blocker.state !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      text="Your changes to the profile have not been saved. If you leave this page now, they are lost."
      confirmLabel="Leave without saving"
      onConfirm={() => blocker.proceed()}
      onClose={() => {
        if (blocker.state === 'blocked') blocker.reset()
      }}
    />
  )
}
