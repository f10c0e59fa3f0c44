import { Skeleton } from '#web/ui/skeleton.tsx'

const ROWS = [0, 1, 2, 3, 4, 5]

/** A toolbar and rows on their way. */
export function TabSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-10 w-full max-w-md" />
      {ROWS.map((row) => (
        <Skeleton key={row} className="h-14" />
      ))}
    </div>
  )
}
