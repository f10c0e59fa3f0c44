import { dayText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { type Day, MEASURES } from './chart-shape.ts'

/** All figures behind the charts, the newest day first. */
export function StatsTable({ days }: { days: readonly Day[] }) {
  return (
    <section
      aria-label="Figures by day"
      tabIndex={0}
      className="mt-2 max-h-80 overflow-auto rounded-sm border border-line"
    >
      <table className="w-full border-separate border-spacing-0 text-right tabular-nums">
        <thead className="sticky top-0 bg-surface-2">
          <tr>
            <th scope="col" className="px-3 py-2 text-left font-medium">
              Day
            </th>
            {MEASURES.map(([measure, label]) => (
              <th key={measure} scope="col" className="px-3 py-2 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row" className="border-t border-line px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {dayText(day.day)}
              </th>
              {MEASURES.map(([measure]) => (
                <td key={measure} className="border-t border-line px-3 py-1.5">
                  {fullCount(day[measure])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
