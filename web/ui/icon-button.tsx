import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes } from 'react'

export const iconButtonClass =
  'inline-grid size-11 shrink-0 place-items-center rounded-sm text-muted hover:bg-surface-2 hover:text-text disabled:opacity-40 aria-disabled:opacity-40 sm:size-10'

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children' | 'className'> {
  icon: LucideIcon
  /** The button's accessible name. */
  label: string
}

export function IconButton({ icon: Icon, label, ...rest }: Props) {
  return (
    <button type="button" aria-label={label} className={iconButtonClass} {...rest}>
      <Icon aria-hidden className="size-5" />
    </button>
  )
}
