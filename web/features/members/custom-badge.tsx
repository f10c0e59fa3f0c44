import { useLayoutEffect, useRef } from 'react'
import { textOn } from './badge-contrast.ts'

const HEX = /^#[0-9a-f]{6}$/i

/** A badge that admins gave, in its own colour once the page lives: styles in the markup are refused. */
export function CustomBadge({ text, color }: { text: string; color: string }) {
  const badge = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (!badge.current || !HEX.test(color)) return
    badge.current.style.backgroundColor = color
    badge.current.style.color = textOn(color)
  }, [color])
  return (
    <span
      ref={badge}
      className="inline-flex min-h-6 max-w-full items-center rounded-sm bg-surface-3 px-2 text-xs font-medium wrap-anywhere text-text"
    >
      <bdi>{text}</bdi>
    </span>
  )
}
