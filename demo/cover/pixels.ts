import { drawBox, drawGlow } from './brush.ts'
import type { Motif } from './brush.ts'

const CELL = 64
const COLUMNS = 20
const ROWS = 12
const MOVES = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
] as const

function drawCell(x: number, y: number, inset: number, style: string): string {
  return drawBox(x * CELL + inset, y * CELL - 24 + inset, CELL - inset * 2, CELL - inset * 2, 12, style)
}

/** An arcade board with something that winds across it. */
export const drawPixels: Motif = ({ dice, palette }) => {
  const board: string[] = []
  for (let y = 0; y < ROWS; y += 1) {
    for (let x = 0; x < COLUMNS; x += 1) {
      board.push(drawCell(x, y, 4, `fill="${palette.dusk}" fill-opacity="${(x + y) % 2 ? '.75' : '.4'}"`))
    }
  }

  const body = [{ x: 3, y: dice.whole(4, 7) }]
  let heading = 0
  for (let step = 0; step < 90 && body.length < 34; step += 1) {
    if (dice.next() < 0.34) heading = (heading + dice.pick([1, 3])) % 4
    const last = body[body.length - 1] ?? { x: 3, y: 5 }
    const move = MOVES[heading] ?? MOVES[0]
    const next = { x: last.x + move.x, y: last.y + move.y }
    const isInside = next.x > 1 && next.y > 1 && next.x < COLUMNS - 2 && next.y < ROWS - 2
    if (isInside && !body.some((cell) => cell.x === next.x && cell.y === next.y)) body.push(next)
    else heading = (heading + 1) % 4
  }

  const trail = body.map((cell, index) => {
    const isHead = index === body.length - 1
    const opacity = (0.35 + (0.65 * index) / body.length).toFixed(2)
    return drawCell(cell.x, cell.y, 3, `fill="${isHead ? palette.light : palette.main}" fill-opacity="${opacity}"`)
  })
  const treats = Array.from({ length: 5 }, () => {
    const cell = { x: dice.whole(1, COLUMNS - 2), y: dice.whole(1, ROWS - 2) }
    return (
      drawGlow(cell.x * CELL + 32, cell.y * CELL + 8, 92, 0.8, 'spark') +
      drawCell(cell.x, cell.y, 13, `fill="${palette.spark}"`)
    )
  })
  return board.join('') + drawGlow(640, 360, 460, 0.35) + treats.join('') + trail.join('')
}
