export interface DemoScreenshot {
  /** Name of the file in demo/images/screenshots, without its ending. */
  image: string
  alt: string
}

const name = (file: string, number: number) => `${file.replace('.luau', '')}-${number}`

/** By file name of the script, in the order in which they are shown. */
export const demoScreenshots: ReadonlyMap<string, readonly DemoScreenshot[]> = new Map(
  Object.entries({
    'settings-menu.luau': [
      'The menu with two sliders and two switches over a game',
      'A setting with four choices, opened',
    ],
    'snake.luau': ['The board with the snake on its way to an apple', 'The end of a game, with a button to play again'],
    'toast-stack.luau': ['Three messages at the top right', 'Five messages, the most that are shown at once'],
    'health-bar.luau': ['Three fighters with bars over their heads, two of them hit'],
    'hotbar.luau': ['Ten slots at the bottom, six with tools, the third chosen'],
    'performance-overlay.luau': [
      'Frame rate, slowest frame, ping, memory and physics in the corner, with one slow frame',
    ],
    'tic-tac-toe.luau': ['A game won with a diagonal'],
  }).map(([file, alts]) => [file, alts.map((alt, i) => ({ image: name(file, i + 1), alt }))]),
)
