// The open modal dialogs, the topmost last. All else on the page is inert meanwhile, messages too: they move inside.
const opened: HTMLElement[] = []
const listeners = new Set<() => void>()

const notify = () => {
  for (const listener of listeners) listener()
}

/** Where something has to stand that is to be seen and reached now. */
export const topmostContainer = (): HTMLElement => opened.at(-1) ?? document.body

/** Notes a modal dialog. Answers with what to call before it leaves the page. */
export function pushModal(dialog: HTMLElement): () => void {
  opened.push(dialog)
  notify()
  return () => {
    opened.splice(opened.lastIndexOf(dialog), 1)
    notify()
  }
}

/** Calls `listener` whenever another dialog is the topmost. Answers with the way to stop that. */
export function onTopmostChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
