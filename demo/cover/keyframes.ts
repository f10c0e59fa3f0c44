import { drawBox, drawCircle, drawGlow, drawLine, drawPolygon, fix, repeat } from './brush.ts'
import type { Motif, Point } from './brush.ts'

/** A flight path with its handles, and the frames that see along it. */
export const drawKeyframes: Motif = ({ dice, palette }) => {
  const stops: Point[] = Array.from({ length: 5 }, (_, index) => ({
    x: 110 + index * 265,
    y: 360 + (index % 2 ? -1 : 1) * dice.between(70, 210),
  }))
  const reach = 118
  const first = stops[0] ?? { x: 0, y: 0 }
  const curves = stops.slice(1).map((stop, index) => {
    const from = stops[index] ?? first
    return `C${fix(from.x + reach)} ${fix(from.y)} ${fix(stop.x - reach)} ${fix(stop.y)} ${fix(stop.x)} ${fix(stop.y)}`
  })
  const d = `M${fix(first.x)} ${fix(first.y)}${curves.join('')}`
  const path =
    `<path d="${d}" fill="none" stroke="${palette.deep}" stroke-width="34" stroke-linecap="round" stroke-opacity=".6"/>` +
    `<path d="${d}" fill="none" stroke="${palette.light}" stroke-width="8" stroke-linecap="round"/>` +
    `<path d="${d}" fill="none" stroke="${palette.spark}" stroke-width="3" stroke-dasharray="2 26" stroke-linecap="round" transform="translate(0 30)"/>`

  const frames = stops.map((stop, index) => {
    const turn = dice.between(-35, 35)
    const view = [stop, { x: stop.x + 190, y: stop.y - 84 }, { x: stop.x + 190, y: stop.y + 84 }]
    const cone = drawPolygon(
      view,
      `fill="${palette.main}" opacity=".24" stroke="${palette.main}" stroke-width="3" transform="rotate(${fix(turn)} ${fix(stop.x)} ${fix(stop.y)})"`,
    )
    const handle = drawLine(
      { x: stop.x - reach, y: stop.y },
      { x: stop.x + reach, y: stop.y },
      `stroke="${palette.main}" stroke-width="3"`,
    )
    const knobs = repeat(2, (side) =>
      drawCircle(stop.x + (side ? reach : -reach), stop.y, 10, `fill="${palette.main}"`),
    )
    const mark = drawBox(
      stop.x - 21,
      stop.y - 21,
      42,
      42,
      8,
      `fill="${index % 2 ? palette.spark : palette.light}" transform="rotate(45 ${fix(stop.x)} ${fix(stop.y)})"`,
    )
    return cone + handle + knobs + drawGlow(stop.x, stop.y, 100, 0.6, 'spark') + mark
  })
  return drawGlow(640, 360, 540, 0.5) + path + frames.join('')
}
