import { Skeleton } from '#web/ui/skeleton.tsx'

/** The settings on their way, in their final shape. */
export function SettingsSkeleton() {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-4 pt-4 pb-16">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-5 w-32" />
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-11" />
      <Skeleton className="h-96" />
      <Skeleton className="h-72" />
    </div>
  )
}
