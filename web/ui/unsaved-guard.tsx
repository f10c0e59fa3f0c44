import { useEffect } from 'react'
import { useBlocker } from '#web/router/router.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Props {
  isDirty: boolean
  text: string
  /** Whether the browser stores the changes, so that closing the tab loses nothing. */
  isStored?: boolean
}

/** Asks before unsaved changes are left: our dialog for links, the browser's own when the tab closes. */
export function UnsavedGuard({ isDirty, text, isStored = false }: Props) {
  const blocked = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && nextLocation.pathname !== currentLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty || isStored) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty, isStored])
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
