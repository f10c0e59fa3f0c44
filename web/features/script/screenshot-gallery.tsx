import { type MouseEvent, Suspense, useState } from 'react'
import type { Screenshot } from '#contract/scripts.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

const loadLightbox = () => import('./lightbox.tsx')
const Lightbox = lazyComponent(async () => (await loadLightbox()).Lightbox)

const preload = () => void loadLightbox().catch(() => undefined)

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)

/** Thumbnails that open the screenshots in a dialog; without JavaScript they are links to the images. */
export function ScreenshotGallery({ screenshots }: { screenshots: readonly Screenshot[] }) {
  const [opened, setOpened] = useState<number>()
  return (
    <>
      <h3 className="text-base font-semibold">Screenshots</h3>
      <ul aria-label="Screenshots" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {screenshots.map(({ image, image_card, alt }, index) => (
          <li key={image}>
            <a
              href={image}
              target="_blank"
              onPointerEnter={preload}
              onFocus={preload}
              onClick={(event) => {
                if (!isPlainClick(event)) return
                event.preventDefault()
                setOpened(index)
              }}
              className="block aspect-video overflow-hidden rounded-md border border-line bg-surface-2 hover:border-line-strong"
            >
              <img
                src={image_card}
                alt={alt}
                width={480}
                height={270}
                loading="lazy"
                decoding="async"
                className="size-full object-cover"
              />
            </a>
          </li>
        ))}
      </ul>
      {opened !== undefined && (
        <Suspense>
          <Lightbox screenshots={screenshots} first={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  )
}
