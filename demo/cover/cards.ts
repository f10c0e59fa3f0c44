import { drawBox, drawCircle, drawGlow, drawPolygon, fix, repeat } from './brush.ts'
import type { Brush, Motif } from './brush.ts'

const WIDTH = 210
const HEIGHT = 300

function drawFace({ dice, palette }: Brush, isOpen: boolean): string {
  if (!isOpen) {
    const lines = repeat(5, (index) =>
      drawCircle(
        0,
        0,
        18 + index * 17,
        `fill="none" stroke="${palette.light}" stroke-width="5" stroke-opacity="${(0.75 - index * 0.12).toFixed(2)}"`,
      ),
    )
    return drawBox(-WIDTH / 2 + 16, -HEIGHT / 2 + 16, WIDTH - 32, HEIGHT - 32, 16, `fill="${palette.deep}"`) + lines
  }
  const fill = `fill="${dice.pick([palette.main, palette.deep])}"`
  const shape = dice.whole(0, 2)
  if (shape === 0) return drawCircle(0, 0, 58, fill)
  if (shape === 1)
    return drawPolygon(
      [
        { x: 0, y: -78 },
        { x: 56, y: 0 },
        { x: 0, y: 78 },
        { x: -56, y: 0 },
      ],
      fill,
    )
  return drawBox(-50, -50, 100, 100, 18, fill)
}

/** A hand of cards, some of them turned over. */
export const drawCards: Motif = (brush) => {
  const { dice, palette } = brush
  const count = 6
  const open = dice.whole(1, count - 2)
  const hand = repeat(count, (index) => {
    const offset = index - (count - 1) / 2
    const isOpen = index === open || index === (open + 3) % count
    const lift = isOpen ? -46 : 0
    const fill = isOpen ? palette.light : palette.main
    return (
      `<g transform="translate(${fix(640 + offset * 176)} ${fix(392 + offset * offset * 13 + lift)}) rotate(${fix(offset * 7 + dice.between(-3, 3))})">` +
      (isOpen ? drawGlow(0, 0, 260, 0.8, 'spark') : '') +
      drawBox(-WIDTH / 2 + 8, -HEIGHT / 2 + 14, WIDTH, HEIGHT, 26, 'fill="#000" fill-opacity=".35"') +
      drawBox(-WIDTH / 2, -HEIGHT / 2, WIDTH, HEIGHT, 26, `fill="${fill}" stroke="${palette.night}" stroke-width="5"`) +
      drawFace(brush, isOpen) +
      '</g>'
    )
  })
  return drawGlow(640, 400, 560, 0.6) + hand
}
