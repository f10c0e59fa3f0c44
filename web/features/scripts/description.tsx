import { type ReactNode, useId, useState } from 'react'
import { cutParts, findLinks } from '#web/components/find-links.ts'
import { LinkedText } from '#web/components/linked-text.tsx'
import { cutText } from '#web/lib/text.ts'

const DESCRIPTION_LENGTH = 260

/** Plain text with its addresses as links. Long ones open on demand; without scripts all of it stands there. */
export function Description({ text }: { text: string }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const parts = findLinks(text)
  const { head, rest } = cutText(text, DESCRIPTION_LENGTH)
  if (rest === '') {
    return (
      <Prose>
        <LinkedText parts={parts} />
      </Prose>
    )
  }
  const cut = cutParts(parts, head.length)
  return (
    <>
      <Prose id={id}>
        {isOpen ? (
          <LinkedText parts={parts} />
        ) : (
          <>
            <LinkedText parts={cut.head} />
            <span className="noscript:hidden">…</span>
            <span className="hidden noscript:inline">
              <LinkedText parts={cut.rest} />
            </span>
          </>
        )}
      </Prose>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="-mx-2 min-h-11 self-start cursor-pointer rounded-sm px-2 text-sm font-medium text-accent hover:underline noscript:hidden sm:min-h-8"
      >
        {isOpen ? 'Show less' : 'Read more'}
      </button>
    </>
  )
}

function Prose({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} dir="auto" className="max-w-prose text-base wrap-anywhere whitespace-pre-wrap">
      {children}
    </p>
  )
}
