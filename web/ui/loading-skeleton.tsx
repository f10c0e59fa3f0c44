import { Skeleton } from './skeleton.tsx'

const CARDS = [0, 1, 2, 3, 4, 5]

export function LoadingSkeleton() {
  return (
    <div aria-busy="true" className="mx-auto w-full max-w-7xl px-4 py-8">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-9 w-64 max-w-full" />
      <div className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {CARDS.map((card) => (
          <Skeleton key={card} className="h-72" />
        ))}
      </div>
    </div>
  )
}
