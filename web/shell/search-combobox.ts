// The search field as a combobox (ARIA pattern). The field is in the HTML of every page and works without JavaScript, so it
// is not rendered here: listeners and attributes are added to it.
import { type RefObject, useCallback, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { readRecentSearches } from '#web/lib/recent-searches.ts'

export type SearchForm = RefObject<HTMLFormElement | null>

export const fieldOf = (form: SearchForm) => form.current?.querySelector<HTMLInputElement>('[type=search]')

/** The text in the search field, which may have been typed before this code was loaded. */
export function useText(form: SearchForm): string {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const field = fieldOf(form)
      field?.addEventListener('input', onChange)
      return () => field?.removeEventListener('input', onChange)
    },
    [form],
  )
  return useSyncExternalStore(
    subscribe,
    () => fieldOf(form)?.value ?? '',
    () => '',
  )
}

export interface ComboboxState {
  isOpen: boolean
  /** Key of the option that Enter chooses. */
  activeKey: string | undefined
  recent: readonly string[]
}

export type ComboboxAction =
  | { type: 'type' }
  | { type: 'focus'; recent: readonly string[] }
  | { type: 'activate'; key: string | undefined }
  | { type: 'close' }
  | { type: 'forget' }

export const openCombobox = (): ComboboxState => ({ isOpen: true, activeKey: undefined, recent: readRecentSearches() })

export function reduceCombobox(state: ComboboxState, action: ComboboxAction): ComboboxState {
  switch (action.type) {
    case 'type':
      return { ...state, isOpen: true, activeKey: undefined }
    case 'focus':
      return { ...state, isOpen: true, recent: action.recent }
    case 'activate':
      return { ...state, isOpen: true, activeKey: action.key }
    case 'close':
      return { ...state, isOpen: false, activeKey: undefined }
    case 'forget':
      return { ...state, recent: [] }
  }
}

interface Shown {
  /** Keys of all options. */
  keys: readonly string[]
  isShown: boolean
  /** Index of the active option, or -1. */
  active: number
}

/** What a key does: an action, `choose` the active option or `leave` the field. Undefined leaves it to the browser. */
export function readKey(
  key: string,
  { keys, isShown, active }: Shown,
): ComboboxAction | 'choose' | 'leave' | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowUp':
      return { type: 'activate', key: keys[nextIndex(active, key === 'ArrowDown' ? 1 : -1, keys.length)] }
    case 'Escape':
      return isShown ? { type: 'close' } : 'leave'
    case 'Enter':
      return active >= 0 ? 'choose' : undefined
    default:
      return undefined
  }
}

/** The next option in a list that wraps around; -1, between its end and its start, is the field itself. */
export function nextIndex(index: number, step: 1 | -1, length: number): number {
  const positions = length + 1
  return ((index + 1 + step + positions) % positions) - 1
}

interface Handlers {
  dispatch: (action: ComboboxAction) => void
  onKey: (event: KeyboardEvent) => void
  onSubmit: (event: SubmitEvent) => void
}

export function useFieldEvents(form: SearchForm, { dispatch, onKey, onSubmit }: Handlers): void {
  const onKeyDown = useEffectEvent(onKey)
  const onSearch = useEffectEvent(onSubmit)
  const onFocusOut = useEffectEvent(({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && form.current?.contains(relatedTarget))) dispatch({ type: 'close' })
  })
  const send = useEffectEvent(dispatch)
  useEffect(() => {
    const field = fieldOf(form)
    if (!form.current || !field) return undefined
    const stop = new AbortController()
    const { signal } = stop
    field.addEventListener('input', () => send({ type: 'type' }), { signal })
    field.addEventListener('focus', () => send({ type: 'focus', recent: readRecentSearches() }), { signal })
    field.addEventListener('keydown', (event) => onKeyDown(event), { signal })
    form.current.addEventListener('submit', (event) => onSearch(event), { signal })
    form.current.addEventListener('focusout', (event) => onFocusOut(event), { signal })
    return () => stop.abort()
  }, [form])
}

interface FieldState {
  listId: string
  isShown: boolean
  activeId: string | null
}

export function useFieldAttributes(form: SearchForm, { listId, isShown, activeId }: FieldState): void {
  useEffect(() => {
    const field = fieldOf(form)
    if (!field) return
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': String(isShown),
      'aria-controls': isShown ? listId : null,
      'aria-activedescendant': activeId,
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) field.removeAttribute(name)
      else field.setAttribute(name, value)
    }
  })
}
