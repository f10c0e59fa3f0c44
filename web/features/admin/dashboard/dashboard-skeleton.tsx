import { Skeleton } from '#web/ui/skeleton.tsx'

export function DashboardSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-4">
      <output className="sr-only">Loading...</output>
      <div className="grid gap-4 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <Skeleton className="h-44 sm:col-span-3 lg:col-span-1" />
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <Skeleton className="h-96" />
        <Skeleton className="h-80" />
      </div>
    </div>
  )
}
