import { Skeleton } from '#web/ui/skeleton.tsx'

/** The form on its way, in its final shape. */
export function UploadSkeleton() {
  return (
    <div aria-busy="true" className="mt-6 grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <output className="sr-only">Loading...</output>
      <div className="flex flex-col gap-6">
        <Skeleton className="h-120" />
        <Skeleton className="h-44" />
        <Skeleton className="h-120" />
      </div>
      <Skeleton className="h-96 max-lg:hidden" />
    </div>
  )
}
