import { useEffect, useRef, useState } from 'react'
import { type AvatarSources, avatarSources } from '#web/lib/avatar.ts'
import { useRootData } from '#web/lib/root-data.ts'

const sizes = { small: 'size-6', medium: 'size-10', large: 'size-16', huge: 'size-24 sm:size-28' }
const pixels = { small: 24, medium: 40, large: 64, huge: 112 }

/**
 * A member's round avatar, 40 px by default. Shows an initial until an image is loaded, and tries the next source if one
 * fails. Decorative: the name is always next to it.
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
  // Twice the displayed size, for high-density screens. Small avatars share one size, which helps caching.
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
      <Images key={sources.join(' ')} sources={sources} side={pixels[size]} />
    </span>
  )
}

/** The first source that loads. */
function Images({ sources, side }: { sources: readonly string[]; side: number }) {
  const [index, setIndex] = useState(0)
  const source = sources[index]
  if (source === undefined) return null
  return <Image key={source} source={source} side={side} onFail={() => setIndex(index + 1)} />
}

function Image({ source, side, onFail }: { source: string; side: number; onFail: () => void }) {
  // False on the server, so that the image is visible without JavaScript.
  const [isLoading, setLoading] = useState(false)
  const image = useRef<HTMLImageElement>(null)

  // Images that loaded or failed before hydration fired no events.
  useEffect(() => {
    const element = image.current
    if (element?.complete === false) setLoading(true)
    else if (element?.naturalWidth === 0) onFail()
  }, [onFail])

  return (
    <img
      ref={image}
      src={source}
      alt=""
      width={side}
      height={side}
      loading="lazy"
      decoding="async"
      onLoad={() => setLoading(false)}
      onError={onFail}
      className={`relative size-full object-cover transition-opacity duration-150 motion-reduce:transition-none ${isLoading ? 'opacity-0' : ''}`}
    />
  )
}
