import type { ReactNode } from 'react'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { MD, useMedia } from '#web/ui/use-media.ts'

/** Whether the screen is wide enough for a table. */
export const useIsWide = (): boolean => useMedia(MD)

/** A table whose head stays visible below the site's header. */
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
        <tr className="[&>*]:sticky [&>*]:top-14 short:[&>*]:top-0 [&>*]:z-10 [&>*]:border-b [&>*]:border-line [&>*]:bg-surface-2 [&>:first-child]:rounded-tl-md [&>:last-child]:rounded-tr-md">
          {head}
        </tr>
      </thead>
      <tbody className="[&>tr:hover]:bg-surface-2 [&>tr+tr>*]:border-t [&>tr>*]:border-line">{children}</tbody>
    </table>
  )
}

export const cell = 'px-1.5 py-2 text-left xl:px-3'
export const numberCell = 'px-1.5 py-2 text-right tabular-nums xl:px-3'

export function Head({ isNumber = false, children }: { isNumber?: boolean; children: ReactNode }) {
  return (
    <th scope="col" className={`${isNumber ? numberCell : cell} font-medium`}>
      {children}
    </th>
  )
}

export interface Sorting<Sort extends string> {
  sort: Sort
  order: 'asc' | 'desc'
  onSort: (sort: Sort, order: 'asc' | 'desc') => void
}

/** A column head that sorts by the column, in the other direction if the table is sorted by it already. */
export function SortHead<Sort extends string>({
  by,
  isNumber = false,
  sort,
  order,
  onSort,
  children,
}: Sorting<Sort> & { by: Sort; isNumber?: boolean; children: ReactNode }) {
  const isCurrent = sort === by
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={isCurrent ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
      className={`${isNumber ? numberCell : cell} font-medium`}
    >
      <button
        type="button"
        onClick={() => onSort(by, isCurrent && order === 'desc' ? 'asc' : 'desc')}
        className={`-mx-1 inline-flex min-h-8 items-center gap-1 rounded-sm px-1 font-medium hover:text-accent ${isNumber ? 'flex-row-reverse' : ''}`}
      >
        {children}
        <Arrow aria-hidden className={`size-3.5 ${isCurrent ? '' : 'invisible max-xl:hidden'}`} />
      </button>
    </th>
  )
}
