import type { LucideIcon } from 'lucide-react'
import KeyRound from 'lucide-react/icons/key-round'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode, useId, useState } from 'react'
import { cutParts, findLinks } from '#web/components/find-links.ts'
import { LinkedText, linkRel } from '#web/components/linked-text.tsx'
import { TagChip } from '#web/components/tag-chip.tsx'
import { cutText } from '#web/lib/text.ts'
import type { PageScript } from './script-page.tsx'

const DESCRIPTION_LENGTH = 260

/** Notices, description and tags. */
export function ScriptOverview({ script }: { script: PageScript }) {
  return (
    <>
      {!script.is_working && (
        <Notice icon={TriangleAlert} title="Not working" text="The author marked this script as currently broken." />
      )}
      {script.has_key_system && (
        <Notice icon={KeyRound} title="This script uses a key system" text="You need a key from the author to use it.">
          <KeyLink url={script.key_system_url} />
        </Notice>
      )}
      <Description text={script.description} />
      {script.tags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-2">
          {script.tags.map((tag) => (
            <li key={tag.id} className="max-w-full">
              <TagChip name={tag.name} className="min-h-11 px-3 text-sm sm:min-h-8" />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Plain text with links. Long text is collapsed; without JavaScript it is shown completely. */
function Description({ text }: { text: string }) {
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

interface NoticeProps {
  icon: LucideIcon
  title: string
  text: string
  children?: ReactNode
}

function Notice({ icon: Icon, title, text, children }: NoticeProps) {
  return (
    <div className="flex items-start gap-3 rounded-md border border-line bg-surface-1 p-4">
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        <p className="text-muted">{text}</p>
        {children}
      </div>
    </div>
  )
}

/** Links to the key only if the URL passes the checks for links in member text. */
function KeyLink({ url }: { url: string | null }) {
  const [link] = findLinks(url ?? '')
  if (!link?.href) return null
  return (
    <a
      href={link.href}
      target="_blank"
      rel={linkRel}
      className="inline-flex min-h-11 items-center font-medium wrap-anywhere text-accent hover:underline sm:min-h-8"
    >
      Get a key at {new URL(link.href).host}
    </a>
  )
}
