const KEY = 'scroll-positions'
const positions = new Map<string, number>()

/** Remembers the scroll position, in pixels, of an entry of the browser's history. */
export function savePosition(key: string, y: number): void {
  positions.set(key, y)
}

export const restoredPosition = (key: string): number | undefined => positions.get(key)

/** Restores the positions after a reload, and stores them when the page is left. Returns a function that stops it. */
export function persistPositions(currentKey: () => string): () => void {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, number][]
    for (const [key, y] of stored) positions.set(key, y)
  } catch {
    // Storage is blocked: positions last until the page is left.
  }
  // While the page is open, positions are restored after its content is shown; after a reload, by the browser.
  history.scrollRestoration = 'manual'
  const onHide = () => {
    savePosition(currentKey(), scrollY)
    history.scrollRestoration = 'auto'
    try {
      sessionStorage.setItem(KEY, JSON.stringify([...positions]))
    } catch {
      // As above.
    }
  }
  addEventListener('pagehide', onHide)
  return () => {
    removeEventListener('pagehide', onHide)
    history.scrollRestoration = 'auto'
  }
}
