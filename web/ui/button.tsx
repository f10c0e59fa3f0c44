import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from '#web/router/router.tsx'

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger'
type Size = 'sm' | 'md'

const base =
  'inline-flex items-center justify-center gap-2 rounded-sm border font-medium whitespace-nowrap [&>svg]:shrink-0 disabled:opacity-60 disabled:cursor-not-allowed'
const variants: Record<Variant, string> = {
  primary:
    'border-transparent bg-accent-strong text-on-accent enabled:hover:bg-accent-hover [a&]:hover:bg-accent-hover',
  secondary: 'border-line bg-surface-2 text-text hover:bg-surface-3',
  ghost: 'border-transparent text-muted hover:bg-surface-2 hover:text-text',
  danger: 'border-transparent bg-danger-strong text-white hover:opacity-90',
}
const sizes: Record<Size, string> = {
  sm: 'min-h-11 px-3 text-sm sm:min-h-8',
  md: 'min-h-11 px-4 text-sm sm:min-h-10',
}

export function buttonClass(variant: Variant = 'secondary', size: Size = 'md', className = ''): string {
  return `${base} ${variants[variant]} ${sizes[size]} ${className}`
}

interface Look {
  variant?: Variant
  size?: Size
  className?: string
  children: ReactNode
}

export function Button({ variant, size, className, type = 'button', ...rest }: Look & ComponentProps<'button'>) {
  return <button type={type} className={buttonClass(variant, size, className)} {...rest} />
}

export function LinkButton({ variant, size, className, ...rest }: Look & LinkProps) {
  return <Link className={buttonClass(variant, size, className)} {...rest} />
}
