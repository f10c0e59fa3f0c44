import type { InputHTMLAttributes } from 'react'
import { controlClass } from './field.tsx'
import { readLimited } from './limit-length.ts'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'className' | 'value'> {
  value: string
  onChange: (value: string) => void
}

/** Without it, browsers take years of six digits. */
const LAST_DAY = '2100-12-31'

/** `maxLength` is in characters as the server counts them. */
export function TextInput({ onChange, type = 'text', maxLength, ...rest }: Props) {
  return (
    <input
      dir="auto"
      autoComplete="off"
      {...(type === 'date' ? { max: LAST_DAY } : {})}
      {...rest}
      type={type}
      onChange={(event) => onChange(readLimited(event.target, rest.value, maxLength))}
      className={`h-11 sm:h-10 ${controlClass}`}
    />
  )
}
