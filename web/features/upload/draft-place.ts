import { readDraft } from '#web/lib/draft-store.ts'

const MOST_TABS = 10
/** The place this tab had, so that a reload finds its own draft while others write theirs. */
const OWN_PLACE = 'draft_place'

export interface DraftPlace {
  name: string
  leave: () => void
}

/**
 * A place of this tab's own: two tabs that write two scripts must not write over each other's drafts. The browser lets
 * go of a place when its tab is closed or reloaded. The tab's former place comes first, then what somebody left behind.
 */
export async function takeDraftPlace(memberId: number): Promise<DraftPlace> {
  const all = Array.from({ length: MOST_TABS }, (_, tab) => `upload:${memberId}:${tab}`)
  const left = await Promise.all(all.map(async (name) => (await readDraft(name).catch(() => undefined)) !== undefined))
  const own = recallOwn()
  const rank = (name: string) => (name === own ? 0 : left[all.indexOf(name)] ? 1 : 2)
  for (const name of all.toSorted((one, other) => rank(one) - rank(other))) {
    const leave = await tryLock(name)
    if (!leave) continue
    rememberOwn(name)
    return { name, leave }
  }
  return { name: `upload:${memberId}:${MOST_TABS}`, leave: () => undefined }
}

function recallOwn(): string | null {
  try {
    return sessionStorage.getItem(OWN_PLACE)
  } catch {
    return null
  }
}

function rememberOwn(name: string): void {
  try {
    sessionStorage.setItem(OWN_PLACE, name)
  } catch {
    // Storage is blocked: the first free place it is.
  }
}

function tryLock(name: string): Promise<(() => void) | undefined> {
  // Only there on secure pages; without it tabs share one place.
  if (!('locks' in navigator)) return Promise.resolve(() => undefined)
  return new Promise((resolve) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(undefined)
      return new Promise<void>((release) => {
        resolve(() => release())
      })
    })
    held.catch(() => resolve(() => undefined))
  })
}
