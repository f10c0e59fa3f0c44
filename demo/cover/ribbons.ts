import { COVER_WIDTH, drawCircle, drawGlow, joinPoints, repeat } from './brush.ts'
import type { Motif } from './brush.ts'

/** Many phases of one swing, laid over each other. */
export const drawRibbons: Motif = ({ dice, palette }) => {
  const waves = dice.between(1.1, 2.1)
  const shift = dice.between(0, Math.PI * 2)
  const height = dice.between(170, 240)
  const middle = dice.between(320, 400)
  const damping = dice.between(0.4, 1.7)
  const direction = dice.pick([1, -1])

  function swing(x: number, phase: number): number {
    const share = direction > 0 ? x / COVER_WIDTH : 1 - x / COVER_WIDTH
    return middle + Math.sin(share * waves * Math.PI * 2 + shift + phase) * height * Math.exp(-share * damping)
  }

  const lines = repeat(22, (index) => {
    const points = Array.from({ length: 81 }, (_, step) => ({ x: step * 16, y: swing(step * 16, index * 0.085) }))
    const color = index === 0 ? palette.spark : index % 3 === 0 ? palette.light : palette.main
    const opacity = index === 0 ? 1 : (0.85 - index * 0.034).toFixed(2)
    return `<polyline points="${joinPoints(points)}" fill="none" stroke="${color}" stroke-width="${index === 0 ? 9 : 3}" stroke-linecap="round" stroke-opacity="${opacity}"/>`
  })
  const beads = repeat(5, (index) => {
    const x = 130 + index * 250
    const y = swing(x, 0)
    return (
      drawGlow(x, y, 74, 0.9, 'spark') +
      drawCircle(x, y, 17, `fill="${palette.night}" stroke="${palette.spark}" stroke-width="7"`)
    )
  })
  return drawGlow(640, middle, 520, 0.6) + lines + beads
}
