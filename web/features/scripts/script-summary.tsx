import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import Eye from 'lucide-react/icons/eye'
import type { ReactNode } from 'react'
import { RatingStat } from '#web/components/rating-stat.tsx'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { fileSize, fullCount } from '#web/lib/numbers.ts'
import type { ScriptDetails } from './load-script.ts'

/** The figures by which scripts are compared, on one line. */
export function ScriptSummary({ script }: { script: ScriptDetails['script'] }) {
  return (
    <ul className="flex flex-wrap items-center gap-x-5 gap-y-2 text-muted tabular-nums">
      <Figure icon={<Eye aria-hidden className="size-4" />} words={script.view_count === 1 ? 'view' : 'views'}>
        {fullCount(script.view_count)}
      </Figure>
      <li className="flex items-center gap-1.5">
        <RatingStat average={script.rating_average} count={script.rating_count} />
        <span aria-hidden>({fullCount(script.rating_count)})</span>
      </li>
      <Figure
        icon={<ArrowDownToLine aria-hidden className="size-4" />}
        words={script.download_count === 1 ? 'download' : 'downloads'}
      >
        {fullCount(script.download_count)}
      </Figure>
      <li>{fileSize(script.file_size)}</li>
      <li className="wrap-anywhere">
        Version <bdi>{script.version}</bdi>
      </li>
      <li>
        Updated <RelativeTime iso={script.updated_at} />
      </li>
    </ul>
  )
}

function Figure({ icon, words, children }: { icon: ReactNode; words: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5">
      {icon}
      {children} {words}
    </li>
  )
}
