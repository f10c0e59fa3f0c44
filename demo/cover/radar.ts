import { drawCircle, drawGlow, drawLine, fix, repeat } from './brush.ts'
import type { Motif, Point } from './brush.ts'

/** A sweep over a field, and what it finds. */
export const drawRadar: Motif = ({ dice, palette }) => {
  const centre = { x: dice.between(500, 780), y: 372 }
  const reach = 330
  const heading = dice.between(0, Math.PI * 2)
  const pointAt = (angle: number, radius: number): Point => ({
    x: centre.x + Math.cos(angle) * radius,
    y: centre.y + Math.sin(angle) * radius,
  })

  const rings = repeat(5, (index) => {
    const stroke = `stroke="${palette.main}" stroke-width="${index === 4 ? 7 : 3}" stroke-opacity="${index === 4 ? 0.95 : 0.45}"`
    return drawCircle(centre.x, centre.y, ((index + 1) * reach) / 5, `fill="none" ${stroke}`)
  })
  const spokes = repeat(6, (index) => {
    const angle = (index * Math.PI) / 6
    return drawLine(pointAt(angle, reach), pointAt(angle + Math.PI, reach), `stroke="${palette.deep}" stroke-width="2"`)
  })
  // Slices of increasing opacity imitate a conical gradient, which SVG does not have.
  const sweep = repeat(28, (index) => {
    const from = pointAt(heading - (28 - index) * 0.045, reach)
    const to = pointAt(heading - (27 - index) * 0.045, reach)
    const d = `M${fix(centre.x)} ${fix(centre.y)}L${fix(from.x)} ${fix(from.y)}A${reach} ${reach} 0 0 1 ${fix(to.x)} ${fix(to.y)}z`
    return `<path d="${d}" fill="${palette.main}" fill-opacity="${(index * 0.02).toFixed(2)}"/>`
  })
  const ticks = repeat(72, (index) => {
    const angle = (index * Math.PI) / 36
    return drawLine(
      pointAt(angle, reach + 16),
      pointAt(angle, reach + (index % 6 ? 26 : 42)),
      `stroke="${palette.light}" stroke-width="3" stroke-opacity=".6"`,
    )
  })
  const finds = repeat(8, () => {
    const spot = pointAt(heading - dice.between(0, 2.4), dice.between(70, reach - 30))
    return (
      drawGlow(spot.x, spot.y, 52, 0.9, 'spark') +
      drawCircle(spot.x, spot.y, dice.between(6, 13), `fill="${palette.spark}"`)
    )
  })
  const arm = drawLine(centre, pointAt(heading, reach), `stroke="${palette.light}" stroke-width="5"`)
  return drawGlow(centre.x, centre.y, 480, 0.5) + spokes + sweep + rings + ticks + arm + finds
}
