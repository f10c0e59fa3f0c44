import { drawBox, drawCircle, drawPolygon } from './brush.ts'
import type { Palette } from './palettes.ts'
import type { Dice } from './random.ts'

const CELL = 40
const MARGIN = 28

function drawCell(dice: Dice, palette: Palette, x: number, y: number): (left: number) => string {
  const fill = `fill="${dice.pick([palette.main, palette.light, palette.main, palette.spark])}"`
  const shape = dice.whole(0, 3)
  return (left) => {
    const isMirrored = left > x
    const corner = isMirrored ? left + CELL : left
    const inner = isMirrored ? left : left + CELL
    if (shape === 0) return drawCircle(left + CELL / 2, y + CELL / 2, CELL / 2, fill)
    if (shape === 1)
      return drawPolygon(
        [
          { x: corner, y },
          { x: inner, y },
          { x: inner, y: y + CELL },
        ],
        fill,
      )
    if (shape === 2)
      return drawPolygon(
        [
          { x: corner, y: y + CELL },
          { x: inner, y },
          { x: inner, y: y + CELL },
        ],
        fill,
      )
    return drawBox(left, y, CELL, CELL, 0, fill)
  }
}

/** A symmetrical mark of five by five shapes, in a square that may be cut to a circle. */
export function drawMark(dice: Dice, palette: Palette): string {
  const parts: string[] = []
  for (let row = 0; row < 5; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      // The corners stay empty, because avatars are shown round.
      const isCorner = column === 0 && (row === 0 || row === 4)
      const isDrawn = dice.next() < (column === 2 ? 0.85 : 0.62)
      const x = MARGIN + column * CELL
      const y = MARGIN + row * CELL
      const draw = drawCell(dice, palette, x, y)
      if (isCorner || !isDrawn) continue
      parts.push(draw(x))
      if (column < 2) parts.push(draw(MARGIN + (4 - column) * CELL))
    }
  }
  return parts.join('')
}
