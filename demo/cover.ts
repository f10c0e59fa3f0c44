import { drawMark } from '#demo/cover/avatar.ts'
import { drawBackground, drawGradients } from '#demo/cover/background.ts'
import { COVER_HEIGHT, COVER_WIDTH } from '#demo/cover/brush.ts'
import { chooseMotif } from '#demo/cover/motifs.ts'
import { choosePalette } from '#demo/cover/palettes.ts'
import { createDice } from '#demo/cover/random.ts'
import { drawRibbons } from '#demo/cover/ribbons.ts'
import { drawRidges } from '#demo/cover/ridges.ts'

export interface CoverSeed {
  title: string
  tags: string[]
  /** A name of cover/palettes.ts; without one it follows from the title. */
  palette?: string
}

/** Draws a cover as an SVG document of 1280 x 720; the same seed gives the same picture. */
export function drawCover(seed: CoverSeed): string {
  const dice = createDice(seed.title)
  const palette = choosePalette(seed.palette, seed.title)
  const brush = { dice, palette }
  const frame = `width="${COVER_WIDTH}" height="${COVER_HEIGHT}"`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${frame} viewBox="0 0 ${COVER_WIDTH} ${COVER_HEIGHT}">` +
    drawGradients(palette, dice.between(0, 180)) +
    drawBackground(brush) +
    chooseMotif(seed.title, seed.tags)(brush) +
    `<rect ${frame} fill="url(#fade)"/></svg>`
  )
}

/** Draws a member's picture as an SVG document of 256 x 256. */
export function drawAvatar(seed: string): string {
  const dice = createDice(`avatar ${seed}`)
  const palette = choosePalette(undefined, seed)
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256">' +
    drawGradients(palette, dice.between(0, 180)) +
    `<rect width="256" height="256" fill="${palette.dusk}"/>` +
    '<circle cx="128" cy="128" r="170" fill="url(#haze)"/>' +
    drawMark(dice, palette) +
    '</svg>'
  )
}

/** Draws the wide picture over a profile as an SVG document of 1500 x 500. */
export function drawBanner(seed: string): string {
  const dice = createDice(`banner ${seed}`)
  const palette = choosePalette(undefined, seed)
  const brush = { dice, palette }
  const motif = dice.pick([drawRibbons, drawRidges])
  // Motifs are 16:9. Scaled to the width of a banner, only their middle band is visible.
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="500" viewBox="0 130 1280 427" preserveAspectRatio="xMidYMid slice">' +
    drawGradients(palette, dice.between(0, 180)) +
    drawBackground(brush) +
    motif(brush) +
    '</svg>'
  )
}
