import { Skeleton } from '#web/ui/skeleton.tsx'

export function ProfileSkeleton() {
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 pt-4 pb-16">
      <Skeleton className="h-72" />
      <ProfileBodySkeleton />
    </div>
  )
}

/** What is below the header of a profile. */
export function ProfileBodySkeleton() {
  return (
    <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <output className="sr-only">Loading...</output>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-11 w-48" />
        <Skeleton className="h-24" />
      </div>
      <Skeleton className="h-28" />
    </div>
  )
}
