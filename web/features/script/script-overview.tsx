import type { LucideIcon } from 'lucide-react'
import KeyRound from 'lucide-react/icons/key-round'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode, useId, useState } from 'react'
import type { Formatted } from '#web/shared/markdown/render-markdown.ts'
import { linkRel, RichText } from '#web/shared/markdown/rich-text.tsx'
import { TagChip } from '#web/ui/tag-chip.tsx'
import { ScreenshotGallery } from './screenshot-gallery.tsx'
import type { PageScript } from './script-details.ts'

export function ScriptOverview({ script, description }: { script: PageScript; description: Formatted }) {
  return (
    <>
      <h2 className="sr-only">Description</h2>
      {!script.is_working && (
        <Notice icon={TriangleAlert} title="Not working" text="The author marked this script as currently broken." />
      )}
      {script.has_key_system && (
        <Notice icon={KeyRound} title="This script uses a key system" text="You need a key from the author to use it.">
          <KeyLink url={script.key_system_url} />
        </Notice>
      )}
      <Description {...description} />
      {script.screenshots.length > 0 && <ScreenshotGallery screenshots={script.screenshots} />}
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

/** Long text is collapsed to its start without markup; without JavaScript it is shown completely. */
function Description({ nodes, excerpt }: Formatted) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  if (!excerpt) return <RichText nodes={nodes} className="max-w-prose text-base" />
  return (
    <>
      <div id={id} className="max-w-prose text-base">
        <RichText nodes={isOpen ? nodes : excerpt} className={isOpen ? '' : 'noscript:hidden'} />
        {!isOpen && <RichText nodes={nodes} className="hidden noscript:block" />}
      </div>
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

function KeyLink({ url }: { url: string | null }) {
  if (!url) return null
  return (
    <a
      href={url}
      target="_blank"
      rel={linkRel}
      className="inline-flex min-h-11 items-center font-medium wrap-anywhere text-accent hover:underline sm:min-h-8"
    >
      Get a key at {new URL(url).host}
    </a>
  )
}
