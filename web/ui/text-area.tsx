import type { TextareaHTMLAttributes } from 'react'
import { controlClass } from './field.tsx'
import { readLimited } from './limit-length.ts'

interface Props extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'className' | 'value'> {
  value: string
  onChange: (value: string) => void
  className?: string
}

/** Grows with its content in browsers that support `field-sizing`. `maxLength` is in characters as the server counts them. */
export function TextArea({ onChange, className = '', maxLength, ...rest }: Props) {
  return (
    <textarea
      dir="auto"
      {...rest}
      onChange={(event) => onChange(readLimited(event.target, rest.value, maxLength))}
      className={`min-h-28 resize-y py-2 leading-normal [field-sizing:content] ${controlClass} ${className}`}
    />
  )
}
