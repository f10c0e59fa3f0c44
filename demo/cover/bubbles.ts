import { drawBox, drawGlow, drawPolygon, fix, repeat } from './brush.ts'
import type { Motif } from './brush.ts'

/** A conversation, seen from across the room. */
export const drawBubbles: Motif = ({ dice, palette }) => {
  let y = dice.between(40, 70)
  const bubbles = repeat(4, (index) => {
    const isMine = index % 2 === 1
    const lines = dice.whole(1, 2)
    const width = dice.between(430, 640)
    const height = 56 + lines * 46
    const x = isMine ? 1120 - width : 160
    const fill = isMine ? palette.main : palette.dusk
    const tailX = isMine ? x + width - 60 : x + 60
    const tail = [
      { x: tailX - 26, y: y + height - 4 },
      { x: tailX + 26, y: y + height - 4 },
      { x: tailX + (isMine ? 40 : -40), y: y + height + 34 },
    ]
    const words = repeat(lines, (line) => {
      const length = (width - 96) * (line === lines - 1 ? dice.between(0.35, 0.8) : 1)
      return drawBox(
        x + 48,
        y + 40 + line * 46,
        length,
        20,
        10,
        `fill="${isMine ? palette.night : palette.light}" fill-opacity=".75"`,
      )
    })
    const bubble =
      drawGlow(x + width / 2, y + height / 2, 340, isMine ? 0.5 : 0.2) +
      drawPolygon(tail, `fill="${fill}"`) +
      drawBox(
        x,
        y,
        width,
        height,
        34,
        `fill="${fill}" stroke="${isMine ? palette.light : palette.main}" stroke-width="3"`,
      ) +
      words
    y += height + 42
    return bubble
  })
  const cursor = drawBox(dice.between(300, 800), 652, 120, 14, 7, `fill="${palette.spark}"`)
  return `<g transform="rotate(${fix(dice.between(-5, 5))} 640 360)">${bubbles}${cursor}</g>`
}
