import { useEffect, useEffectEvent } from 'react'
import Globe from 'lucide-react/icons/globe'
import type { BehaviorHost } from '#contract/behavior-staff.ts'
import { CAPABILITIES } from '#contract/behavior-names.ts'
import type { ResultOf } from '#contract/operations.ts'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { dayText, timeText } from '#web/lib/dates.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Link, useRevalidator } from '#web/router/router.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { readListQuery, useListQuery } from '#web/features/portal/list-query.ts'
import type { TabData } from '#web/features/portal/portal-data.ts'
import { Fact, ListCount, LoadError, SearchField, TabSkeleton } from '#web/features/portal/tab-parts.tsx'

const QUERY = { search: [], new: ['', 'true'] } as const
/** The counting job takes about a second. */
const COUNTING_MS = 2000

type Stats = ResultOf<'GET /api/behavior-stats'>
type HostPage = ResultOf<'GET /api/behavior-hosts'>
export type BehaviorData = Stats & HostPage

/** Loads the counts and one page of hosts, as selected by the URL's query. */
export async function readBehavior(api: Api, query: URLSearchParams, signal: AbortSignal): Promise<BehaviorData> {
  const { search, page, new: isNew } = readListQuery(query, QUERY)
  const filters = { page, ...(search && { search }), ...(isNew && { new: isNew }) }
  const [stats, hosts] = await Promise.all([
    api('GET /api/behavior-stats', { signal }),
    api('GET /api/behavior-hosts', { query: filters, signal }),
  ])
  return { ...stats, ...hosts }
}

/** What listed scripts do, the progress of the analysis, and the hosts that the scripts contact. */
export function BehaviorOverview({ tab }: { tab: TabData<BehaviorData> }) {
  const { data, error, isPending, reload } = tab
  const isCounting = data !== undefined && data.counted_at === null
  const load = useEffectEvent(() => void reload())
  useEffect(() => {
    if (!isCounting) return undefined
    const timer = setInterval(() => load(), COUNTING_MS)
    return () => clearInterval(timer)
  }, [isCounting])
  if (error) return <LoadError text={error} onRetry={reload} />
  if (!data || isCounting) return <TabSkeleton />
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">Findings in public scripts, as of {timeText(data.counted_at ?? '')}.</p>
      <div className="grid items-start gap-4 xl:grid-cols-[2fr_1fr]">
        <Panel title="Findings">
          <Findings stats={data} />
        </Panel>
        <Panel title="Analysis">
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2">
            <Fact name="Listed scripts">{fullCount(data.scripts)}</Fact>
            <Fact name="Analyzed">{fullCount(data.statuses.ready)}</Fact>
            <Fact name="Waiting">{fullCount(data.statuses.pending)}</Fact>
            <Fact name="Failed">{fullCount(data.statuses.failed)}</Fact>
            <Fact name="Older analyzer">{fullCount(data.statuses.outdated)}</Fact>
          </dl>
        </Panel>
      </div>
      <Panel title="Hosts">
        <Hosts page={data} isPending={isPending} />
      </Panel>
    </div>
  )
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

function Findings({ stats: { capabilities, statuses } }: { stats: Stats }) {
  if (capabilities.length === 0) return <p className="text-muted">No listed script has findings yet.</p>
  return (
    <ul aria-label="Findings" className="flex flex-col divide-y divide-line">
      {capabilities.map(({ id, scripts }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-4 py-2 first:pt-0 last:pb-0">
          <span className="min-w-0 flex-1 basis-48">
            <Link to={`/scripts?uses=${id}`} className="font-medium hover:text-accent hover:underline">
              {CAPABILITIES[id]}
            </Link>
          </span>
          <span className="tabular-nums">
            {fullCount(scripts)} {scripts === 1 ? 'script' : 'scripts'}{' '}
            <span className="text-muted">({percent.format(scripts / Math.max(1, statuses.ready))})</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Hosts({ page: { hosts, pagination }, isPending }: { page: HostPage; isPending: boolean }) {
  const { values, change, hrefOfPage } = useListQuery(QUERY)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <SearchField label="Search hosts" value={values.search} onSearch={(search) => change({ search })} />
        <Switch
          label="New this week"
          isOn={values.new === 'true'}
          onChange={(isOn) => change({ new: isOn ? 'true' : '' })}
        />
      </div>
      <ListCount pagination={pagination} singular="host" plural="hosts" />
      {hosts.length === 0 && (
        <EmptyState
          icon={Globe}
          title="No hosts found"
          text="No listed script contacts a matching host. Try another search or filter."
        />
      )}
      <ul
        aria-label="Hosts"
        aria-busy={isPending}
        className={`flex flex-col divide-y divide-line ${isPending ? 'opacity-60' : ''}`}
      >
        {hosts.map((host) => (
          <li key={host.host} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
            <HostRow host={host} />
          </li>
        ))}
      </ul>
      <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOfPage} />
    </div>
  )
}

function HostRow({ host: { host, scripts, first_seen_at, kind } }: { host: BehaviorHost }) {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  const mark = async (next: BehaviorHost['kind']) => {
    const messages = { success: ({ message }: { message: string }) => message, failure: 'Failed to mark the host' }
    await run(() => api('PUT /api/behavior-hosts', { body: { host, kind: next } }), messages).catch(() => {})
    void revalidate()
  }
  const markButton = (label: string, next: BehaviorHost['kind']) => (
    <Button size="sm" aria-label={`${label}: ${host}`} onClick={() => void mark(next)}>
      {label}
    </Button>
  )
  return (
    <>
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          <Link
            to={`/scripts?host=${encodeURIComponent(host)}`}
            className="font-medium hover:text-accent hover:underline"
          >
            {host}
          </Link>
          {kind === 'collector' && <Pill tone="danger">Collector</Pill>}
          {kind === 'known' && <Pill tone="success">Known good</Pill>}
        </p>
        <p className="text-sm text-muted tabular-nums">
          {fullCount(scripts)} {scripts === 1 ? 'script' : 'scripts'}
          {first_seen_at && `, first seen ${dayText(first_seen_at)}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {kind !== 'collector' && markButton('Flag as data collector', 'collector')}
        {kind !== 'known' && markButton('Mark as trusted', 'known')}
        {kind !== null && markButton('Remove mark', null)}
      </div>
    </>
  )
}
