import Info from 'lucide-react/icons/info'
import type { DuplicateOf } from '#contract/duplicates.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { scriptPath } from '#web/shared/script-paths.ts'

/** Tells the author whose code this is, before it is published. The region exists before its text, so that it is announced. */
export function DuplicateNote({ duplicate }: { duplicate: DuplicateOf | null }) {
  return (
    <output className="empty:absolute">
      {duplicate && (
        <span className="flex items-start gap-3 rounded-md border border-line bg-surface-1 p-3">
          <Info aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
          <span className="min-w-0 wrap-anywhere">
            {duplicate.exact ? 'Identical to' : 'The same code as'}{' '}
            <a href={scriptPath(duplicate)} target="_blank" className="font-medium text-accent underline">
              <bdi>{duplicate.title}</bdi>
            </a>{' '}
            by <bdi>{duplicate.author}</bdi>, published <RelativeTime iso={duplicate.published_at} />.
          </span>
        </span>
      )}
    </output>
  )
}
