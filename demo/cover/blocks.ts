import { drawGlow, drawPolygon } from './brush.ts'
import type { Motif, Point } from './brush.ts'

const HALF_WIDTH = 58
const HALF_HEIGHT = 30

/** An isometric island of blocks. */
export const drawBlocks: Motif = ({ dice, palette }) => {
  const size = 9
  const peak = { column: dice.between(2, 6), row: dice.between(2, 6) }
  const parts: string[] = []

  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const distance = Math.hypot(column - peak.column, row - peak.row)
      if (dice.next() < 0.07 + distance * 0.035) continue
      const lift = Math.max(12, 190 - distance * 42 + dice.between(-46, 46))
      const x = 640 + (column - row) * HALF_WIDTH
      const y = 190 + (column + row) * HALF_HEIGHT
      const top: Point[] = [
        { x, y: y - HALF_HEIGHT - lift },
        { x: x + HALF_WIDTH, y: y - lift },
        { x, y: y + HALF_HEIGHT - lift },
        { x: x - HALF_WIDTH, y: y - lift },
      ]
      const isSpark = dice.next() < 0.09
      const isBright = dice.next() < 0.4
      const left = [
        { x: x - HALF_WIDTH, y: y - lift },
        { x, y: y + HALF_HEIGHT - lift },
        { x, y: y + HALF_HEIGHT },
        { x: x - HALF_WIDTH, y },
      ]
      const right = [
        { x: x + HALF_WIDTH, y: y - lift },
        { x, y: y + HALF_HEIGHT - lift },
        { x, y: y + HALF_HEIGHT },
        { x: x + HALF_WIDTH, y },
      ]
      parts.push(
        drawPolygon(left, `fill="${palette.deep}"`),
        drawPolygon(right, `fill="${palette.dusk}"`),
        drawPolygon(
          top,
          `fill="${isSpark ? palette.spark : isBright ? palette.light : palette.main}" stroke="${palette.dusk}" stroke-width="2"`,
        ),
      )
    }
  }
  return drawGlow(640, 380, 560, 0.5) + parts.join('')
}
