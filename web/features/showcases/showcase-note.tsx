import Play from 'lucide-react/icons/play'
import type { Card } from '#contract/catalogue.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { buttonClass } from '#web/ui/button.tsx'

type Showcase = Pick<Card, 'showcase_date' | 'showcase_notes' | 'showcase_video_url' | 'title'>

/** When and why a script was showcased. Its video is a link: nothing of another site is loaded with the page. */
export function ShowcaseNote({ card }: { card: Showcase }) {
  const { showcase_date, showcase_notes, showcase_video_url, title } = card
  return (
    <div className="rounded-md border border-line bg-surface-1 p-3">
      {showcase_date && (
        <p className="text-xs text-muted">
          Showcased <RelativeTime iso={showcase_date} />
        </p>
      )}
      {showcase_notes && (
        <p dir="auto" className="mt-1 wrap-anywhere">
          {showcase_notes}
        </p>
      )}
      {showcase_video_url && (
        <a
          href={showcase_video_url}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass('secondary', 'sm', 'mt-2')}
        >
          <Play aria-hidden className="size-4" />
          Watch the video
          <span className="sr-only"> of {title} on YouTube</span>
        </a>
      )}
    </div>
  )
}
