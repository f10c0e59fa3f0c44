import { COVER_HEIGHT, COVER_WIDTH, drawBox, drawCircle, drawGlow, drawLine, repeat } from './brush.ts'
import type { Motif } from './brush.ts'

/** A striped sun over a plain of lines. */
export const drawDawn: Motif = ({ dice, palette }) => {
  const horizon = dice.between(410, 460)
  const x = dice.between(430, 850)
  const radius = dice.between(190, 235)
  const y = horizon - radius * dice.between(0.35, 0.62)

  const stripes = repeat(6, (index) => {
    const share = index / 6
    return drawBox(
      x - radius - 10,
      y + radius * (0.05 + share * 0.95),
      radius * 2 + 20,
      7 + index * 4,
      0,
      `fill="${palette.night}"`,
    )
  })
  const depthLines = repeat(9, (index) => {
    const level = horizon + (COVER_HEIGHT - horizon) * (index / 8) ** 2.1
    const stroke = `stroke="${palette.main}" stroke-width="${2 + index * 0.5}" stroke-opacity="${(0.4 + index * 0.07).toFixed(2)}"`
    return drawLine({ x: 0, y: level }, { x: COVER_WIDTH, y: level }, stroke)
  })
  const rays = repeat(27, (index) => {
    const offset = index - 13
    const stroke = `stroke="${palette.main}" stroke-width="2.5" stroke-opacity=".6"`
    return drawLine({ x: x + offset * 46, y: horizon }, { x: x + offset * 270, y: COVER_HEIGHT }, stroke)
  })
  const stars = repeat(34, () =>
    drawCircle(
      dice.between(0, COVER_WIDTH),
      dice.between(0, horizon - 60),
      dice.between(1.5, 4),
      `fill="${palette.light}" fill-opacity=".8"`,
    ),
  )
  return (
    stars +
    drawGlow(x, y, radius * 2.5, 0.9, 'spark') +
    drawCircle(x, y, radius, `fill="${palette.spark}"`) +
    drawCircle(x, y, radius, 'fill="url(#glow)"') +
    stripes +
    `<rect y="${horizon.toFixed(1)}" width="${COVER_WIDTH}" height="${COVER_HEIGHT}" fill="${palette.dusk}"/>` +
    depthLines +
    rays
  )
}
