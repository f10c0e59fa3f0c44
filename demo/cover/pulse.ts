import { drawCircle, drawGlow, fix, repeat } from './brush.ts'
import type { Motif } from './brush.ts'

/** Rings that leave a sender and the receivers they meet. */
export const drawPulse: Motif = ({ dice, palette }) => {
  const x = dice.between(420, 860)
  const y = dice.between(300, 420)
  const gap = dice.between(58, 82)
  const rings = repeat(9, (index) => {
    const radius = 64 + index * gap
    const dash = index % 3 === 1 ? `stroke-dasharray="${fix(dice.between(30, 160))} ${fix(dice.between(14, 50))}"` : ''
    const opacity = fix(0.95 - index * 0.09)
    const color = index % 4 === 2 ? palette.spark : palette.main
    return drawCircle(
      x,
      y,
      radius,
      `fill="none" stroke="${color}" stroke-width="${fix(9 - index * 0.8)}" stroke-opacity="${opacity}" ${dash}`,
    )
  })
  const receivers = repeat(11, (index) => {
    const radius = 64 + (1 + (index % 7)) * gap
    const angle = dice.between(0, Math.PI * 2)
    const spot = { x: x + Math.cos(angle) * radius, y: y + Math.sin(angle) * radius }
    const size = dice.between(7, 19)
    return (
      drawGlow(spot.x, spot.y, size * 3.4, 0.6, 'spark') +
      drawCircle(spot.x, spot.y, size, `fill="${index % 3 === 0 ? palette.spark : palette.light}"`)
    )
  })
  return (
    drawGlow(x, y, 380, 0.7) +
    rings +
    receivers +
    drawCircle(x, y, 46, 'fill="url(#metal)"') +
    drawCircle(x, y, 18, `fill="${palette.night}"`)
  )
}
