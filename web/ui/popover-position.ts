const GAP = 4

/** Puts a fixed box at its button's edge: below it, or above where the button stands low, and inside the screen. */
export function positionBelow(box: HTMLElement, button: HTMLElement): void {
  const { clientWidth, clientHeight } = document.documentElement
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const isLow = top > clientHeight - bottom && clientHeight - bottom < clientHeight / 3
  const isLeft = (left + right) / 2 < clientWidth / 2
  Object.assign(box.style, {
    top: isLow ? 'auto' : `${bottom + GAP}px`,
    bottom: isLow ? `${clientHeight - top + GAP}px` : 'auto',
    left: isLeft ? `${Math.max(left, 0)}px` : 'auto',
    right: isLeft ? 'auto' : `${Math.max(clientWidth - right, 0)}px`,
  })
}

/** Keeps it there while the page scrolls or changes its size. Answers with the way to stop that. */
export function trackPositionBelow(box: HTMLElement, button: HTMLElement): () => void {
  const stop = new AbortController()
  const place = () => positionBelow(box, button)
  addEventListener('scroll', place, { capture: true, passive: true, signal: stop.signal })
  addEventListener('resize', place, { signal: stop.signal })
  return () => stop.abort()
}
