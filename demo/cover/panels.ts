import { drawBox, drawCircle, drawGlow, fix, repeat } from './brush.ts'
import type { Brush, Motif } from './brush.ts'

function drawRow({ dice, palette }: Brush, x: number, y: number, width: number): string {
  const label = drawBox(x, y, dice.between(0.22, 0.42) * width, 16, 8, `fill="${palette.light}" fill-opacity=".75"`)
  const kind = dice.whole(0, 2)
  if (kind === 0) {
    const isOn = dice.next() < 0.6
    const knob = drawCircle(x + width - (isOn ? 17 : 47), y + 8, 12, `fill="${palette.night}"`)
    return label + drawBox(x + width - 64, y - 9, 64, 34, 17, `fill="${isOn ? palette.spark : palette.deep}"`) + knob
  }
  if (kind === 1) {
    const share = dice.between(0.25, 0.9)
    const track = width * 0.42
    const start = x + width - track
    return (
      label +
      drawBox(start, y + 3, track, 10, 5, `fill="${palette.deep}"`) +
      drawBox(start, y + 3, track * share, 10, 5, `fill="${palette.main}"`) +
      drawCircle(start + track * share, y + 8, 15, `fill="${palette.light}"`)
    )
  }
  return label + drawBox(x + width - 120, y - 8, 120, 32, 10, `fill="${palette.main}" fill-opacity=".8"`)
}

function drawPanel(brush: Brush, x: number, y: number, width: number, rows: number): string {
  const { palette, dice } = brush
  const height = 92 + rows * 62
  const dots = repeat(3, (index) =>
    drawCircle(x + 34 + index * 28, y + 32, 8, `fill="${[palette.spark, palette.main, palette.light][index]}"`),
  )
  return (
    drawBox(x + 10, y + 18, width, height, 22, 'fill="#000" fill-opacity=".35"') +
    drawBox(x, y, width, height, 22, `fill="${palette.dusk}" stroke="${palette.main}" stroke-width="3"`) +
    drawBox(x + 3, y + 3, width - 6, 58, 19, `fill="${palette.deep}" fill-opacity=".55"`) +
    dots +
    drawBox(x + width / 2 - 50, y + 24, dice.between(90, 150), 16, 8, `fill="${palette.light}" fill-opacity=".8"`) +
    repeat(rows, (index) => drawRow(brush, x + 36, y + 94 + index * 62, width - 72))
  )
}

/** Windows of an interface, one over the other. */
export const drawPanels: Motif = (brush) => {
  const { dice } = brush
  const isMirrored = dice.next() < 0.5
  const back = drawPanel(brush, isMirrored ? 640 : 130, dice.between(60, 130), dice.between(480, 540), 5)
  const front = drawPanel(
    brush,
    isMirrored ? 170 : 540,
    dice.between(190, 270),
    dice.between(540, 610),
    dice.whole(3, 5),
  )
  return `<g transform="rotate(${fix(dice.between(-6, 6))} 640 360)">${drawGlow(640, 360, 560, 0.6)}${back}${front}</g>`
}
