// The open modal dialogs, topmost last. The rest of the page is inert, so toasts move into the topmost dialog.
const dialogs: HTMLElement[] = []
const listeners = new Set<() => void>()

const notify = () => {
  for (const listener of listeners) listener()
}

/** The element in which toasts are visible and clickable. */
export const topmostContainer = (): HTMLElement => dialogs.at(-1) ?? document.body

/** Adds a dialog. Returns a function that removes it, to be called before the dialog leaves the page. */
export function pushModal(dialog: HTMLElement): () => void {
  dialogs.push(dialog)
  notify()
  return () => {
    dialogs.splice(dialogs.lastIndexOf(dialog), 1)
    notify()
  }
}

/** Calls `listener` when the topmost dialog changes. Returns a function that unsubscribes. */
export function onTopmostChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
