import { drawBox, drawCircle, drawGlow, drawPolygon } from './brush.ts'
import type { Brush, Motif } from './brush.ts'

const STEP = 148
const SIZE = 128

function drawItem({ dice, palette }: Brush, x: number, y: number): string {
  const fill = `fill="${dice.pick([palette.main, palette.light, palette.spark])}"`
  const shape = dice.whole(0, 4)
  if (shape === 0) return drawCircle(x, y, 34, fill)
  if (shape === 1)
    return drawPolygon(
      [
        { x, y: y - 42 },
        { x: x + 30, y },
        { x, y: y + 42 },
        { x: x - 30, y },
      ],
      fill,
    )
  if (shape === 2)
    return drawPolygon(
      [
        { x, y: y - 36 },
        { x: x + 38, y: y + 32 },
        { x: x - 38, y: y + 32 },
      ],
      fill,
    )
  if (shape === 3)
    return `<g transform="rotate(45 ${x} ${y})">${drawBox(x - 9, y - 50, 18, 78, 9, fill)}${drawBox(x - 26, y + 12, 52, 13, 6, fill)}</g>`
  return drawCircle(x, y, 27, `fill="none" stroke="${palette.light}" stroke-width="15"`)
}

/** A bag of slots, some of them filled. */
export const drawSlots: Motif = (brush) => {
  const { dice, palette } = brush
  const parts: string[] = []
  for (let row = 0; row < 5; row += 1) {
    for (let column = 0; column < 9; column += 1) {
      const x = 640 + (column - 4) * STEP
      const y = 360 + (row - 2) * STEP
      const isFilled = dice.next() < 0.46
      const isChosen = isFilled && dice.next() < 0.13
      const stroke = isChosen ? palette.spark : palette.deep
      parts.push(
        isChosen ? drawGlow(x, y, 140, 0.7, 'spark') : '',
        drawBox(
          x - SIZE / 2,
          y - SIZE / 2,
          SIZE,
          SIZE,
          20,
          `fill="${palette.night}" fill-opacity=".72" stroke="${stroke}" stroke-width="${isChosen ? 6 : 3}"`,
        ),
        isFilled ? drawItem(brush, x, y) : '',
        isFilled && dice.next() < 0.5
          ? drawBox(x + 22, y + 40, 32, 10, 5, `fill="${palette.light}" fill-opacity=".7"`)
          : '',
      )
    }
  }
  return `<g transform="rotate(${dice.pick([-9, -7, 7, 9])} 640 360)">${drawGlow(640, 360, 520, 0.5)}${parts.join('')}</g>`
}
