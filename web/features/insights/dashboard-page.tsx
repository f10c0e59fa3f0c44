import ChartColumn from 'lucide-react/icons/chart-column'
import CloudOff from 'lucide-react/icons/cloud-off'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useNavigate, useQuery } from '#web/router/router.tsx'
import type { DayInsights, ScriptInsights } from '#contract/insights.ts'
import { DayChart } from '#web/shared/day-chart.tsx'
import { MembersOnly } from '#web/shared/sign-in/members-only.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { compactCount, fullCount } from '#web/lib/numbers.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CountTable, DayTable, Referrers } from './insight-tables.tsx'

const PERIODS = { '7': '7 days', '30': '30 days', '90': '90 days', '365': '365 days' } as const
type PeriodDays = keyof typeof PERIODS
const ALL = 'all'
const MAX_ID = 2 ** 31

interface View {
  /** Undefined for all own scripts. */
  scriptId: number | undefined
  days: PeriodDays
}

function readView(query: URLSearchParams): View {
  const id = Number(query.get('script'))
  const days = query.get('days') ?? ''
  return {
    scriptId: Number.isInteger(id) && id > 0 && id < MAX_ID ? id : undefined,
    days: days in PERIODS ? (days as PeriodDays) : '30',
  }
}

function urlOf({ scriptId, days }: View): string {
  const query = new URLSearchParams([
    ...(scriptId === undefined ? [] : [['script', String(scriptId)]]),
    ...(days === '30' ? [] : [['days', days]]),
  ])
  return query.size > 0 ? `/dashboard?${query}` : '/dashboard'
}

export function Component() {
  const view = readView(useQuery())
  return (
    <>
      <PageHead title="Statistics" description="How your scripts perform." path="/dashboard" isListed={false} />
      <MembersOnly purpose="see your statistics" skeleton={<FrameSkeleton />}>
        {({ id }) => <Dashboard key={id} view={view} />}
      </MembersOnly>
    </>
  )
}

const FrameSkeleton = () => (
  <Frame>
    <ChartsSkeleton />
  </Frame>
)

function Frame({ tools, children }: { tools?: ReactNode; children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 pt-6 pb-16">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">Statistics</h1>
        {tools}
      </header>
      {children}
    </div>
  )
}

function Dashboard({ view }: { view: View }) {
  const { insights, own, status, retry } = useInsights(view)
  return (
    <Frame tools={own.length > 0 && <Tools view={view} own={own} />}>
      {status === 'missing' && (
        <EmptyState icon={ChartColumn} title="Not your script" text="Statistics are for a script's author only.">
          <LinkButton to="/dashboard">Show all your scripts</LinkButton>
        </EmptyState>
      )}
      {status === 'failed' && (
        <EmptyState icon={CloudOff} title="Couldn't load your statistics" text="Try again in a moment.">
          <Button onClick={retry}>Try again</Button>
        </EmptyState>
      )}
      {status === 'loading' && !insights && <ChartsSkeleton />}
      {insights && (status === 'ready' || status === 'loading') && (
        <div
          aria-busy={status === 'loading'}
          className={`flex flex-col gap-5 motion-safe:transition-opacity ${status === 'loading' ? 'opacity-60' : ''}`}
        >
          {insights.scripts.length === 0 ? <NoScripts /> : <Insights insights={insights} view={view} />}
        </div>
      )}
    </Frame>
  )
}

function NoScripts() {
  return (
    <EmptyState
      icon={ChartColumn}
      title="No statistics yet"
      text="Upload a script to see its views, downloads and ratings."
    >
      <LinkButton to="/upload" variant="primary">
        Upload a script
      </LinkButton>
    </EmptyState>
  )
}

type OwnScripts = ScriptInsights['scripts']

function Tools({ view, own }: { view: View; own: OwnScripts }) {
  const navigate = useNavigate()
  const show = (next: View) => void navigate(urlOf(next), { replace: true, preventScrollReset: true })
  // The prefix keeps the order: a browser sorts keys that are numbers first.
  const options = { [ALL]: 'All scripts', ...Object.fromEntries(own.map(({ id, title }) => [`#${id}`, title])) }
  return (
    <div className="flex min-w-0 flex-wrap gap-2 max-sm:w-full [&>label]:max-sm:flex-1">
      <Select
        label="Script"
        value={view.scriptId === undefined ? ALL : `#${view.scriptId}`}
        options={options}
        onChange={(value) => show({ ...view, scriptId: value === ALL ? undefined : Number(value.slice(1)) })}
      />
      <Select label="Period" value={view.days} options={PERIODS} onChange={(days) => show({ ...view, days })} />
    </div>
  )
}

function Insights({ insights, view }: { insights: ScriptInsights; view: View }) {
  const { days, scripts, versions, referrers } = insights
  const [script] = scripts
  return (
    <>
      {view.scriptId !== undefined && script && (
        <p className="-mt-2 text-muted">
          <Link to={`/scripts/${script.slug}`} className="font-medium text-accent hover:underline">
            {script.title}
          </Link>
        </p>
      )}
      <Totals days={days} />
      <Charts days={days} />
      <details className="rounded-md border border-line bg-surface-1 px-4 py-2">
        <summary className="min-h-11 content-center rounded-sm font-medium text-accent sm:min-h-8">
          View as table
        </summary>
        <DayTable days={days} />
      </details>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        {view.scriptId === undefined ? (
          <CountTable
            title="Scripts"
            rows={scripts.map((row) => ({
              ...row,
              key: row.id,
              name: row.title,
              to: urlOf({ ...view, scriptId: row.id }),
            }))}
          />
        ) : (
          <CountTable
            title="Versions"
            rows={versions.map((row) => ({ ...row, key: row.number, name: row.version || `Version ${row.number}` }))}
          />
        )}
        <Referrers referrers={referrers} views={sum(days, 'views')} />
      </div>
    </>
  )
}

const sum = (days: readonly DayInsights[], name: 'views' | 'downloads' | 'ratings') =>
  days.reduce((total, day) => total + day[name], 0)

/** Mean of the first ratings of all days; null without one. */
function meanRating(days: readonly DayInsights[]): number | null {
  const count = sum(days, 'ratings')
  const stars = days.reduce((total, { ratings, average_rating }) => total + ratings * (average_rating ?? 0), 0)
  return count > 0 ? stars / count : null
}

const averageText = (value: number | null) => (value === null ? '–' : value.toFixed(1))

function Totals({ days }: { days: readonly DayInsights[] }) {
  const totals = [
    ['Views', compactCount(sum(days, 'views'))],
    ['Downloads', compactCount(sum(days, 'downloads'))],
    ['New ratings', compactCount(sum(days, 'ratings'))],
    ['Average rating', averageText(meanRating(days))],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line lg:grid-cols-4">
      {totals.map(([label, value]) => (
        <div key={label} className="flex min-w-0 flex-col bg-surface-1 px-4 py-3">
          <dt className="text-muted">{label}</dt>
          <dd className="text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const BEST_RATING = 5

function Charts({ days }: { days: readonly DayInsights[] }) {
  const dates = days.map(({ day }) => day)
  const inDays = `in ${days.length} days`
  const mean = meanRating(days)
  return (
    <div className="grid gap-5 md:grid-cols-2">
      {(
        [
          ['Views', 'views'],
          ['Downloads', 'downloads'],
          ['New ratings', 'ratings'],
        ] as const
      ).map(([label, name]) => (
        <ChartBox key={name}>
          <DayChart
            label={label}
            days={dates}
            values={days.map((day) => day[name])}
            total={`${fullCount(sum(days, name))} ${inDays}`}
            format={compactCount}
          />
        </ChartBox>
      ))}
      <ChartBox>
        <DayChart
          label="Rating trend"
          days={dates}
          values={days.map(({ average_rating }) => average_rating)}
          total={mean === null ? 'No ratings' : `${averageText(mean)} ${inDays}`}
          format={averageText}
          max={BEST_RATING}
        />
      </ChartBox>
    </div>
  )
}

function ChartBox({ children }: { children: ReactNode }) {
  return <div className="min-w-0 rounded-md border border-line bg-surface-1 p-4">{children}</div>
}

function ChartsSkeleton() {
  return (
    <>
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-20" />
      <div className="grid gap-5 md:grid-cols-2">
        {['views', 'downloads', 'ratings', 'trend'].map((name) => (
          <Skeleton key={name} className="h-56" />
        ))}
      </div>
    </>
  )
}

type Status = 'loading' | 'ready' | 'failed' | 'missing'

interface Loaded {
  key: string
  status: Status
}

/** The statistics of the view, or the previous ones while they load. `own` is for the menu: all own scripts. */
function useInsights({ scriptId, days }: View) {
  const api = useApi()
  const [attempt, setAttempt] = useState(0)
  const [insights, setInsights] = useState<ScriptInsights>()
  const [own, setOwn] = useState<OwnScripts>([])
  const [loaded, setLoaded] = useState<Loaded>()
  const key = `${scriptId ?? ALL} ${days} ${attempt}`
  useEffect(() => {
    const request = new AbortController()
    const { signal } = request
    const query = { days: Number(days), ...(scriptId === undefined ? {} : { id: scriptId }) }
    const show = (result: ScriptInsights) => {
      setInsights(result)
      if (scriptId === undefined) setOwn(result.scripts)
      setLoaded({ key, status: 'ready' })
    }
    const fail = (error: unknown) => {
      if (signal.aborted) return
      const isMissing = error instanceof ApiError && (error.status === 403 || error.status === 404)
      setLoaded({ key, status: isMissing ? 'missing' : 'failed' })
    }
    api('GET /api/script-insights', { query, signal }).then(show, fail)
    return () => request.abort()
  }, [api, scriptId, days, key])
  const needsOwn = own.length === 0 && scriptId !== undefined
  useEffect(() => {
    if (!needsOwn) return undefined
    const request = new AbortController()
    // The statistics are useful without the menu, too.
    api('GET /api/script-insights', { query: { days: 1 }, signal: request.signal }).then(
      ({ scripts }) => setOwn(scripts),
      () => undefined,
    )
    return () => request.abort()
  }, [api, needsOwn])
  const status: Status = loaded?.key === key ? loaded.status : 'loading'
  return { insights, own, status, retry: () => setAttempt(attempt + 1) }
}
