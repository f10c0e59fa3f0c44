import { useState } from 'react'
import { Link } from 'react-router'
import type { OwnCase } from '#contract/reports.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { AppealDialog } from './appeal-dialog.tsx'

const KINDS = { script: 'Script', review: 'Review', profile: 'Profile' } as const
const APPEALS = {
  open: { label: 'Appeal waits for an answer', tone: 'warning' },
  upheld: { label: 'Decision upheld', tone: 'neutral' },
  granted: { label: 'Appeal granted', tone: 'success' },
} as const

/** One decision, its reason, and the appeal where there is one or may be one. */
export function CaseItem({ one, onAppealed }: { one: OwnCase; onAppealed: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface-1 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2 className="min-w-0 font-semibold wrap-anywhere">
          <span className="font-normal text-muted">{KINDS[one.subject_type]} </span>
          {one.subject_link ? (
            <Link to={one.subject_link} className="hover:text-accent hover:underline">
              <bdi>{one.subject_title}</bdi>
            </Link>
          ) : (
            <bdi>{one.subject_title}</bdi>
          )}
        </h2>
        <p className="flex flex-wrap gap-1.5">
          {one.is_hidden && <Pill tone="danger">Hidden</Pill>}
          {one.appeal_status && <Pill tone={APPEALS[one.appeal_status].tone}>{APPEALS[one.appeal_status].label}</Pill>}
        </p>
      </div>
      <Words title="Decision" text={one.decision} at={one.decided_at} />
      <Words title="Your appeal" text={one.appeal} />
      <Words title="Answer" text={one.appeal_decision} />
      {one.can_appeal && (
        <Button size="sm" aria-haspopup="dialog" onClick={() => setOpen(true)} className="self-start">
          Appeal<span className="sr-only"> the decision about {one.subject_title}</span>
        </Button>
      )}
      {isOpen && <AppealDialog one={one} onDone={onAppealed} onClose={() => setOpen(false)} />}
    </article>
  )
}

function Words({ title, text, at }: { title: string; text: string | null; at?: string | null }) {
  if (!text) return null
  return (
    <div>
      <h3 className="text-sm text-muted">
        {title}
        {at && (
          <>
            , <RelativeTime iso={at} />
          </>
        )}
      </h3>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
    </div>
  )
}
