import type { CSSProperties } from 'react'
import { accentTokens, isColor, THEME_COLORS, type Theme } from '#contract/colors.ts'

interface Props {
  theme: Theme
  name: string
  tagline: string
  /** URL of the logo; undefined for the default. */
  logo: string | undefined
  /** Null for the default color. */
  accent: string | null
}

const NAMES: Record<Theme, string> = { dark: 'Dark theme', light: 'Light theme' }

const LINES: Record<Theme, readonly [line: string, strong: string]> = {
  dark: ['#2f2b3d', '#7b7590'],
  light: ['#ddd8ea', '#857d9c'],
}

/** The tokens of a theme with its accent color, for everything inside an element. */
function themeStyle(theme: Theme, accent: string | null): CSSProperties {
  const { surfaces, texts } = THEME_COLORS[theme]
  const style: Record<string, string> = {
    colorScheme: theme,
    ...accentTokens(theme, accent !== null && isColor(accent) ? accent : null),
    '--text': texts[0],
    '--muted': texts[1],
    '--line': LINES[theme][0],
    '--line-strong': LINES[theme][1],
  }
  for (const [index, color] of surfaces.entries()) style[`--surface-${index}`] = color
  return style
}

/** A small preview of the home page in one theme. */
export function BrandingPreview({ theme, name, tagline, logo, accent }: Props) {
  return (
    <figure className="min-w-0">
      <figcaption className="pb-1.5 text-sm text-muted">{NAMES[theme]}</figcaption>
      <div
        inert
        style={themeStyle(theme, accent)}
        className="overflow-hidden rounded-md border border-line bg-surface-0 text-text forced-color-adjust-none"
      >
        <div className="flex items-center gap-2 border-b border-line bg-surface-1 px-3 py-2">
          {logo ? (
            <img src={logo} alt="" width={32} height={32} className="size-6 object-contain" />
          ) : (
            <span className="grid size-6 place-items-center rounded-sm bg-accent-strong font-mono text-xs text-on-accent">
              {'</>'}
            </span>
          )}
          <span className="min-w-0 flex-1 truncate font-semibold">
            <bdi>{name}</bdi>
          </span>
          <span className="rounded-sm bg-accent-soft px-2 py-1 text-xs text-accent">Scripts</span>
          <span className="px-1 py-1 text-xs text-muted">Popular</span>
        </div>
        <div className="flex flex-col gap-2.5 border-b border-line bg-surface-1 px-4 py-4 text-center">
          <p className="text-lg leading-tight font-bold wrap-anywhere">
            <bdi>{name}</bdi>
          </p>
          <p className="text-xs text-balance text-muted wrap-anywhere">
            <bdi>{tagline}</bdi>
          </p>
          <div className="flex justify-center gap-2">
            <span className="min-w-0 flex-1 truncate rounded-sm border border-line-strong bg-surface-0 px-2 py-1 text-left text-xs text-muted">
              Search scripts or #tag...
            </span>
            <span className="rounded-sm bg-accent-strong px-2.5 py-1 text-xs font-medium text-on-accent">Search</span>
          </div>
        </div>
        <div className="grid grid-cols-2 gap-2 p-3">
          <div className="rounded-sm border border-line bg-surface-1 p-2">
            <div className="aspect-video rounded-sm bg-accent-soft" />
            <p className="pt-1.5 text-xs font-medium">A script</p>
            <p className="text-xs text-accent underline">A link</p>
          </div>
          <div className="rounded-sm border border-accent bg-surface-1 p-2">
            <div className="aspect-video rounded-sm bg-surface-2" />
            <p className="pt-1.5 text-xs font-medium">In focus</p>
            <p className="text-xs text-muted">by a member</p>
          </div>
        </div>
      </div>
    </figure>
  )
}
