import { useEffect, useRef, useState } from 'react'

/** Where there is room for the panel beside the list; the classes of the panel say the same. */
const WIDE = '(width >= 64rem)'

/**
 * One dialog element that stands beside the list where there is room, and else is a modal sheet with all that the
 * platform brings: focus kept inside, Escape, an inert page behind.
 */
export function usePanel(onClosed: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    const dialog = ref.current
    if (!isOpen || !dialog) return undefined
    const wide = matchMedia(WIDE)
    const place = () => {
      dialog.close()
      if (!wide.matches) return dialog.showModal()
      // A panel beside the list is no reason to move the focus away from its button.
      const focused = document.activeElement
      dialog.show()
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    }
    // The platform closes only a modal dialog by Escape, and none by a click on what lies behind.
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !dialog.matches(':modal')) setOpen(false)
    }
    const closeByBackdrop = (event: MouseEvent) => {
      if (event.target === dialog && dialog.matches(':modal')) setOpen(false)
    }
    const stop = new AbortController()
    const { signal } = stop
    wide.addEventListener('change', place, { signal })
    dialog.addEventListener('keydown', closeByKey, { signal })
    dialog.addEventListener('click', closeByBackdrop, { signal })
    place()
    return () => {
      stop.abort()
      dialog.close()
    }
  }, [isOpen])

  return {
    ref,
    isOpen,
    toggle: () => setOpen(!isOpen),
    close: () => setOpen(false),
    closeSheet: () => {
      if (!matchMedia(WIDE).matches) setOpen(false)
    },
    /** Closing reports late: by then the panel may have been opened again in its other form. */
    noteClosed: () => {
      if (ref.current?.open) return
      setOpen(false)
      onClosed()
    },
  }
}
