import type { TextareaHTMLAttributes } from 'react'
import { controlClass } from './field.tsx'

interface Props extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'className' | 'value'> {
  value: string
  onChange: (value: string) => void
  className?: string
}

/** Grows with its content in browsers that support `field-sizing`. */
export function TextArea({ onChange, className = '', ...rest }: Props) {
  return (
    <textarea
      dir="auto"
      {...rest}
      onChange={(event) => onChange(event.target.value)}
      className={`min-h-28 resize-y py-2 leading-normal [field-sizing:content] ${controlClass} ${className}`}
    />
  )
}
