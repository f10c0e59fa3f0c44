import {
  COVER_HEIGHT,
  COVER_WIDTH,
  drawBox,
  drawCircle,
  drawLine,
  drawPolygon,
  fix,
  repeat,
} from '#demo/cover/brush.ts'
import type { Brush, Point } from '#demo/cover/brush.ts'

/** Letters of five by seven dots, a base 32 digit of bits per row. Drawn, because fonts differ by machine. */
const GLYPHS: Record<string, string> = {
  A: 'ehhvhhh',
  B: 'uhhuhhu',
  C: 'ehggghe',
  D: 'uhhhhhu',
  E: 'vgguggv',
  F: 'vgguggg',
  G: 'ehgnhhf',
  H: 'hhhvhhh',
  I: 'e44444e',
  J: '72222ic',
  K: 'hikokih',
  L: 'ggggggv',
  M: 'hrllhhh',
  N: 'hhpljhh',
  O: 'ehhhhhe',
  P: 'uhhuggg',
  Q: 'ehhhlid',
  R: 'uhhukih',
  S: 'fgge11u',
  T: 'v444444',
  U: 'hhhhhhe',
  V: 'hhhhha4',
  W: 'hhhllla',
  X: 'hha4ahh',
  Y: 'hhha444',
  Z: 'v1248gv',
  0: 'ehjlphe',
  1: '4c4444e',
  2: 'eh1248v',
  3: 'v2421he',
  4: '26aiv22',
  5: 'vgu11he',
  6: '68guhhe',
  7: 'v124888',
  8: 'ehhehhe',
  9: 'ehhf12c',
  '%': 'op248j3',
  '/': '01248g0',
  '+': '044v440',
  '.': '00000cc',
  '!': '4444404',
  ':': '0cc0cc0',
  '-': '000v000',
  '?': 'eh12404',
}

const COLUMNS = 5
/** Width of a letter with the gap after it, in dots. */
const ADVANCE = 6

/** Text in capital letters, with its upper left corner at a point. `dot` is the size of a dot. */
export function drawText(text: string, { x, y }: Point, dot: number, fill: string): string {
  const dots = Array.from(text.toUpperCase()).flatMap((letter, index) =>
    Array.from(GLYPHS[letter] ?? '0000000').flatMap((row, top) =>
      Array.from({ length: COLUMNS }, (_, column) => {
        const isSet = ((Number.parseInt(row, 32) >> (COLUMNS - 1 - column)) & 1) === 1
        const left = x + (index * ADVANCE + column) * dot
        return isSet ? `M${fix(left)} ${fix(y + top * dot)}h${fix(dot)}v${fix(dot)}h-${fix(dot)}z` : ''
      }),
    ),
  )
  return `<path fill="${fill}" d="${dots.join('')}"/>`
}

export const textWidth = (text: string, dot: number): number => (text.length * ADVANCE - 1) * dot

/** A place in a game: sky, hills, a floor with lines, and blocks. */
export function drawWorld({ dice, palette }: Brush): string {
  const horizon = 400
  const hills = (y: number, fill: string) =>
    drawPolygon(
      [
        { x: 0, y: horizon },
        ...Array.from({ length: 9 }, (_, i) => ({ x: i * 160, y: y - dice.between(0, 110) })),
        { x: COVER_WIDTH, y: horizon },
      ],
      `fill="${fill}"`,
    )
  const grid = `stroke="${palette.main}" stroke-width="2" stroke-opacity=".28"`
  const rows = repeat(9, (i) => {
    const y = horizon + 8 * 1.52 ** i
    return drawLine({ x: 0, y }, { x: COVER_WIDTH, y }, grid)
  })
  const columns = repeat(17, (i) =>
    drawLine({ x: 640 + (i - 8) * 60, y: horizon }, { x: 640 + (i - 8) * 330, y: COVER_HEIGHT }, grid),
  )
  return (
    `<rect width="${COVER_WIDTH}" height="${COVER_HEIGHT}" fill="url(#sky)"/>` +
    drawCircle(dice.between(250, 1030), dice.between(110, 210), 54, `fill="${palette.spark}" fill-opacity=".85"`) +
    hills(330, palette.deep) +
    hills(380, palette.dusk) +
    drawBox(0, horizon, COVER_WIDTH, COVER_HEIGHT - horizon, 0, `fill="${palette.night}"`) +
    rows +
    columns +
    repeat(5, (i) => drawBlock({ dice, palette }, 90 + i * 260 + dice.between(-40, 60), dice.between(440, 560)))
  )
}

function drawBlock({ dice, palette }: Brush, x: number, y: number): string {
  const size = dice.between(38, 74)
  const top = [
    { x, y: y - size * 0.4 },
    { x: x + size, y: y - size * 0.8 },
    { x: x + size * 2, y: y - size * 0.4 },
    { x: x + size, y },
  ]
  const side = (from: Point, to: Point, fill: string) =>
    drawPolygon([from, to, { x: to.x, y: to.y + size }, { x: from.x, y: from.y + size }], `fill="${fill}"`)
  const [left = { x, y }, , right = { x, y }, front = { x, y }] = top
  return (
    side(left, front, palette.main) + side(front, right, palette.deep) + drawPolygon(top, `fill="${palette.light}"`)
  )
}

/** A character of simple blocks, with its feet at a point. */
export function drawFighter({ palette }: Brush, { x, y }: Point, size: number): string {
  const part = (left: number, top: number, width: number, height: number, fill: string) =>
    drawBox(x + left * size, y - top * size, width * size, height * size, size * 0.12, `fill="${fill}"`)
  return (
    `<ellipse cx="${fix(x)}" cy="${fix(y)}" rx="${fix(size * 1.3)}" ry="${fix(size * 0.3)}" fill-opacity=".4"/>` +
    part(-0.75, 1.7, 0.7, 1.7, palette.deep) +
    part(0.05, 1.7, 0.7, 1.7, palette.deep) +
    part(-0.8, 3.4, 1.6, 1.8, palette.main) +
    part(-1.5, 3.4, 0.62, 1.7, palette.light) +
    part(0.88, 3.4, 0.62, 1.7, palette.light) +
    part(-0.6, 4.7, 1.2, 1.2, palette.light)
  )
}

export function drawWindow({ palette }: Brush, { x, y }: Point, width: number, height: number, title: string): string {
  return (
    drawBox(x + 8, y + 14, width, height, 20, 'fill="#000" fill-opacity=".4"') +
    drawBox(
      x,
      y,
      width,
      height,
      20,
      `fill="${palette.night}" fill-opacity=".94" stroke="${palette.deep}" stroke-width="3"`,
    ) +
    drawText(title, { x: x + 36, y: y + 34 }, 5, palette.light) +
    drawLine({ x: x + 2, y: y + 96 }, { x: x + width - 2, y: y + 96 }, `stroke="${palette.deep}" stroke-width="3"`)
  )
}

/** A complete SVG document of 1280 x 720. */
export function drawFrame({ palette }: Brush, content: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${COVER_WIDTH}" height="${COVER_HEIGHT}" viewBox="0 0 ${COVER_WIDTH} ${COVER_HEIGHT}">` +
    `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${palette.deep}"/><stop offset=".6" stop-color="${palette.main}"/></linearGradient></defs>` +
    `${content}</svg>`
  )
}
