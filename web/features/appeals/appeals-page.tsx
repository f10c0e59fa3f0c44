import { useEffect, useState } from 'react'
import { Link } from '#web/router/router.tsx'
import Scale from 'lucide-react/icons/scale'
import type { ResultOf } from '#contract/operations.ts'
import type { OwnCase } from '#contract/reports.ts'
import { AppealDialog } from '#web/shared/appeal-dialog.tsx'
import { OpenCases } from '#web/shared/open-cases.tsx'
import { OwnReports, SUBJECT_LABELS } from './own-reports.tsx'
import { MembersOnly } from '#web/shared/sign-in/members-only.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const APPEAL_STATES = {
  open: { label: 'Appeal pending', tone: 'warning' },
  upheld: { label: 'Decision upheld', tone: 'neutral' },
  granted: { label: 'Appeal granted', tone: 'success' },
} as const

/** Moderator decisions about the member's own content. Each can be appealed once. */
export function Component() {
  return (
    <>
      <PageHead
        title="Decisions and appeals"
        description="Moderator decisions about your content, and your reports."
        path="/appeals"
        isListed={false}
      />
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 py-8">
        <h1 className="text-2xl font-semibold">Decisions and appeals</h1>
        <p className="text-muted">
          Moderator decisions about your scripts, reviews and profile. You can appeal each decision once.
        </p>
        <MembersOnly purpose="see decisions about your content" skeleton={<CasesSkeleton />}>
          {() => <Cases />}
        </MembersOnly>
      </div>
    </>
  )
}

interface Loaded {
  loaded?: ResultOf<'GET /api/own-cases'>
  error?: string
}

async function readCases(api: Api): Promise<Loaded> {
  try {
    return { loaded: await api('GET /api/own-cases') }
  } catch (error) {
    return { error: describeActionError(error) }
  }
}

function Cases() {
  const api = useApi()
  const [{ loaded, error }, setLoaded] = useState<Loaded>({})
  const load = () => void readCases(api).then(setLoaded)
  useEffect(() => void readCases(api).then(setLoaded), [api])
  if (error) {
    return (
      <div role="alert">
        <EmptyState icon={Scale} title="Couldn't load the decisions" text={error}>
          <Button variant="primary" onClick={load}>
            Try again
          </Button>
        </EmptyState>
      </div>
    )
  }
  if (!loaded) return <CasesSkeleton />
  return (
    <>
      <OpenCases loaded={loaded} />
      <Decisions cases={loaded.cases} onAppealed={load} />
      {loaded.reports.length > 0 && <OwnReports reports={loaded.reports} />}
    </>
  )
}

function Decisions({ cases, onAppealed }: { cases: readonly OwnCase[]; onAppealed: () => void }) {
  if (cases.length === 0) {
    return (
      <EmptyState icon={Scale} title="No decisions" text="Moderators haven't made any decisions about your content." />
    )
  }
  return (
    <ul aria-label="Decisions" className="flex flex-col gap-3">
      {cases.map((ownCase) => (
        <li key={ownCase.id}>
          <CaseCard ownCase={ownCase} onAppealed={onAppealed} />
        </li>
      ))}
    </ul>
  )
}

function CaseCard({ ownCase, onAppealed }: { ownCase: OwnCase; onAppealed: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <article className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface-1 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2 className="min-w-0 font-semibold wrap-anywhere">
          <span className="font-normal text-muted">{SUBJECT_LABELS[ownCase.subject_type]} </span>
          {ownCase.subject_link ? (
            <Link to={ownCase.subject_link} className="hover:text-accent hover:underline">
              <bdi>{ownCase.subject_title}</bdi>
            </Link>
          ) : (
            <bdi>{ownCase.subject_title}</bdi>
          )}
        </h2>
        <p className="flex flex-wrap gap-1.5">
          {ownCase.is_hidden && <Pill tone="danger">Hidden</Pill>}
          {ownCase.appeal_status && (
            <Pill tone={APPEAL_STATES[ownCase.appeal_status].tone}>{APPEAL_STATES[ownCase.appeal_status].label}</Pill>
          )}
        </p>
      </div>
      <CaseText title="Decision" text={ownCase.decision} time={ownCase.decided_at} />
      <CaseText title="Your appeal" text={ownCase.appeal} />
      <CaseText title="Reply" text={ownCase.appeal_decision} />
      {ownCase.can_appeal && (
        <Button size="sm" aria-haspopup="dialog" onClick={() => setOpen(true)} className="self-start">
          Appeal<span className="sr-only"> the decision about {ownCase.subject_title}</span>
        </Button>
      )}
      {isOpen && <AppealDialog caseId={ownCase.id} onAppealed={onAppealed} onClose={() => setOpen(false)} />}
    </article>
  )
}

function CaseText({ title, text, time }: { title: string; text: string | null; time?: string | null }) {
  if (!text) return null
  return (
    <div>
      <h3 className="text-sm text-muted">
        {title}
        {time && (
          <>
            , <RelativeTime iso={time} />
          </>
        )}
      </h3>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
    </div>
  )
}

function CasesSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-36" />
      <Skeleton className="h-36" />
    </div>
  )
}
