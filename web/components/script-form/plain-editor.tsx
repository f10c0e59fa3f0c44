import type { Ref } from 'react'

interface Props {
  ref: Ref<HTMLTextAreaElement>
  label: string
  code: string
  isInvalid: boolean
  onChange: (code: string) => void
}

/** Code in the browser's own text area. */
export function PlainEditor({ ref, label, code, isInvalid, onChange }: Props) {
  return (
    <textarea
      ref={ref}
      dir="ltr"
      aria-label={label}
      aria-required
      aria-invalid={isInvalid || undefined}
      value={code}
      wrap="off"
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      placeholder="-- Paste, type or drop your script here"
      onChange={(event) => onChange(event.target.value)}
      className="block h-96 w-full resize-y bg-surface-0 px-4 py-3 font-mono text-sm/6 text-text placeholder:text-muted focus-visible:-outline-offset-2"
    />
  )
}
