import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Screenshot } from '#contract/scripts.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

/** Horizontal distance in pixels from which a touch counts as a swipe. */
const SWIPE = 48

interface Props {
  screenshots: readonly Screenshot[]
  /** Index of the screenshot to show first. */
  first: number
  onClose: () => void
}

/** Shows screenshots one at a time, in full size. Moves by buttons, arrow keys and swipes. */
export function Lightbox({ screenshots, first, onClose }: Props) {
  const [index, setIndex] = useState(first)
  // The dialog announces the first screenshot itself.
  const [hasMoved, setMoved] = useState(false)
  const touchStart = useRef<number>(undefined)
  const count = screenshots.length
  const shown = screenshots[index]
  const move = (steps: number) => {
    setIndex((index + steps + count) % count)
    setMoved(true)
  }
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (steps === undefined || count < 2) return
    event.preventDefault()
    move(steps)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  if (!shown) return null
  const { image, alt, width, height } = shown
  return (
    <Dialog size="xl" title={count > 1 ? `Screenshot ${index + 1} of ${count}` : 'Screenshot'} onClose={onClose}>
      <figure
        onTouchStart={({ touches }) => {
          touchStart.current = touches.length === 1 ? touches[0]?.clientX : undefined
        }}
        onTouchEnd={({ changedTouches }) => {
          const distance = (changedTouches[0]?.clientX ?? 0) - (touchStart.current ?? Number.NaN)
          if (Math.abs(distance) >= SWIPE && count > 1) move(distance < 0 ? 1 : -1)
        }}
        className="flex flex-col gap-3"
      >
        {/* The same box for every image, so that the buttons stay in place. */}
        <div className="aspect-square max-h-[60dvh] overflow-hidden rounded-sm bg-surface-0 sm:aspect-video">
          <img key={image} src={image} alt={alt} width={width} height={height} className="size-full object-contain" />
        </div>
        <figcaption className="flex items-center gap-2">
          {count > 1 && <IconButton icon={ChevronLeft} label="Previous screenshot" onClick={() => move(-1)} />}
          <bdi aria-hidden className="min-w-0 flex-1 text-center wrap-anywhere">
            {alt}
          </bdi>
          {count > 1 && <IconButton icon={ChevronRight} label="Next screenshot" onClick={() => move(1)} />}
        </figcaption>
        <output className="sr-only">{hasMoved && `${index + 1} of ${count}: ${alt}`}</output>
      </figure>
    </Dialog>
  )
}
