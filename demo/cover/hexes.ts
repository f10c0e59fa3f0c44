import { drawGlow, drawPolygon } from './brush.ts'
import type { Motif, Point } from './brush.ts'

const RADIUS = 66

function createHex(x: number, y: number, radius: number): Point[] {
  return Array.from({ length: 6 }, (_, corner) => {
    const angle = (corner * Math.PI) / 3 + Math.PI / 6
    return { x: x + Math.cos(angle) * radius, y: y + Math.sin(angle) * radius }
  })
}

/** Cells in a comb: stores, keys and values. */
export const drawHexes: Motif = ({ dice, palette }) => {
  const focus = { x: dice.between(380, 900), y: dice.between(260, 460) }
  const parts: string[] = []
  for (let row = -1; row < 9; row += 1) {
    for (let column = -1; column < 13; column += 1) {
      const x = column * RADIUS * 1.732 + (row % 2 ? RADIUS * 0.866 : 0)
      const y = row * RADIUS * 1.5
      const closeness = Math.max(0, 1 - Math.hypot(x - focus.x, y - focus.y) / 620)
      const throwOf = dice.next()
      if (throwOf > closeness * 1.35 + 0.12) {
        parts.push(
          drawPolygon(
            createHex(x, y, RADIUS - 6),
            `fill="none" stroke="${palette.deep}" stroke-width="2" stroke-opacity=".55"`,
          ),
        )
        continue
      }
      const isSpark = dice.next() < 0.09
      const fill = isSpark ? palette.spark : dice.pick([palette.main, palette.deep, palette.main, palette.light])
      parts.push(
        isSpark ? drawGlow(x, y, 150, 0.8, 'spark') : '',
        drawPolygon(createHex(x, y, RADIUS - 6), `fill="${fill}" fill-opacity="${(0.3 + closeness * 0.7).toFixed(2)}"`),
        drawPolygon(
          createHex(x, y, RADIUS - 26),
          `fill="none" stroke="${palette.night}" stroke-width="5" stroke-opacity=".4"`,
        ),
      )
    }
  }
  return drawGlow(focus.x, focus.y, 520, 0.6) + parts.join('')
}
