import { readDraft } from './draft-store.ts'

const MAX_TABS = 10
/** The place this tab had for a thing, so that a reload finds its own draft while others write theirs. */
const ownKey = (thing: string) => `draft_place:${thing}`

export interface DraftSlot {
  name: string
  release: () => void
}

/**
 * A place of this tab's own for what is being written: two tabs that write the same thing must not write over each
 * other's drafts. The browser lets go of a place when its tab is closed or reloaded. The tab's former place comes first,
 * then what somebody left behind.
 */
export async function acquireDraftSlot(thing: string): Promise<DraftSlot> {
  const all = Array.from({ length: MAX_TABS }, (_, tab) => `${thing}:${tab}`)
  const left = await Promise.all(all.map(async (name) => (await readDraft(name).catch(() => undefined)) !== undefined))
  const own = recallOwn(thing)
  const rank = (name: string) => (name === own ? 0 : left[all.indexOf(name)] ? 1 : 2)
  for (const name of all.toSorted((one, other) => rank(one) - rank(other))) {
    const release = await tryLock(name)
    if (!release) continue
    rememberOwn(thing, name)
    return { name, release }
  }
  return { name: `${thing}:${MAX_TABS}`, release: () => undefined }
}

function recallOwn(thing: string): string | null {
  try {
    return sessionStorage.getItem(ownKey(thing))
  } catch {
    return null
  }
}

function rememberOwn(thing: string, name: string): void {
  try {
    sessionStorage.setItem(ownKey(thing), name)
  } catch {
    // Storage is blocked: the first free place it is.
  }
}

function tryLock(name: string): Promise<(() => void) | undefined> {
  // Only there on secure pages; without it tabs share one place.
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
