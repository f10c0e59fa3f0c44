import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export function MessagePage({
  icon: Icon,
  title,
  text,
  isTitlePending = false,
  children,
}: {
  icon: LucideIcon
  title: string
  text: string
  /** Leaves out the title, unless the page runs no JavaScript, which would add it. */
  isTitlePending?: boolean
  children?: ReactNode
}) {
  const heading = <h1 className="mt-6 text-2xl font-semibold">{title}</h1>
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col items-center px-4 py-20 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon aria-hidden className="size-8" />
      </span>
      {isTitlePending ? (
        <>
          <noscript>{heading}</noscript>
          <div className="mt-6 h-8 noscript:hidden" />
        </>
      ) : (
        heading
      )}
      <p className="mt-2 text-base text-muted">{text}</p>
      <div className="mt-6 flex w-full flex-col items-center gap-4">{children}</div>
    </div>
  )
}
