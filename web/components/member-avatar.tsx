import { useEffect, useRef, useState } from 'react'
import { type AvatarSources, avatarSources } from '#web/lib/avatar.ts'
import { useRootData } from '#web/lib/root-data.ts'

const sizes = { small: 'size-6', medium: 'size-10', large: 'size-16', huge: 'size-24 sm:size-28' }
const pixels = { small: 24, medium: 40, large: 64, huge: 112 }

/**
 * A member's round picture, 40 px unless told. Its letter stands in until the picture is loaded, and each picture that
 * fails makes way for the next of the member's sources. Decoration: the name always stands beside it.
 */
export function MemberAvatar({
  member,
  name,
  size = 'medium',
}: {
  member: AvatarSources
  name: string
  size?: keyof typeof sizes
}) {
  // Twice the side, for dense screens; small ones all share one size at Discord's.
  const sources = avatarSources(member, useRootData().site.discord_cdn_url, size === 'huge' ? 256 : undefined)
  return (
    <span
      className={`relative inline-flex shrink-0 overflow-hidden rounded-full bg-surface-3 text-muted select-none ${sizes[size]}`}
    >
      <svg viewBox="0 0 40 40" aria-hidden className="absolute inset-0 fill-current font-semibold">
        <text x="20" y="21" fontSize="16" textAnchor="middle" dominantBaseline="central">
          {String.fromCodePoint(name.codePointAt(0) ?? 63).toUpperCase()}
        </text>
      </svg>
      <Pictures key={sources.join(' ')} sources={sources} side={pixels[size]} />
    </span>
  )
}

/** The first source that loads. */
function Pictures({ sources, side }: { sources: readonly string[]; side: number }) {
  const [index, setIndex] = useState(0)
  const source = sources[index]
  if (source === undefined) return null
  return <Picture key={source} source={source} side={side} onFail={() => setIndex(index + 1)} />
}

type State = 'idle' | 'loading' | 'loaded'

function Picture({ source, side, onFail }: { source: string; side: number; onFail: () => void }) {
  // Idle, as the server sends it, shows the picture as it arrives: it needs no script to be seen.
  const [state, setState] = useState<State>('idle')
  const picture = useRef<HTMLImageElement>(null)

  // What loaded or failed before the page came to life told nobody.
  useEffect(() => {
    const shown = picture.current
    if (!shown) return
    if (!shown.complete) setState('loading')
    else if (shown.naturalWidth > 0) setState('loaded')
    else onFail()
  }, [onFail])

  return (
    <img
      ref={picture}
      src={source}
      alt=""
      width={side}
      height={side}
      loading="lazy"
      decoding="async"
      onLoad={() => setState('loaded')}
      onError={onFail}
      className={`relative size-full object-cover transition-opacity duration-150 motion-reduce:transition-none ${state === 'loading' ? 'opacity-0' : ''}`}
    />
  )
}
