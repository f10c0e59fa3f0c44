/** Corners for messages, in order of preference. The first is where they usually are. */
const CORNERS = ['', 'bottom-right', 'top-right', 'top-left']

const CONTROLS =
  'a[href], button, input, select, textarea, summary, [contenteditable=true], [role=slider], [role=menuitem], [role=option]'

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>

export interface Obstacle {
  box: Box
  weight: number
}

/** The focus ring of a control, in pixels. */
const RING = 4
const WEIGHTS = { focused: 1000, next: 1000, field: 10, link: 1 }

/**
 * Moves the messages to another corner while they would cover the control that has the focus or the next one: to the first
 * corner where they cover neither, else to that where they cover the least. Messages that are in use stay.
 */
export function placeMessages(host: HTMLElement, container: HTMLElement): void {
  if (host.childElementCount === 0 || host.matches(':hover, :focus-within')) return
  const obstacles = findObstacles(host, container)
  let best = { corner: '', cost: Number.POSITIVE_INFINITY }
  for (const corner of CORNERS) {
    host.dataset['corner'] = corner
    const cost = coverCost(host.getBoundingClientRect(), obstacles)
    if (cost < best.cost) best = { corner, cost }
    if (best.cost < WEIGHTS.next) break
  }
  host.dataset['corner'] = best.corner
}

/** How bad it is to cover these controls: their weights, and more the more of the box they fill. */
export function coverCost(box: Box, obstacles: readonly Obstacle[]): number {
  const area = (box.right - box.left) * (box.bottom - box.top)
  return obstacles.reduce((cost, { box: covered, weight }) => {
    const width = Math.min(box.right, covered.right + RING) - Math.max(box.left, covered.left - RING)
    const height = Math.min(box.bottom, covered.bottom + RING) - Math.max(box.top, covered.top - RING)
    return width > 0 && height > 0 ? cost + weight * (1 + (width * height) / area) : cost
  }, 0)
}

function findObstacles(host: HTMLElement, container: HTMLElement): Obstacle[] {
  const { activeElement } = document
  const controls = [...container.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (control) =>
      !host.contains(control) && control.tabIndex >= 0 && control.checkVisibility({ visibilityProperty: true }),
  )
  const isAfter = (control: Element) =>
    activeElement !== null &&
    activeElement !== document.body &&
    (activeElement.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const next = controls.find(isAfter)
  const weigh = (control: HTMLElement) => {
    if (control === next) return WEIGHTS.next
    return control.matches('a') ? WEIGHTS.link : WEIGHTS.field
  }
  const obstacles = controls
    .filter((control) => control !== activeElement)
    .map((control) => ({ box: control.getBoundingClientRect(), weight: weigh(control) }))
  // An editor in a shadow tree has the focus as a whole.
  if (
    activeElement &&
    container !== activeElement &&
    container.contains(activeElement) &&
    !activeElement.matches('main')
  )
    obstacles.push({ box: activeElement.getBoundingClientRect(), weight: WEIGHTS.focused })
  return obstacles
}
