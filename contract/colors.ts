/** The colors that an accent color determines, and the check of its contrast (WCAG 2.2). The browser downloads this file. */

export type Theme = 'dark' | 'light'
export const THEMES: readonly Theme[] = ['dark', 'light']

export const MIN_CONTRAST = 4.5

/** Colors of web/styles.css on or beside which an accent color appears: backgrounds, text, and the tokens of code. */
export const THEME_COLORS = {
  dark: {
    surfaces: ['#0d0c12', '#15131c', '#1e1b28', '#2a2637'],
    texts: ['#f1eff7', '#aba5bd', '#4ade80', '#fbbf24', '#fb7185'],
    code: ['#9f98b2', '#d8a6ff', '#7cc7ff', '#ffb86b', '#8be39b', '#ffd0e4', '#b9b3ca'],
  },
  light: {
    surfaces: ['#faf9fd', '#ffffff', '#f1eff7', '#e4e0ee'],
    texts: ['#1b1725', '#5c5570', '#166534', '#854d0e', '#be123c'],
    code: ['#635d78', '#7e22ce', '#0b5cad', '#a14a00', '#14733a', '#a3155f', '#5c5570'],
  },
} as const satisfies Record<Theme, Record<'surfaces' | 'texts' | 'code', readonly string[]>>

export const DEFAULT_ACCENT: Readonly<Record<Theme, string>> = { dark: '#b79cff', light: '#6d28d9' }

const WHITE = '#ffffff'
const BLACK = '#000000'
/** Share of the accent color in the background of selected items. */
const SOFT_SHARE: Record<Theme, number> = { dark: 0.22, light: 0.12 }
const SOFT_STEP = 0.02
const HOVER_SHARE = 0.12
const STEPS = 256

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text)

const channels = (color: string): [number, number, number] => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
]

export function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(first: string, second: string): number {
  const [a, b] = [luminance(first), luminance(second)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** `share` of the second color and the rest of the first, from 0 to 1. */
function mix(first: string, second: string, share: number): string {
  const target = channels(second)
  const mixed = channels(first).map((channel, i) => Math.round(channel + ((target[i] ?? 0) - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

const worstContrast = (color: string, others: readonly string[]): number =>
  Math.min(...others.map((other) => contrast(color, other)))

/** The colors of a theme: text and links, buttons, the text on buttons, and the background of selected items. */
export interface AccentColors {
  accent: string
  hover: string
  soft: string
  onAccent: string
}

export function accentColors(theme: Theme, accent: string): AccentColors {
  const onAccent = contrast(accent, WHITE) >= contrast(accent, BLACK) ? WHITE : BLACK
  return {
    accent,
    onAccent,
    // Away from the text on it, so that the contrast rises.
    hover: mix(accent, onAccent === WHITE ? BLACK : WHITE, HOVER_SHARE),
    soft: softOf(theme, accent),
  }
}

/** The default button is darker than the default link; a chosen color replaces both. */
const DEFAULT_COLORS: Readonly<Record<Theme, AccentColors & { strong: string }>> = {
  dark: { accent: DEFAULT_ACCENT.dark, strong: '#7c3aed', hover: '#6d28d9', soft: '#2a1f4d', onAccent: WHITE },
  light: { accent: DEFAULT_ACCENT.light, strong: '#7c3aed', hover: '#6d28d9', soft: '#ede7fd', onAccent: WHITE },
}

/** The custom properties of web/styles.css for an accent color, or for the default one. */
export function accentTokens(theme: Theme, chosen: string | null): Record<string, string> {
  const colors = chosen === null ? DEFAULT_COLORS[theme] : { ...accentColors(theme, chosen), strong: chosen }
  return {
    '--accent': colors.accent,
    '--accent-strong': colors.strong,
    '--accent-hover': colors.hover,
    '--accent-soft': colors.soft,
    '--on-accent': colors.onAccent,
  }
}

/** The strongest tint on which every text can be read, and the code of selected lines. */
function softOf(theme: Theme, accent: string): string {
  const { surfaces, texts, code } = THEME_COLORS[theme]
  for (let share = SOFT_SHARE[theme]; share > 0; share -= SOFT_STEP) {
    const soft = mix(surfaces[1], accent, share)
    if (worstContrast(soft, [...texts, ...code, accent]) >= MIN_CONTRAST) return soft
  }
  return surfaces[1]
}

export interface AccentCheck {
  /** The lowest contrast of links with the backgrounds of the theme. */
  text: number
  button: number
  isReadable: boolean
}

export function checkAccent(theme: Theme, accent: string): AccentCheck {
  const { soft, onAccent } = accentColors(theme, accent)
  const text = worstContrast(accent, [...THEME_COLORS[theme].surfaces, soft])
  const button = contrast(accent, onAccent)
  return { text, button, isReadable: text >= MIN_CONTRAST && button >= MIN_CONTRAST }
}

/** The nearest tint (dark theme) or shade (light theme) of a color that can be read. */
export function nearestReadable(theme: Theme, accent: string): string {
  const target = theme === 'dark' ? WHITE : BLACK
  for (let step = 0; step < STEPS; step++) {
    const color = mix(accent, target, step / STEPS)
    if (checkAccent(theme, color).isReadable) return color
  }
  return target
}

/** A contrast ratio as text. Rounded down, so that 4.49 is not shown as enough. */
export const ratioText = (ratio: number): string => `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`

/** Describes insufficient contrast of a color in one sentence; undefined if the color is readable. */
export function describeAccentProblem(theme: Theme, accent: string): string | undefined {
  const { text, button, isReadable } = checkAccent(theme, accent)
  if (isReadable) return undefined
  const [subject, ratio] = text < MIN_CONTRAST ? ['Links', text] : ['Buttons', button]
  return `${subject} in this color are hard to read in the ${theme} theme: their contrast is ${ratioText(ratio)}, and 4.5:1 is needed.`
}
