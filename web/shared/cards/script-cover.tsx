import type { ReactNode } from 'react'

interface Props {
  title: string
  /** Path of the image, or empty. */
  src: string
  width: number
  height: number
  isEager?: boolean
  isFirst?: boolean
}

/** A script's 16:9 cover, or one generated from its title. Decorative: the title is always shown beside it. */
export function ScriptCover({ title, src, width, height, isEager = false, isFirst = false }: Props) {
  if (!src) return <DrawnCover art={coverArt(title)} />
  return (
    <img
      src={src}
      alt=""
      width={width}
      height={height}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      className="size-full object-cover"
    />
  )
}

export function DrawnCover({ art }: { art: CoverArt }) {
  const gradient = `cover-${art.key}`
  return (
    <svg viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice" aria-hidden className="size-full">
      <linearGradient id={gradient} x2="1" y2="1">
        <stop stopColor={art.from} />
        <stop offset="1" stopColor={art.to} />
      </linearGradient>
      <rect width="320" height="180" fill={`url(#${gradient})`} />
      {motifs[art.motif](Math.round(40 + art.shift * 240))}
      <text x="160" y="92" textAnchor="middle" dominantBaseline="central" fontSize="64" fontWeight="700" fill="#fff">
        {art.letters}
      </text>
    </svg>
  )
}

const white = { fill: '#fff', fillOpacity: 0.07 }

const motifs: Record<CoverMotif, (x: number) => ReactNode> = {
  rings: (x) => (
    <g fill="none" stroke="#fff" strokeOpacity="0.1" strokeWidth="14">
      <circle cx={x} cy="150" r="40" />
      <circle cx={x} cy="150" r="85" />
      <circle cx={x} cy="150" r="130" />
    </g>
  ),
  stripes: (x) => (
    <path
      {...white}
      d={`M${x} 0h36L${x - 144} 180h-36zM${x + 80} 0h60L${x - 40} 180h-60zM${x - 90} 0h20L${x - 250} 180h-20z`}
    />
  ),
  hills: (x) => (
    <g {...white}>
      <path d={`M0 180V120Q${x / 2} 60 ${x} 120T320 100V180z`} />
      <path d={`M0 180V150Q${x} 70 ${(x + 320) / 2} 140T320 150V180z`} />
    </g>
  ),
  blocks: (x) => (
    <g {...white}>
      <rect x={x - 100} y="20" width="70" height="70" rx="12" />
      <rect x={x} y="60" width="100" height="100" rx="16" />
      <rect x={x - 60} y="110" width="44" height="44" rx="10" />
    </g>
  ),
}

/** Gradient colors, dark enough for white letters. */
const PALETTES = [
  ['#5b21b6', '#1e1b4b'],
  ['#6d28d9', '#134e6f'],
  ['#86198f', '#312e81'],
  ['#1d4ed8', '#2e1065'],
  ['#0f766e', '#1e1b4b'],
  ['#9d174d', '#3b0764'],
  ['#0e7490', '#3730a3'],
  ['#a21caf', '#0f3d5e'],
] as const

export const COVER_MOTIFS = ['rings', 'stripes', 'hills', 'blocks'] as const
export type CoverMotif = (typeof COVER_MOTIFS)[number]

/** The cover generated for a script without an image. Derived from the title alone. */
export interface CoverArt {
  key: string
  from: string
  to: string
  motif: CoverMotif
  /** The horizontal position of the motif, from 0 to 1. */
  shift: number
  letters: string
}

// FNV-1a with a final mix, so that titles that differ only in their last letter look different.
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  return (value ^ (value >>> 15)) >>> 0
}

/** The first letter or digit of each of the first two words. */
export function coverLetters(title: string): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase())
    .join('')
}

export function coverArt(title: string): CoverArt {
  const number = hash(title)
  const [from, to] = PALETTES[number % PALETTES.length] ?? PALETTES[0]
  const motif = COVER_MOTIFS[(number >>> 8) % COVER_MOTIFS.length] ?? 'rings'
  return {
    key: number.toString(36),
    from,
    to,
    motif,
    shift: ((number >>> 16) & 0xff) / 255,
    letters: coverLetters(title),
  }
}
