import { useEffect } from 'react'
import { useBlocker } from '#web/router/router.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Asks before unsaved changes are lost: our dialog for links, the browser's own when the tab closes. */
export function UnsavedGuard({ isDirty, text }: { isDirty: boolean; text: string }) {
  const blocked = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && nextLocation.pathname !== currentLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])
  if (!blocked) return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      text={text}
      confirmLabel="Leave without saving"
      onConfirm={blocked.proceed}
      onClose={blocked.reset}
    />
  )
}
