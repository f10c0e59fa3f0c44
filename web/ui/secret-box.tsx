import { type ReactNode, useEffect, useId, useRef } from 'react'
import { CopyButton } from './copy-button.tsx'
import { controlClass } from './field.tsx'

/** A secret that is shown only once, selected and with a button that copies it. `noun` is what it is, such as 'token'. */
export function SecretBox({
  title,
  label,
  noun,
  secret,
}: {
  title: ReactNode
  label: string
  noun: string
  secret: string
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  return (
    <div
      role="group"
      aria-labelledby={id}
      className="flex flex-col gap-3 rounded-md border border-success bg-surface-2 p-4"
    >
      <p id={id} className="font-medium wrap-anywhere">
        {title}
      </p>
      <div className="flex gap-2 max-sm:flex-col">
        <input
          ref={input}
          readOnly
          dir="ltr"
          value={secret}
          aria-label={label}
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.target.select()}
          className={`h-11 flex-1 font-mono max-sm:flex-none sm:h-10 ${controlClass}`}
        />
        <CopyButton
          label={`Copy ${noun}`}
          load={() => Promise.resolve(secret)}
          failure={{ title: `Couldn't copy the ${noun}`, text: 'Select it and copy it yourself.' }}
        />
      </div>
    </div>
  )
}
