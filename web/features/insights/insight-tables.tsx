import type { ReactNode } from 'react'
import { Link } from '#web/router/router.tsx'
import type { DayInsights, ScriptInsights } from '#contract/insights.ts'
import { dayText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'

interface Counts {
  views: number
  downloads: number
  ratings: number
  average_rating: number | null
}

interface Row extends Counts {
  key: number
  name: string
  to?: string
}

const headClass = 'px-3 py-2 font-medium whitespace-nowrap'
const cellClass = 'border-t border-line px-3 py-2'

const COLUMNS = ['Views', 'Downloads', 'Ratings', 'Average'] as const

function CountCells({ views, downloads, ratings, average_rating }: Counts) {
  return (
    <>
      <td className={cellClass}>{fullCount(views)}</td>
      <td className={cellClass}>{fullCount(downloads)}</td>
      <td className={cellClass}>{fullCount(ratings)}</td>
      <td className={cellClass}>{average_rating === null ? '–' : average_rating.toFixed(1)}</td>
    </>
  )
}

function Table({ label, first, children }: { label: string; first: string; children: ReactNode }) {
  return (
    <section aria-label={label} tabIndex={0} className="max-h-96 overflow-auto">
      <table className="w-full border-separate border-spacing-0 text-right tabular-nums">
        <thead className="sticky top-0 bg-surface-1 text-muted">
          <tr>
            <th scope="col" className={`${headClass} text-left`}>
              {first}
            </th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className={headClass}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

/** The values behind the charts, newest day first. */
export function DayTable({ days }: { days: readonly DayInsights[] }) {
  return (
    <Table label="Statistics by day" first="Day">
      {days.toReversed().map((day) => (
        <tr key={day.day}>
          <th scope="row" className={`${cellClass} text-left font-normal whitespace-nowrap`}>
            {dayText(day.day)}
          </th>
          <CountCells {...day} />
        </tr>
      ))}
    </Table>
  )
}

/** Scripts or versions with their counts. */
export function CountTable({ title, rows }: { title: 'Scripts' | 'Versions'; rows: readonly Row[] }) {
  return (
    <Panel title={title} heading="h2">
      {rows.length === 0 ? (
        <p className="text-muted">No visits in this period.</p>
      ) : (
        <Table label={`Statistics by ${title === 'Scripts' ? 'script' : 'version'}`} first={title.slice(0, -1)}>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row" className={`${cellClass} max-w-60 truncate text-left font-medium`}>
                {row.to ? (
                  <Link to={row.to} className="rounded-sm hover:text-accent hover:underline">
                    {row.name}
                  </Link>
                ) : (
                  row.name
                )}
              </th>
              <CountCells {...row} />
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  )
}

/** Hosts that linked to the scripts, with their share of all views. */
export function Referrers({ referrers, views }: { referrers: ScriptInsights['referrers']; views: number }) {
  const known = referrers.reduce((total, { views: some }) => total + some, 0)
  const rows = [
    ...referrers.map(({ host, views: some }) => ({ name: host || 'Other sites', count: some })),
    { name: 'Direct or unknown', count: Math.max(views - known, 0) },
  ].filter(({ count }) => count > 0)
  const max = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <Panel title="Referrers" heading="h2">
      {rows.length === 0 ? (
        <p className="text-muted">No views in this period.</p>
      ) : (
        <ul className="flex flex-col gap-2.5">
          {rows.map(({ name, count }) => (
            <li key={name} className="flex flex-col gap-1">
              <span className="flex justify-between gap-3">
                <bdi className="truncate">{name}</bdi>
                <span className="tabular-nums">{fullCount(count)}</span>
              </span>
              <svg
                aria-hidden
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                className="h-1 w-full rounded-full bg-surface-2"
              >
                <rect width={(count / max) * 100} height="4" className="fill-accent" />
              </svg>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
