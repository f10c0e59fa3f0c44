const GAP = 4

/** Positions a fixed box below its button, or above it near the bottom of the screen, and keeps it inside the screen. */
export function positionBelow(box: HTMLElement, button: HTMLElement): void {
  const { clientWidth, clientHeight } = document.documentElement
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const isLow = top > clientHeight - bottom && clientHeight - bottom < clientHeight / 3
  // A closed popover has no size yet.
  const width = box.offsetWidth || Number.parseFloat(getComputedStyle(box).width) || 0
  const isLeft = (left + right) / 2 < clientWidth / 2
  const inside = (distance: number) => `${Math.max(Math.min(distance, clientWidth - width - GAP), 0)}px`
  Object.assign(box.style, {
    top: isLow ? 'auto' : `${bottom + GAP}px`,
    bottom: isLow ? `${clientHeight - top + GAP}px` : 'auto',
    left: isLeft ? inside(left) : 'auto',
    right: isLeft ? 'auto' : inside(clientWidth - right),
  })
}

/** Repositions the box when the page scrolls or resizes. Returns a function that stops it. */
export function trackPositionBelow(box: HTMLElement, button: HTMLElement): () => void {
  const stop = new AbortController()
  const update = () => positionBelow(box, button)
  addEventListener('scroll', update, { capture: true, passive: true, signal: stop.signal })
  addEventListener('resize', update, { signal: stop.signal })
  return () => stop.abort()
}
