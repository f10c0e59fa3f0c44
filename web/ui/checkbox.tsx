import Check from 'lucide-react/icons/check'
import type { InputHTMLAttributes } from 'react'

export function Checkbox(props: Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'>) {
  return (
    <span className="relative grid size-5 shrink-0 place-items-center">
      <input
        {...props}
        type="checkbox"
        className="peer absolute inset-0 cursor-pointer appearance-none rounded-sm border border-line-strong bg-surface-0 checked:border-accent-strong checked:bg-accent-strong"
      />
      <Check aria-hidden className="pointer-events-none relative hidden size-4 text-on-accent peer-checked:block" />
    </span>
  )
}
