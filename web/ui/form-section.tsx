import { type ReactNode, useId } from 'react'

export function FormSection({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col gap-5 rounded-md border border-line bg-surface-1 p-4 sm:p-5"
    >
      <header>
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <p className="text-sm text-muted">{text}</p>
      </header>
      {children}
    </section>
  )
}
