import { drawBox, drawCircle, drawGlow, drawLine, joinPoints, repeat } from './brush.ts'
import type { Motif } from './brush.ts'

/** Columns of measurements and the line that runs over them. */
export const drawBars: Motif = ({ dice, palette }) => {
  const count = 22
  const width = 38
  const phase = dice.between(0, 6)
  const heights = Array.from({ length: count }, (_, index) => {
    return 150 + Math.sin(phase + index * 0.42) * 95 + dice.between(20, 210)
  })
  const levels = repeat(5, (index) => {
    const y = 130 + index * 115
    return drawLine(
      { x: 70, y },
      { x: 1210, y },
      `stroke="${palette.deep}" stroke-width="2" stroke-dasharray="4 12" stroke-opacity=".8"`,
    )
  })
  const bars = repeat(count, (index) => {
    const height = heights[index] ?? 0
    const x = 74 + index * 52
    const isPeak = height === Math.max(...heights)
    return (
      (isPeak ? drawGlow(x + width / 2, 640 - height, 170, 0.9, 'spark') : '') +
      drawBox(
        x,
        650 - height,
        width,
        height,
        10,
        isPeak ? `fill="${palette.spark}"` : 'fill="url(#metal)" fill-opacity=".85"',
      )
    )
  })
  const points = Array.from({ length: count }, (_, index) => {
    const around = heights.slice(Math.max(0, index - 2), index + 3)
    const mean = around.reduce((total, height) => total + height, 0) / around.length
    return { x: 74 + index * 52 + width / 2, y: 560 - mean * 1.12 }
  })
  const dots = points
    .filter((_, index) => index % 4 === 1)
    .map((point) =>
      drawCircle(point.x, point.y, 13, `fill="${palette.night}" stroke="${palette.light}" stroke-width="6"`),
    )
  const line = `<polyline points="${joinPoints(points)}" fill="none" stroke="${palette.light}" stroke-width="7" stroke-linejoin="round"/>`
  return drawGlow(640, 500, 560, 0.4) + levels + bars + line + dots.join('')
}
