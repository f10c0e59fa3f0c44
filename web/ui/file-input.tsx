import type { RefObject } from 'react'

interface Props {
  ref: RefObject<HTMLInputElement | null>
  /** MIME types and extensions, as in the attribute. */
  accept: string
  onFile: (file: File) => void
}

/** What the browser opens to choose a file. A button beside it, which everybody can see and reach, clicks it. */
export function FileInput({ ref, accept, onFile }: Props) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      tabIndex={-1}
      aria-hidden
      className="hidden"
      onChange={(event) => {
        const file = event.target.files?.item(0)
        // Without this, choosing the same file again after removing it would fire no event.
        event.target.value = ''
        if (file) onFile(file)
      }}
    />
  )
}
