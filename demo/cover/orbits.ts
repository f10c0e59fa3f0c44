import { drawCircle, drawGlow, fix, repeat } from './brush.ts'
import type { Motif } from './brush.ts'

/** A planet and what circles it. */
export const drawOrbits: Motif = ({ dice, palette }) => {
  const x = dice.between(480, 800)
  const y = dice.between(320, 400)
  const tilt = dice.between(-28, 28)
  const count = dice.whole(4, 5)
  const size = dice.between(96, 132)

  function drawOrbit(index: number): string {
    const wide = size * 1.75 + index * 105
    const high = wide * 0.34
    const angle = dice.between(0, Math.PI * 2)
    const moon = { x: x + Math.cos(angle) * wide, y: y + Math.sin(angle) * high }
    const stroke = `stroke="${index % 2 ? palette.light : palette.main}" stroke-width="${fix(4 - index * 0.5)}"`
    return (
      `<ellipse cx="${fix(x)}" cy="${fix(y)}" rx="${fix(wide)}" ry="${fix(high)}" fill="none" ${stroke} stroke-opacity="${fix(0.9 - index * 0.13)}"/>` +
      drawGlow(moon.x, moon.y, 70, 0.8, 'spark') +
      drawCircle(moon.x, moon.y, dice.between(11, 27), `fill="${index % 2 ? palette.spark : palette.light}"`)
    )
  }

  // The far half of the inner ring belongs behind the planet.
  const front = `<path d="M${fix(x - size * 1.75)} ${fix(y)}A${fix(size * 1.75)} ${fix(size * 0.595)} 0 0 0 ${fix(x + size * 1.75)} ${fix(y)}" fill="none" stroke="${palette.light}" stroke-width="6"/>`
  return (
    `<g transform="rotate(${fix(tilt)} ${fix(x)} ${fix(y)})">` +
    drawGlow(x, y, size * 3.6, 0.8) +
    repeat(count, drawOrbit) +
    drawCircle(x, y, size, 'fill="url(#metal)"') +
    drawCircle(x + size * 0.28, y + size * 0.2, size * 0.86, `fill="${palette.night}" fill-opacity=".28"`) +
    front +
    '</g>'
  )
}
