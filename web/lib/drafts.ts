import { createStore, del, get, promisifyRequest } from 'idb-keyval'
import { isRecord } from './api-error.ts'

const store = createStore('drafts', 'drafts')

// Async, because indexedDB.open throws where storage is blocked, and callers expect a rejected promise.

/** The draft stored in this browser under a name, with the changes of its copy. Files are stored as they are. */
export async function readDraft(name: string): Promise<unknown> {
  const stored: unknown = await get(name, store)
  const copy = readCopy(name)
  return copy === null ? stored : addFiles(JSON.parse(copy), stored)
}

/** Stores a draft. It replaces a copy that was made before. */
export async function writeDraft(name: string, draft: unknown): Promise<void> {
  const copyBefore = readCopy(name)
  await store('readwrite', (drafts) => {
    drafts.put(draft, name)
    // Explicit, because the browser commits after an event that a page being unloaded does not receive.
    drafts.transaction.commit()
    return promisifyRequest(drafts.transaction)
  })
  if (readCopy(name) === copyBefore) removeCopy(name)
}

export async function removeDraft(name: string): Promise<void> {
  removeCopy(name)
  return del(name, store)
}

const copyKey = (name: string) => `draft_copy:${name}`
/** Stands for a file in a copy. */
const FILE = { is_file: true }

/**
 * Copies a draft without its files, immediately. For a page that is being left: the browser may drop a write to IndexedDB that
 * has not ended by then.
 */
export function copyDraft(name: string, draft: unknown): void {
  try {
    localStorage.setItem(
      copyKey(name),
      JSON.stringify(draft, (_key, value: unknown) => (value instanceof Blob ? FILE : value)),
    )
  } catch {
    // Storage is blocked or full: the write to IndexedDB has to do.
  }
}

function readCopy(name: string): string | null {
  try {
    return localStorage.getItem(copyKey(name))
  } catch {
    return null
  }
}

function removeCopy(name: string): void {
  try {
    localStorage.removeItem(copyKey(name))
  } catch {
    // Storage is blocked: there is no copy.
  }
}

/**
 * A copy with the files that the stored draft has in the same positions. A file that it lacks is left out, and with it the
 * screenshot that it belongs to.
 */
function addFiles(copy: unknown, stored: unknown): unknown {
  if (!isRecord(copy)) return copy
  const before = isRecord(stored) ? stored : {}
  if (Array.isArray(copy))
    return copy.flatMap((item: unknown, index) => {
      const whole = addFiles(item, before[index])
      return countFields(whole) < countFields(item) ? [] : [whole]
    })
  if ('is_file' in copy) return stored instanceof Blob ? stored : undefined
  const entries = Object.entries(copy).map(([key, value]) => [key, addFiles(value, before[key])] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const countFields = (item: unknown) => (isRecord(item) ? Object.keys(item).length : 0)

const MAX_TABS = 10

/** The name of a draft that belongs to this tab until it is released. */
export interface DraftSlot {
  name: string
  release: () => void
}

const slotNames = (subject: string) => Array.from({ length: MAX_TABS }, (_, tab) => `${subject}:${tab}`)

/** The drafts of all slots in this browser; undefined for empty ones. */
export const readDrafts = (subject: string): Promise<unknown[]> =>
  Promise.all(slotNames(subject).map((name) => readDraft(name).catch(() => undefined)))

/**
 * Reserves a draft for this tab, so that two tabs editing the same thing do not overwrite each other. The browser
 * releases the lock when the tab closes or reloads. Prefers the slot that this tab had before the reload, then a slot
 * with an abandoned draft, then an empty one. With `isEmpty`, only an empty one.
 */
export async function acquireDraftSlot(subject: string, isEmpty = false): Promise<DraftSlot> {
  const names = slotNames(subject)
  const drafts = await readDrafts(subject)
  const hasDraft = (name: string) => drafts[names.indexOf(name)] !== undefined
  const previous = readPreviousSlot(subject)
  const rank = (name: string) => (name === previous ? 0 : hasDraft(name) ? 1 : 2)
  for (const name of names.toSorted((a, b) => rank(a) - rank(b))) {
    if (isEmpty && hasDraft(name)) continue
    const release = await tryLock(name)
    if (!release) continue
    storePreviousSlot(subject, name)
    return { name, release }
  }
  return { name: `${subject}:${MAX_TABS}`, release: () => undefined }
}

const previousSlotKey = (subject: string) => `draft_slot:${subject}`

function readPreviousSlot(subject: string): string | null {
  try {
    return sessionStorage.getItem(previousSlotKey(subject))
  } catch {
    return null
  }
}

function storePreviousSlot(subject: string, name: string): void {
  try {
    sessionStorage.setItem(previousSlotKey(subject), name)
  } catch {
    // Storage is blocked: after a reload the first free slot is used.
  }
}

/** Resolves to a function that releases the lock, or to undefined if another tab has it. */
function tryLock(name: string): Promise<(() => void) | undefined> {
  // Web Locks exist on secure pages only. Without them, tabs share one slot.
  if (!('locks' in navigator)) return Promise.resolve(() => undefined)
  return new Promise((resolve) => {
    const request = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(undefined)
      return new Promise<void>((release) => {
        resolve(() => release())
      })
    })
    request.catch(() => resolve(() => undefined))
  })
}
