import { Skeleton } from '#web/ui/skeleton.tsx'

/** The loading state of a script page, in its final layout. */
export function ScriptSkeleton() {
  return (
    <div className="mx-auto w-full max-w-7xl px-4 pt-4 pb-16">
      <output className="sr-only">Loading...</output>
      <Skeleton className="mt-2 h-5 w-24" />
      <div className="mt-6 grid grid-cols-[6rem_minmax(0,1fr)] items-start gap-x-4 gap-y-3 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-6">
        <Skeleton className="aspect-video w-24 sm:row-span-2 sm:w-56 lg:w-72" />
        <Skeleton className="h-9 w-96 max-w-full" />
        <div className="col-span-2 flex flex-col gap-3 sm:col-span-1">
          <Skeleton className="h-6 w-64 max-w-full" />
          <Skeleton className="h-5 w-120 max-w-full" />
          <Skeleton className="h-10 w-64 max-md:hidden" />
        </div>
      </div>
      <Skeleton className="mt-5 h-11 w-72 max-w-full" />
      <div className="mt-6 grid gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex flex-col gap-5">
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
