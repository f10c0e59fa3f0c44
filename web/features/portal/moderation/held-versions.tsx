import { Suspense, useState } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import ShieldCheck from 'lucide-react/icons/shield-check'
import type { ResultOf } from '#contract/operations.ts'
import type { HeldVersion } from '#contract/versions.ts'
import { timeText } from '#web/lib/dates.ts'
import type { Api } from '#web/lib/client.ts'
import { Link, useRevalidator } from '#web/router/router.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { CodeDiff } from '#web/shared/code-diff/code-diff.tsx'
import { HoldReasons } from '#web/shared/waiting/hold-evidence.tsx'
import { ReleaseDialog } from '#web/shared/waiting/release-dialog.tsx'
import { useHeldVersion } from '#web/shared/waiting/use-held-version.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { readListQuery, useListQuery } from '#web/features/portal/list-query.ts'
import type { TabData } from '#web/features/portal/portal-data.ts'
import { ListCount, LoadError, TabSkeleton } from '#web/features/portal/tab-parts.tsx'

const CodeViewer = lazyComponent(async () => (await import('#web/shared/code-viewer/code-viewer.tsx')).CodeViewer)

const QUERY = {} as const

export type HeldPage = ResultOf<'GET /api/held-versions'>

export const readHeld = (api: Api, query: URLSearchParams, signal: AbortSignal): Promise<HeldPage> =>
  api('GET /api/held-versions', { query: { page: readListQuery(query, QUERY).page }, signal })

/** Versions that start something serious, until their authors confirm them or a moderator releases them. */
export function HeldVersions({ tab }: { tab: TabData<HeldPage> }) {
  const { hrefOfPage } = useListQuery(QUERY)
  const { data, error, isPending, reload } = tab
  if (error) return <LoadError text={error} onRetry={reload} />
  if (!data) return <TabSkeleton />
  const { versions, pagination } = data
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        Versions that start to do something serious. Nobody gets them until their authors have confirmed them and their
        waiting time is over, or until you release them.
      </p>
      <ListCount pagination={pagination} singular="version" plural="versions" />
      {versions.length === 0 && (
        <EmptyState
          icon={ShieldCheck}
          title="No version waits"
          text="When an update starts to do something serious, you find it here."
        />
      )}
      <ul
        aria-label="Held versions"
        aria-busy={isPending}
        className={`flex flex-col gap-3 ${isPending ? 'opacity-60' : ''}`}
      >
        {versions.map((held) => (
          <li key={`${held.script.id} ${held.number}`} className="rounded-md border border-line bg-surface-1 p-4">
            <HeldCard held={held} />
          </li>
        ))}
      </ul>
      <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOfPage} />
    </div>
  )
}

function HeldCard({
  held: { script, author, number, version, current_number, held_since, held },
}: {
  held: HeldVersion
}) {
  const { revalidate } = useRevalidator()
  const [isReleasing, setReleasing] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const loaded = useHeldVersion(script.id, number, isOpen)
  return (
    <article aria-label={`${script.title} ${version}`} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
            <Link to={`/scripts/${script.slug}#waiting`} className="hover:text-accent hover:underline">
              <bdi>{script.title}</bdi>
            </Link>
            <bdi>{version}</bdi>
            {current_number === null && <Pill>First version</Pill>}
            {held.confirmed_at === null ? <Pill>Not confirmed</Pill> : <Pill tone="warning">Confirmed</Pill>}
          </h3>
          <p className="text-sm text-muted wrap-anywhere">
            by{' '}
            <Link to={`/profile/${encodeURIComponent(author.slug)}`} className="hover:text-accent hover:underline">
              <bdi>{author.name}</bdi>
            </Link>
            , waits since <RelativeTime iso={held_since} />
            {held.current_at !== null && `, becomes current ${timeText(held.current_at)}`}
          </p>
        </div>
        <Button
          size="sm"
          aria-haspopup="dialog"
          aria-label={`Release: ${script.title} ${version}`}
          onClick={() => setReleasing(true)}
        >
          Release
        </Button>
      </div>
      <HoldReasons reasons={held.reasons} code={loaded?.code} />
      <Button
        size="sm"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'} code of ${script.title} ${version}`}
        onClick={() => setOpen(!isOpen)}
        className="self-start"
      >
        {isOpen ? 'Hide code' : 'Show code'}
      </Button>
      {isOpen && current_number !== null && <CodeDiff scriptId={script.id} from={current_number} to={number} />}
      {isOpen && current_number === null && <FirstCode title={script.title} code={loaded?.code} />}
      {isReleasing && (
        <ReleaseDialog
          scriptId={script.id}
          number={number}
          version={version}
          onReleased={() => void revalidate()}
          onClose={() => setReleasing(false)}
        />
      )}
    </article>
  )
}

/** The code of a first version, which has nothing to be compared with. */
function FirstCode({ title, code }: { title: string; code: string | undefined }) {
  if (code === undefined) return <p className="text-muted">Loading...</p>
  return (
    <Suspense fallback={<p className="text-muted">Loading...</p>}>
      <CodeViewer load={() => Promise.resolve(code)} fileName={title} />
    </Suspense>
  )
}
