import type { ReactNode } from 'react'
import { type CoverArt, type CoverMotif, coverArt } from './cover-art.ts'

interface Props {
  title: string
  /** Path of the picture, empty when there is none. */
  src: string
  width: number
  height: number
  isEager?: boolean
  isFirst?: boolean
}

/** A script's 16:9 cover, or a picture drawn from its title. Decoration: the title always stands beside it. */
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

/** The picture without its frame. */
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

/** By where they stand. */
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
