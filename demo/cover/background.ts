import { COVER_HEIGHT, COVER_WIDTH, drawCircle, drawGlow, fix, repeat } from './brush.ts'
import type { Brush } from './brush.ts'
import type { Palette } from './palettes.ts'

function drawSpot(id: string, color: string): string {
  return `<radialGradient id="${id}"><stop stop-color="${color}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`
}

/** The gradients that every motif may name: ground, glow, spark, metal and fade. */
export function drawGradients(palette: Palette, angle: number): string {
  return (
    '<defs>' +
    `<linearGradient id="ground" gradientTransform="rotate(${fix(angle)} .5 .5)"><stop stop-color="${palette.dusk}"/><stop offset=".55" stop-color="${palette.night}"/><stop offset="1" stop-color="${palette.dusk}"/></linearGradient>` +
    `<linearGradient id="metal" x2="0" y2="1"><stop stop-color="${palette.light}"/><stop offset=".5" stop-color="${palette.main}"/><stop offset="1" stop-color="${palette.deep}"/></linearGradient>` +
    `<linearGradient id="fade" x2="0" y2="1"><stop offset=".5" stop-color="${palette.night}" stop-opacity="0"/><stop offset="1" stop-color="${palette.night}" stop-opacity=".75"/></linearGradient>` +
    drawSpot('glow', palette.main) +
    drawSpot('haze', palette.deep) +
    drawSpot('spark', palette.spark) +
    '</defs>'
  )
}

export function drawBackground({ dice, palette }: Brush): string {
  const dust = repeat(46, () => {
    const fill = `fill="${palette.light}" fill-opacity="${fix(dice.between(0.1, 0.4))}"`
    return drawCircle(dice.between(0, COVER_WIDTH), dice.between(0, COVER_HEIGHT), dice.between(0.8, 2.2), fill)
  })
  return (
    `<rect width="${COVER_WIDTH}" height="${COVER_HEIGHT}" fill="url(#ground)"/>` +
    drawGlow(dice.between(100, 1180), dice.between(-60, 220), 560, 0.9, 'haze') +
    drawGlow(dice.between(100, 1180), dice.between(480, 760), 460, 0.5, 'haze') +
    dust
  )
}
