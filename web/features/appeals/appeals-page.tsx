import Scale from 'lucide-react/icons/scale'
import { useEffect, useState } from 'react'
import type { OwnCase } from '#contract/reports.ts'
import { MembersOnly } from '#web/components/members-only.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CaseItem } from './case-item.tsx'

/** What moderators decided about the member's own things, and the one appeal that each decision has. */
export function Component() {
  return (
    <>
      <PageHead
        title="Decisions and appeals"
        description="What moderators decided about what is yours."
        path="/appeals"
        isListed={false}
      />
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 py-8">
        <h1 className="text-2xl font-semibold">Decisions and appeals</h1>
        <p className="text-muted">
          What moderators decided about your scripts, reviews and profile, and why. You may appeal each decision once.
        </p>
        <MembersOnly skeleton={<Loading />}>{() => <Cases />}</MembersOnly>
      </div>
    </>
  )
}

interface Answer {
  cases?: readonly OwnCase[]
  failure?: string
}

async function readCases(api: Api): Promise<Answer> {
  try {
    return await api('GET /api/own-cases')
  } catch (error) {
    return { failure: describeActionError(error) }
  }
}

function Cases() {
  const api = useApi()
  const [{ cases, failure }, setAnswer] = useState<Answer>({})
  const load = () => void readCases(api).then(setAnswer)
  useEffect(() => void readCases(api).then(setAnswer), [api])
  if (failure) {
    return (
      <div role="alert">
        <EmptyState icon={Scale} title="The decisions could not be loaded" text={failure}>
          <Button variant="primary" onClick={load}>
            Try again
          </Button>
        </EmptyState>
      </div>
    )
  }
  if (!cases) return <Loading />
  if (cases.length === 0) {
    return <EmptyState icon={Scale} title="No decisions" text="Nothing of yours has been decided about." />
  }
  return (
    <ul aria-label="Decisions" className="flex flex-col gap-3">
      {cases.map((one) => (
        <li key={one.id}>
          <CaseItem one={one} onAppealed={load} />
        </li>
      ))}
    </ul>
  )
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-36" />
      <Skeleton className="h-36" />
    </div>
  )
}
