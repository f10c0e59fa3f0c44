const MOST_TABS = 10

export interface DraftPlace {
  name: string
  leave: () => void
}

/**
 * A place of this tab's own: two tabs that write two scripts must not write over each other's drafts. The browser lets
 * go of a place when its tab is closed or reloaded, and the next one finds the draft there.
 */
export async function takeDraftPlace(memberId: number): Promise<DraftPlace> {
  for (let tab = 0; tab < MOST_TABS; tab += 1) {
    const name = `upload:${memberId}:${tab}`
    const leave = await tryLock(name)
    if (leave) return { name, leave }
  }
  return { name: `upload:${memberId}:${MOST_TABS}`, leave: () => undefined }
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
