import { useLayoutEffect, useSyncExternalStore } from 'react'

// If the HTML is not what the server sent (a CDN, a translator or an extension has changed it), React replaces all of it by
// its own. It replaces the same content, so what the visitor had done on the page until then is restored.

const FIELDS = 'input, textarea, select'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

interface Snapshot {
  attributes: [element: Element, attributes: Attr[]][]
  fields: { index: number; name: string; value: string; isChecked: boolean }[]
  open: number[]
  focus: { tag: string; index: number; start: number | null; end: number | null } | undefined
  scroll: number
}

let isShown = false
let snapshot: Snapshot | undefined
/** What is in <body>: the server's elements, then React's. */
let nodes: ChildNode[] = []

const never = () => () => {}

/** Restores what the visitor did if React has rendered the page instead of hydrating it. For the topmost component. */
export function useRecovery(): void {
  // React reads this one in every rendering but that of the hydration, before it changes the document.
  useSyncExternalStore(never, takeSnapshotOnce, () => undefined)
  useLayoutEffect(() => {
    isShown = true
    if (snapshot) restore(snapshot)
    snapshot = undefined
    nodes = [...document.body.childNodes]
  }, [])
}

/** Shows the elements that React has removed after an error in all error pages. Links and forms work without React. */
export function restoreElements(): void {
  document.body.replaceChildren(...nodes)
  if (snapshot) restoreAttributes(snapshot)
}

function takeSnapshotOnce(): undefined {
  if (isShown || snapshot) return
  nodes = [...document.body.childNodes]
  const { documentElement, body, activeElement } = document
  const all = findFields()
  snapshot = {
    attributes: [documentElement, body].map((element) => [element, [...element.attributes]]),
    fields: all.flatMap((field, index) => (isChanged(field) ? [{ index, name: field.name, ...stateOf(field) }] : [])),
    open: [...document.querySelectorAll('details')].flatMap((details, index) => (details.open ? [index] : [])),
    focus: activeElement && activeElement !== body ? describeFocus(activeElement) : undefined,
    scroll: scrollY,
  }
}

const findFields = () => [...document.querySelectorAll<Field>(FIELDS)]

const stateOf = (field: Field) => ({ value: field.value, isChecked: 'checked' in field && field.checked })

function isChanged(field: Field): boolean {
  if ('options' in field)
    return [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
  if (field.type === 'file') return false
  return field.value !== field.defaultValue || ('checked' in field && field.checked !== field.defaultChecked)
}

function describeFocus(element: Element): Snapshot['focus'] {
  const index = [...document.querySelectorAll(element.tagName)].indexOf(element)
  const { selectionStart = null, selectionEnd = null } = element as Partial<HTMLInputElement>
  return { tag: element.tagName, index, start: selectionStart, end: selectionEnd }
}

function restore(before: Snapshot): void {
  restoreAttributes(before)
  const details = [...document.querySelectorAll('details')]
  for (const index of before.open) details[index]?.setAttribute('open', '')
  const fields = findFields()
  for (const { index, name, value, isChecked } of before.fields) {
    const field = fields[index]
    if (field?.name === name) restoreField(field, value, isChecked)
  }
  if (before.focus) restoreFocus(before.focus)
  restoreScroll(before.scroll)
}

/** Parts whose code is still loading are missing, so the page may be too short at first. */
function restoreScroll(top: number): void {
  const tryToScroll = () => {
    if (scrollY !== top) scrollTo(0, top)
    return scrollY >= top
  }
  if (tryToScroll()) return
  const observer = new MutationObserver(() => tryToScroll() && observer.disconnect())
  observer.observe(document.body, { childList: true, subtree: true })
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    addEventListener(type, () => observer.disconnect(), { once: true, passive: true })
  }
}

/** The theme, and what extensions have set: React removes all attributes before it sets its own. */
function restoreAttributes({ attributes }: Snapshot): void {
  for (const [element, list] of attributes) {
    for (const { name, value } of list) if (!element.hasAttribute(name)) element.setAttribute(name, value)
  }
}

function restoreField(field: Field, value: string, isChecked: boolean): void {
  if ('checked' in field && field.checked !== isChecked) field.click()
  if (field.value === value) return
  // React ignores changes by the setter that it has put over this one.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('options' in field ? 'change' : 'input', { bubbles: true }))
}

function restoreFocus({ tag, index, start, end }: NonNullable<Snapshot['focus']>): void {
  const element = document.querySelectorAll<HTMLElement>(tag)[index]
  element?.focus({ preventScroll: true })
  if (start !== null && end !== null) (element as HTMLInputElement | undefined)?.setSelectionRange(start, end)
}
