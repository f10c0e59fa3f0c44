import { Skeleton } from '#web/ui/skeleton.tsx'

/** The loading state of a script page, in its final layout. */
export function ScriptSkeleton() {
  return (
    <div className="mx-auto w-full max-w-7xl px-4 pt-4 pb-16">
      <output className="sr-only">Loading...</output>
      <Skeleton className="mt-2 h-5 w-24" />
      <Skeleton className="mt-6 h-9 w-96 max-w-full" />
      <Skeleton className="mt-3 h-6 w-64 max-w-full" />
      <Skeleton className="mt-4 h-5 w-120 max-w-full" />
      <Skeleton className="mt-5 h-11 w-72 max-w-full" />
      <div className="mt-6 grid gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex flex-col gap-5">
          <Skeleton className="aspect-video w-full" />
          <Skeleton className="h-24 w-full max-w-prose" />
          <Skeleton className="h-96 w-full" />
        </div>
        <div className="flex flex-col gap-4 max-lg:hidden">
          <Skeleton className="h-18" />
          <Skeleton className="h-64" />
          <Skeleton className="h-36" />
        </div>
      </div>
    </div>
  )
}
