import { COVER_HEIGHT, COVER_WIDTH, drawCircle, drawGlow, drawPolygon, fix, repeat } from './brush.ts'
import type { Motif, Point } from './brush.ts'
import type { Dice } from './random.ts'

function createRidge(dice: Dice, base: number, height: number): Point[] {
  const first = dice.between(0, 6)
  const second = dice.between(0, 6)
  const steps = 64
  const points: Point[] = [{ x: 0, y: COVER_HEIGHT }]
  for (let step = 0; step <= steps; step += 1) {
    const share = step / steps
    const wave = Math.sin(first + share * 7) * 0.5 + Math.sin(second + share * 17) * 0.26
    points.push({ x: share * COVER_WIDTH, y: base - (wave + dice.between(-0.06, 0.06)) * height })
  }
  points.push({ x: COVER_WIDTH, y: COVER_HEIGHT })
  return points
}

/** Hills in layers, a low moon, and the arcs of somebody leaping over them. */
export const drawRidges: Motif = ({ dice, palette }) => {
  const moon = { x: dice.between(300, 980), y: dice.between(170, 250) }
  const tones = [palette.light, palette.main, palette.main, palette.deep, palette.dusk, palette.night]
  const layers = tones
    .map((tone, index) => {
      const ridge = createRidge(dice, 330 + index * 72, 130 - index * 10)
      return drawPolygon(ridge, `fill="${tone}" fill-opacity="${fix(index === 0 ? 0.28 : 0.42 + index * 0.11)}"`)
    })
    .join('')

  let x = dice.between(70, 160)
  const leaps = repeat(4, (index) => {
    const reach = dice.between(190, 300)
    const lift = dice.between(200, 320)
    const y = 560 - index * 34
    const arc = `<path d="M${fix(x)} ${fix(y)}q${fix(reach / 2)} ${fix(-lift)} ${fix(reach)} -34" fill="none" stroke="${palette.spark}" stroke-width="6" stroke-linecap="round" stroke-dasharray="2 18"/>`
    x += reach
    return arc + drawGlow(x, y - 34, 46, 0.8, 'spark') + drawCircle(x, y - 34, 10, `fill="${palette.spark}"`)
  })

  return (
    drawGlow(moon.x, moon.y, 340, 0.8) +
    drawCircle(moon.x, moon.y, dice.between(66, 92), `fill="${palette.light}"`) +
    layers +
    leaps
  )
}
