import type { ReactNode } from 'react'

export function Prose({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-3 leading-relaxed text-muted [&_a]:text-accent [&_a]:underline [&>:is(h2,h3)]:mt-3 [&>:is(h2,h3)]:text-base [&>:is(h2,h3)]:font-semibold [&>:is(h2,h3)]:text-text [&_li]:ml-5 [&_li]:list-disc [&_ul]:flex [&_ul]:flex-col [&_ul]:gap-1">
      {children}
    </div>
  )
}
