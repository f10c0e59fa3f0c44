import type { ReactNode } from 'react'

/** Placeholder of content that JavaScript loads. Without JavaScript, says that the page needs it. */
export function NeedsScript({ children }: { children: ReactNode }) {
  return (
    <>
      <p className="mx-auto hidden max-w-xl px-4 py-12 text-center noscript:block">
        This page needs JavaScript. Turn it on in your browser and reload the page.
      </p>
      <div className="noscript:hidden">{children}</div>
    </>
  )
}
