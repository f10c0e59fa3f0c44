import { drawBox, drawCircle, drawLine, drawPolygon, repeat } from '#demo/cover/brush.ts'
import type { Brush } from '#demo/cover/brush.ts'
import { choosePalette } from '#demo/cover/palettes.ts'
import { createDice } from '#demo/cover/random.ts'
import { drawFighter, drawFrame, drawText, drawWindow, drawWorld, textWidth } from './screenshots/scene.ts'

interface DemoScreenshot {
  alt: string
  /** Draws on a canvas of 1280 x 720. */
  draw: (brush: Brush) => string
}

function drawToggle({ palette }: Brush, x: number, y: number, isOn: boolean): string {
  return (
    drawBox(x, y, 96, 44, 22, `fill="${isOn ? palette.spark : palette.deep}"`) +
    drawCircle(x + (isOn ? 74 : 22), y + 22, 16, `fill="${palette.night}"`)
  )
}

function drawSlider({ palette }: Brush, x: number, y: number, percent: number): string {
  const width = 260
  return (
    drawBox(x, y + 16, width, 12, 6, `fill="${palette.deep}"`) +
    drawBox(x, y + 16, (width * percent) / 100, 12, 6, `fill="${palette.main}"`) +
    drawCircle(x + (width * percent) / 100, y + 22, 18, `fill="${palette.light}"`) +
    drawText(`${percent}%`, { x: x + width + 40, y: y + 8 }, 4, palette.light)
  )
}

function drawSettings(brush: Brush): string {
  const { palette } = brush
  const rows: [label: string, control: (y: number) => string][] = [
    ['Music', (y) => drawSlider(brush, 640, y, 70)],
    ['Effects', (y) => drawSlider(brush, 640, y, 45)],
    ['Camera shake', (y) => drawToggle(brush, 940, y, true)],
    ['Low graphics', (y) => drawToggle(brush, 940, y, false)],
  ]
  return (
    drawWorld(brush) +
    drawWindow(brush, { x: 200, y: 90 }, 880, 540, 'Settings') +
    rows
      .map(([label, control], i) => {
        const y = 222 + i * 98
        return drawText(label, { x: 240, y: y + 6 }, 4.5, palette.light) + control(y)
      })
      .join('')
  )
}

function drawChoices(brush: Brush): string {
  const { palette } = brush
  const names = ['Easy', 'Normal', 'Hard', 'Nightmare']
  return (
    drawWorld(brush) +
    drawWindow(brush, { x: 330, y: 80 }, 620, 560, 'Difficulty') +
    names
      .map((name, i) => {
        const y = 204 + i * 106
        const isChosen = i === 1
        const fill = isChosen ? palette.main : palette.dusk
        return (
          drawBox(370, y, 540, 82, 16, `fill="${fill}"`) +
          drawText(name, { x: 410, y: y + 24 }, 5, isChosen ? palette.night : palette.light) +
          (isChosen ? drawCircle(866, y + 41, 16, `fill="${palette.night}"`) : '')
        )
      })
      .join('')
  )
}

const CELL = 36

/** A board of sixteen by sixteen cells. `body` lists cells from the head. */
function drawSnake(brush: Brush, body: [column: number, row: number][], score: string, isOver: boolean): string {
  const { palette } = brush
  const cell = (column: number, row: number) => [352 + column * CELL, 96 + row * CELL] as const
  const cells = repeat(256, (i) => {
    const [x, y] = cell(i % 16, Math.floor(i / 16))
    return (i + Math.floor(i / 16)) % 2 === 0 ? drawBox(x, y, CELL, CELL, 0, `fill="${palette.dusk}"`) : ''
  })
  const snake = body.map(([column, row], i) => {
    const [x, y] = cell(column, row)
    return drawBox(x + 2, y + 2, CELL - 4, CELL - 4, 9, `fill="${i === 0 ? palette.light : palette.main}"`)
  })
  const [appleX, appleY] = cell(11, 4)
  const title = 'Game over'
  const over =
    drawBox(352, 96, 576, 576, 0, `fill="${palette.night}" fill-opacity=".75"`) +
    drawText(title, { x: 640 - textWidth(title, 8) / 2, y: 330 }, 8, palette.spark) +
    drawText('Tap to play', { x: 640 - textWidth('Tap to play', 5) / 2, y: 420 }, 5, palette.light)
  return (
    `<rect width="1280" height="720" fill="${palette.night}"/>` +
    drawBox(346, 90, 588, 588, 8, `fill="${palette.night}" stroke="${palette.deep}" stroke-width="4"`) +
    cells +
    snake.join('') +
    drawCircle(appleX + CELL / 2, appleY + CELL / 2, 14, `fill="${palette.spark}"`) +
    drawText(`Score ${score}`, { x: 352, y: 34 }, 5, palette.light) +
    drawText('Best 41', { x: 928 - textWidth('Best 41', 5), y: 34 }, 5, palette.main) +
    (isOver ? over : '')
  )
}

function drawToast({ palette }: Brush, y: number, fill: string, texts: [string, string]): string {
  return (
    drawBox(806, y + 8, 440, 116, 16, 'fill="#000" fill-opacity=".35"') +
    drawBox(800, y, 440, 116, 16, `fill="${palette.night}" fill-opacity=".94" stroke="${fill}" stroke-width="3"`) +
    drawBox(800, y, 12, 116, 6, `fill="${fill}"`) +
    drawText(texts[0], { x: 840, y: y + 26 }, 4, palette.light) +
    drawText(texts[1], { x: 840, y: y + 70 }, 3, palette.main)
  )
}

const drawToasts =
  (toasts: [string, string][]) =>
  (brush: Brush): string => {
    const { palette } = brush
    const fills = [palette.main, palette.spark, palette.light, palette.deep]
    return (
      drawWorld(brush) +
      drawFighter(brush, { x: 420, y: 610 }, 52) +
      toasts.map((texts, i) => drawToast(brush, 36 + i * 138, fills[i % fills.length] ?? palette.main, texts)).join('')
    )
  }

/** A bar over a head: what is left, and as a pale trail what the last hit took. */
function drawHealth(brush: Brush, x: number, y: number, [left, trail]: [number, number]): string {
  const { palette } = brush
  const width = 200
  return (
    drawBox(x - width / 2 - 5, y - 5, width + 10, 32, 12, `fill="${palette.night}"`) +
    drawBox(x - width / 2, y, (width * trail) / 100, 22, 9, `fill="${palette.light}"`) +
    drawBox(x - width / 2, y, (width * left) / 100, 22, 9, `fill="${palette.main}"`)
  )
}

function drawArena(brush: Brush): string {
  const fighters: [x: number, y: number, size: number, health: [number, number]][] = [
    [330, 540, 38, [80, 80]],
    [900, 560, 42, [35, 62]],
    [620, 660, 56, [55, 90]],
  ]
  return (
    drawWorld(brush) +
    fighters
      .map(
        ([x, y, size, health]) =>
          drawFighter(brush, { x, y }, size) + drawHealth(brush, x, y - size * 4.7 - 56, health),
      )
      .join('')
  )
}

function drawHotbar(brush: Brush): string {
  const { palette } = brush
  return (
    drawWorld(brush) +
    drawFighter(brush, { x: 640, y: 560 }, 46) +
    repeat(10, (i) => {
      const x = 166 + i * 96
      const isChosen = i === 2
      const stroke = `stroke="${isChosen ? palette.spark : palette.deep}" stroke-width="${isChosen ? 6 : 3}"`
      const icon = [
        drawCircle(x + 42, 650, 20, `fill="${palette.light}"`),
        drawBox(x + 22, 636, 40, 28, 6, `fill="${palette.main}"`),
        drawPolygon(
          [
            { x: x + 42, y: 626 },
            { x: x + 64, y: 668 },
            { x: x + 20, y: 668 },
          ],
          `fill="${palette.spark}"`,
        ),
      ][i % 3]
      return (
        drawBox(x, 604, 84, 84, 14, `fill="${palette.night}" fill-opacity=".9" ${stroke}`) +
        (i < 6 ? icon : '') +
        drawText(String((i + 1) % 10), { x: x + 9, y: 612 }, 2.5, palette.light)
      )
    })
  )
}

function drawOverlay(brush: Brush): string {
  const { palette } = brush
  const lines: [string, string][] = [
    ['Frames', '60'],
    ['Slowest', '21 ms'],
    ['Ping', '48 ms'],
    ['Memory', '612 MB'],
    ['Physics', '1.8 ms'],
  ]
  const graph = repeat(48, (i) => {
    const height = i === 31 ? 92 : brush.dice.between(18, 34)
    const fill = i === 31 ? palette.spark : palette.main
    return drawBox(66 + i * 9, 470 - height, 7, height, 2, `fill="${fill}"`)
  })
  return (
    drawWorld(brush) +
    drawFighter(brush, { x: 860, y: 640 }, 54) +
    drawBox(40, 36, 490, 460, 16, `fill="${palette.night}" fill-opacity=".92"`) +
    lines
      .map(([label, value], i) => {
        const y = 70 + i * 58
        return (
          drawText(label, { x: 66, y }, 4, palette.light) +
          drawText(value, { x: 504 - textWidth(value, 4), y }, 4, i === 1 ? palette.spark : palette.main)
        )
      })
      .join('') +
    drawLine({ x: 66, y: 470 }, { x: 504, y: 470 }, `stroke="${palette.deep}" stroke-width="3"`) +
    graph
  )
}

function drawTicTacToe(brush: Brush): string {
  const { palette } = brush
  const cross = `stroke="${palette.spark}" stroke-width="22" stroke-linecap="round"`
  const marks = 'X.OOX..OX'
  const status = 'You win!'
  return (
    `<rect width="1280" height="720" fill="${palette.night}"/>` +
    repeat(9, (i) => {
      const [x, y] = [370 + (i % 3) * 184, 60 + Math.floor(i / 3) * 184]
      const box = drawBox(x, y, 172, 172, 20, `fill="${palette.dusk}"`)
      if (marks[i] === 'O')
        return box + drawCircle(x + 86, y + 86, 50, `fill="none" stroke="${palette.main}" stroke-width="22"`)
      if (marks[i] === '.') return box
      return (
        box +
        drawLine({ x: x + 44, y: y + 44 }, { x: x + 128, y: y + 128 }, cross) +
        drawLine({ x: x + 128, y: y + 44 }, { x: x + 44, y: y + 128 }, cross)
      )
    }) +
    drawText(status, { x: 640 - textWidth(status, 7) / 2, y: 640 }, 7, palette.light)
  )
}

const SNAKE: [number, number][] = [
  [7, 4],
  [6, 4],
  [5, 4],
  [4, 4],
  [4, 5],
  [4, 6],
  [5, 6],
  [6, 6],
  [7, 6],
  [8, 6],
  [8, 7],
]
const LONG_SNAKE: [number, number][] = Array.from({ length: 34 }, (_, i) => [15 - (i % 12), 6 + Math.floor(i / 12)])

export const demoScreenshots: Record<string, DemoScreenshot[]> = {
  'settings-menu.luau': [
    { alt: 'The menu with two sliders and two switches over a game', draw: drawSettings },
    { alt: 'A setting with four choices, opened', draw: drawChoices },
  ],
  'snake.luau': [
    { alt: 'The board with the snake on its way to an apple', draw: (brush) => drawSnake(brush, SNAKE, '8', false) },
    {
      alt: 'The end of a game, with a button to play again',
      draw: (brush) => drawSnake(brush, LONG_SNAKE, '31', true),
    },
  ],
  'toast-stack.luau': [
    {
      alt: 'Three messages at the top right',
      draw: drawToasts([
        ['Saved', 'Your progress is safe.'],
        ['New badge', 'First jump over lava'],
        ['Ivo joined', 'Say hello!'],
      ]),
    },
    {
      alt: 'Five messages, the most that are shown at once',
      draw: drawToasts(['Wood +1', 'Stone +2', 'Wood +1', 'Gold +1', 'Bag full'].map((text) => [text, '+10 points'])),
    },
  ],
  'health-bar.luau': [{ alt: 'Three fighters with bars over their heads, two of them hit', draw: drawArena }],
  'hotbar.luau': [{ alt: 'Ten slots at the bottom, six with tools, the third chosen', draw: drawHotbar }],
  'performance-overlay.luau': [
    {
      alt: 'Frame rate, slowest frame, ping, memory and physics in the corner, with one slow frame',
      draw: drawOverlay,
    },
  ],
  'tic-tac-toe.luau': [{ alt: 'A game won with a diagonal', draw: drawTicTacToe }],
}

/** Draws a screenshot of a demo script as an SVG document of 1280 x 720. */
export function drawScreenshot(
  { file, palette }: { file: string; palette: string },
  { alt, draw }: DemoScreenshot,
): string {
  const brush = { dice: createDice(`${file} ${alt}`), palette: choosePalette(palette, file) }
  return drawFrame(brush, draw(brush))
}
