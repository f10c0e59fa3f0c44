import { hashText } from './random.ts'

/** Six tones from the darkest ground to the brightest spark. */
export interface Palette {
  night: string
  dusk: string
  deep: string
  main: string
  light: string
  spark: string
}

const palettes = {
  violet: { night: '#0d0819', dusk: '#1e1240', deep: '#4c2a96', main: '#8b5cf6', light: '#c9b8ff', spark: '#f5a3ff' },
  indigo: { night: '#080a1c', dusk: '#121a44', deep: '#2f3fa0', main: '#6478f5', light: '#b4c2ff', spark: '#7ee0ff' },
  ocean: { night: '#041019', dusk: '#08283e', deep: '#0c5a86', main: '#1ea5e0', light: '#a5e4ff', spark: '#7df5d8' },
  teal: { night: '#041413', dusk: '#0a302f', deep: '#0e6b66', main: '#1fbfae', light: '#a5f5e6', spark: '#d8ff8c' },
  forest: { night: '#06120a', dusk: '#0f2c18', deep: '#1d6a38', main: '#37b863', light: '#b3f2c4', spark: '#ffe27a' },
  lime: { night: '#0c1104', dusk: '#212c0b', deep: '#55741a', main: '#9ccc2e', light: '#e2f7a3', spark: '#7de8ff' },
  amber: { night: '#150c03', dusk: '#38200a', deep: '#8a4d0f', main: '#f0a022', light: '#ffdc9a', spark: '#ff7d62' },
  sunset: { night: '#160712', dusk: '#3b1036', deep: '#96285f', main: '#f2617a', light: '#ffc0b0', spark: '#ffd166' },
  rose: { night: '#16060e', dusk: '#3c0d26', deep: '#98205a', main: '#ee4c8c', light: '#ffb7d3', spark: '#b99cff' },
  slate: { night: '#0a0c12', dusk: '#1a2030', deep: '#3f4d6b', main: '#8798bd', light: '#d5deef', spark: '#a78bfa' },
} satisfies Record<string, Palette>

type PaletteName = keyof typeof palettes

export const paletteNames = Object.keys(palettes)

function isPaletteName(name: string): name is PaletteName {
  return Object.hasOwn(palettes, name)
}

/** The palette of that name, or one that follows from the text. */
export function choosePalette(name: string | undefined, text: string): Palette {
  if (name !== undefined && isPaletteName(name)) return palettes[name]
  const list = Object.values(palettes)
  return list[hashText(text) % list.length] ?? palettes.violet
}
