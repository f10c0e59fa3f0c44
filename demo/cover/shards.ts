import { drawGlow, drawPolygon } from './brush.ts'
import type { Motif, Point } from './brush.ts'

const STEP = 118

/** A broken sheet of glass, brightest where it was hit. */
export const drawShards: Motif = ({ dice, palette }) => {
  const columns = 13
  const rows = 9
  const hit = { x: dice.between(380, 900), y: dice.between(240, 480) }
  const grid: Point[][] = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_unused, column) => ({
      x: (column - 0.5) * STEP + dice.between(-42, 42),
      y: (row - 0.8) * STEP + dice.between(-42, 42),
    })),
  )
  const parts: string[] = []

  function drawShard(corners: Point[]): void {
    const middle = {
      x: corners.reduce((total, corner) => total + corner.x, 0) / 3,
      y: corners.reduce((total, corner) => total + corner.y, 0) / 3,
    }
    const closeness = Math.max(0, 1 - Math.hypot(middle.x - hit.x, middle.y - hit.y) / 640)
    const fill =
      closeness > 0.8 && dice.next() < 0.6
        ? palette.spark
        : dice.pick([palette.main, palette.deep, palette.light, palette.main])
    const opacity = (closeness ** 1.5 * 0.85 + dice.between(0.02, 0.14)).toFixed(2)
    // Pulling the corners towards the middle leaves the cracks.
    const pulled = corners.map((corner) => ({
      x: corner.x + (middle.x - corner.x) * 0.07,
      y: corner.y + (middle.y - corner.y) * 0.07,
    }))
    parts.push(drawPolygon(pulled, `fill="${fill}" fill-opacity="${opacity}"`))
  }

  for (let row = 0; row < rows - 1; row += 1) {
    for (let column = 0; column < columns - 1; column += 1) {
      const a = grid[row]?.[column]
      const b = grid[row]?.[column + 1]
      const c = grid[row + 1]?.[column + 1]
      const d = grid[row + 1]?.[column]
      if (!a || !b || !c || !d) continue
      const isFalling = dice.next() < 0.5
      drawShard(isFalling ? [a, b, c] : [a, b, d])
      drawShard(isFalling ? [a, c, d] : [b, c, d])
    }
  }
  return drawGlow(hit.x, hit.y, 560, 0.8) + parts.join('') + drawGlow(hit.x, hit.y, 170, 0.9, 'spark')
}
