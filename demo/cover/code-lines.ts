import { drawBox, drawCircle, drawGlow, repeat } from './brush.ts'
import type { Brush, Motif } from './brush.ts'

const LINE = 52

function drawWords({ dice, palette }: Brush, x: number, y: number, limit: number): string {
  const colors = [palette.main, palette.light, palette.spark, palette.light, palette.main] as const
  let left = x
  const words: string[] = []
  const count = dice.whole(2, 5)
  for (let index = 0; index < count && left < limit; index += 1) {
    const width = dice.between(46, 190)
    words.push(drawBox(left, y, width, 22, 11, `fill="${dice.pick(colors)}" fill-opacity="${index === 0 ? 1 : 0.72}"`))
    left += width + 18
  }
  return words.join('')
}

/** A page of source, too far away to be read. */
export const drawCodeLines: Motif = (brush) => {
  const { dice, palette } = brush
  const marked = dice.whole(4, 8)
  let depth = 0
  const lines = repeat(16, (index) => {
    const y = 20 + index * LINE
    depth = Math.max(0, Math.min(4, depth + dice.pick([-1, 0, 0, 1, 1])))
    if (dice.next() < 0.1) {
      depth = 0
      return ''
    }
    const mark =
      index === marked
        ? drawGlow(700, y + 11, 420, 0.5, 'spark') +
          drawBox(150, y - 14, 1240, 50, 8, `fill="${palette.main}" fill-opacity=".2"`) +
          drawBox(150, y - 14, 7, 50, 3, `fill="${palette.spark}"`)
        : ''
    return mark + drawCircle(112, y + 11, 6, `fill="${palette.deep}"`) + drawWords(brush, 186 + depth * 62, y, 1150)
  })
  return `<g transform="rotate(${dice.pick([-8, -6, -5, 5])} 640 360) translate(0 -50)">${drawGlow(520, 400, 620, 0.4)}${lines}</g>`
}
