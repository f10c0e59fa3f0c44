import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import type { ReactNode } from 'react'

/** A table whose head stays in sight below the site's own. */
export function Table({
  label,
  head,
  isPending,
  children,
}: {
  label: string
  head: ReactNode
  isPending: boolean
  children: ReactNode
}) {
  return (
    <table
      aria-label={label}
      aria-busy={isPending}
      className={`w-full border-separate border-spacing-0 rounded-md border border-line bg-surface-1 ${isPending ? 'opacity-60' : ''}`}
    >
      <thead>
        <tr className="[&>*]:sticky [&>*]:top-14 [&>*]:z-10 [&>*]:border-b [&>*]:border-line [&>*]:bg-surface-2 [&>:first-child]:rounded-tl-md [&>:last-child]:rounded-tr-md">
          {head}
        </tr>
      </thead>
      <tbody className="[&>tr:hover]:bg-surface-2 [&>tr+tr>*]:border-t [&>tr>*]:border-line">{children}</tbody>
    </table>
  )
}

export const cell = 'px-1.5 py-2 text-left lg:px-3'
export const numberCell = 'px-1.5 py-2 text-right tabular-nums lg:px-3'

export interface Sorting<Sort extends string> {
  sort: Sort
  order: 'asc' | 'desc'
  onSort: (sort: Sort, order: 'asc' | 'desc') => void
}

/** A column's name that sorts by it, the other way round when it already does. */
export function SortHead<Sort extends string>({
  by,
  isFigure = false,
  sort,
  order,
  onSort,
  children,
}: Sorting<Sort> & { by: Sort; isFigure?: boolean; children: ReactNode }) {
  const isOn = sort === by
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={isOn ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
      className={`${isFigure ? numberCell : cell} font-medium`}
    >
      <button
        type="button"
        onClick={() => onSort(by, isOn && order === 'desc' ? 'asc' : 'desc')}
        className={`-mx-1 inline-flex min-h-8 items-center gap-1 rounded-sm px-1 font-medium hover:text-accent ${isFigure ? 'flex-row-reverse' : ''}`}
      >
        {children}
        <Arrow aria-hidden className={`size-3.5 ${isOn ? '' : 'invisible max-lg:hidden'}`} />
      </button>
    </th>
  )
}

export function Head({ isFigure = false, children }: { isFigure?: boolean; children: ReactNode }) {
  return (
    <th scope="col" className={`${isFigure ? numberCell : cell} font-medium`}>
      {children}
    </th>
  )
}
