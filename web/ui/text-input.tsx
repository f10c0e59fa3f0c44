import type { InputHTMLAttributes } from 'react'
import { controlClass } from './field.tsx'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'className' | 'value'> {
  value: string
  onChange: (value: string) => void
}

export function TextInput({ onChange, type = 'text', ...rest }: Props) {
  return (
    <input
      dir="auto"
      autoComplete="off"
      {...rest}
      type={type}
      onChange={(event) => onChange(event.target.value)}
      className={`h-11 sm:h-10 ${controlClass}`}
    />
  )
}
