import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import FileQuestion from 'lucide-react/icons/file-question-mark'
import { type ReactNode, startTransition, Suspense, useEffect, useState } from 'react'
import { data, Link, type LoaderFunctionArgs, replace, useLoaderData, useRevalidator } from 'react-router'
import type { RatingSummary } from '#contract/ratings.ts'
import type { Script } from '#contract/scripts.ts'
import { readScriptId } from '#contract/slug.ts'
import { MessagePage } from '#web/components/message-page.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { RatingStat } from '#web/components/rating-stat.tsx'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { honorsOf, propertiesOf } from '#web/components/script-badges.ts'
import { apiContext } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { ScriptSkeleton } from '#web/components/script-skeleton.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { fileSize, fullCount } from '#web/lib/numbers.ts'
import { useSession } from '#web/lib/session.tsx'
import { buttonClass, LinkButton } from '#web/ui/button.tsx'
import { makePreview, type Preview } from './code-preview.tsx'
import { CopyScript } from './copy-button.tsx'
import { RatingsPanel, withText, type WrittenReview } from './ratings-panel.tsx'
import { ScriptCode } from './script-code.tsx'
import { ScriptOverview } from './script-overview.tsx'
import { ScriptSidebar } from './script-sidebar.tsx'
import { SectionNav } from './section-nav.tsx'

const loadSlots = () => import('./member-slots.tsx')
const ToolsSlot = lazyComponent(async () => (await loadSlots()).ToolsSlot)
const VersionsSlot = lazyComponent(async () => (await loadSlots()).VersionsSlot)

/** The API's limit for the `slug` parameter. */
const MAX_SLUG_LENGTH = 400
const NOT_FOUND = 404

export type PageScript = Omit<Script, 'script_content'>

export interface Ratings {
  summary: RatingSummary
  reviews: WrittenReview[]
}

interface ScriptDetails {
  script: PageScript
  preview: Preview
  /** Null when the ratings could not be loaded; the script is shown without them. */
  ratings: Ratings | null
}

/** Loads a script with its ratings. Null with status 404 if it does not exist; redirects to its canonical URL. */
export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const slug = params['slug'] ?? ''
  const id = slug.length > MAX_SLUG_LENGTH ? null : readScriptId(slug)
  if (id === null) return notFound()
  const api = context.get(apiContext)
  const { signal } = request
  const [found, ratings] = await Promise.all([
    api('GET /api/script-details-slug', { query: { slug }, signal }).catch(nullIfNotFound),
    api('GET /api/script-rating', { query: { id }, signal }).catch(() => null),
  ])
  if (!found) return notFound()
  const { script_content, ...script } = found.script
  if (script.slug !== slug) return replace(`/scripts/${encodeURIComponent(script.slug)}`)
  const details: ScriptDetails = {
    script,
    preview: await preparePreview(script_content),
    ratings: ratings && { summary: ratings.summary, reviews: withText(ratings.ratings) },
  }
  return data<ScriptDetails | null>(details)
}

const notFound = () => data<ScriptDetails | null>(null, { status: NOT_FOUND })

function nullIfNotFound(error: unknown): null {
  if (error instanceof ApiError && error.status === NOT_FOUND) return null
  throw error
}

// The server sends highlighted code. In the browser the grammar is loaded after the page is shown.
async function preparePreview(code: string): Promise<Preview> {
  const preview = makePreview(code)
  if (!import.meta.env.SSR) return preview
  const { highlightLuau } = await import('./highlight-luau.ts')
  return highlightLuau(preview)
}

export function Component() {
  const details = useLoaderData<ScriptDetails | null>()
  // The key resets the page's state when navigating between scripts.
  return details ? <ScriptView key={details.script.id} {...details} /> : <MissingScript />
}

/**
 * The server renders pages for visitors, so a member's own private script is missing there. Once the session is known,
 * it is loaded again; until then, members see a skeleton.
 */
function MissingScript() {
  const { revalidate } = useRevalidator()
  const { status } = useSession()
  const [isChecked, setChecked] = useState(status === 'member')
  const mustCheck = status === 'member' && !isChecked
  useEffect(() => {
    // In a transition, as the router's own update: the script is shown first if it exists.
    if (mustCheck) void revalidate().finally(() => startTransition(() => setChecked(true)))
  }, [mustCheck, revalidate])
  if (mustCheck) return <ScriptSkeleton />
  if (status !== 'loading') return <ScriptNotFound />
  return (
    <>
      <div className="member:hidden">
        <ScriptNotFound />
      </div>
      <div className="hidden member:block">
        <ScriptSkeleton />
      </div>
    </>
  )
}

const NOT_FOUND_TEXT = "This script doesn't exist, or it's no longer public."

function ScriptNotFound() {
  return (
    <>
      <PageHead title="Script Not Found" description={NOT_FOUND_TEXT} path="/scripts" isListed={false} />
      <MessagePage icon={FileQuestion} title="Script Not Found" text={NOT_FOUND_TEXT}>
        <LinkButton to="/scripts" variant="primary">
          Back to scripts
        </LinkButton>
      </MessagePage>
    </>
  )
}

const mainClass = 'flex min-w-0 flex-col gap-5 lg:col-start-1'

function ScriptView({ script, preview, ratings }: ScriptDetails) {
  const isSessionKnown = useSession().status !== 'loading'
  return (
    <>
      <PageHead
        title={script.title}
        description={script.summary}
        path={`/scripts/${encodeURIComponent(script.slug)}`}
        {...(script.image ? { image: script.image } : {})}
      />
      <div className="mx-auto w-full max-w-7xl px-4 pt-4 md:pb-16">
        <ScriptHeader script={script} />
        <SectionNav />
        <div className="grid gap-x-8 gap-y-10 pt-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_auto_1fr]">
          <section id="overview" aria-label="Overview" className={mainClass}>
            <ScriptOverview script={script} />
          </section>
          <section id="preview" aria-labelledby="preview-heading" className={mainClass}>
            <h2 id="preview-heading" className="text-xl font-semibold">
              Preview
            </h2>
            <ScriptCode preview={preview} fileName={`${script.slug}.luau`}>
              <CopyScript script={script} variant="ghost" size="sm" />
            </ScriptCode>
            <div className="min-h-11 sm:min-h-8">
              {isSessionKnown && (
                <Suspense>
                  <VersionsSlot script={script} />
                </Suspense>
              )}
            </div>
          </section>
          <ScriptSidebar script={script} />
          <section id="ratings" aria-labelledby="ratings-heading" className={mainClass}>
            <h2 id="ratings-heading" className="text-xl font-semibold">
              Ratings and reviews
            </h2>
            <RatingsPanel script={script} ratings={ratings} />
          </section>
        </div>
        {/* Sticky instead of fixed, so that it does not cover the footer. */}
        <div className="sticky bottom-0 z-20 -mx-4 mt-8 flex gap-2 border-t border-line bg-surface-1 p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:hidden">
          <CopyScript script={script} variant="primary" className="flex-1" />
          {script.is_public && <DownloadLink id={script.id} className="flex-1" />}
        </div>
      </div>
    </>
  )
}

function ScriptHeader({ script }: { script: PageScript }) {
  const isSessionKnown = useSession().status !== 'loading'
  return (
    <header className="flex flex-col gap-4 pb-5">
      <div className="flex justify-between gap-2">
        <Link
          to="/scripts"
          className="-mx-2 inline-flex min-h-11 items-center gap-1.5 self-start rounded-sm px-2 text-sm text-muted hover:text-text sm:min-h-8"
        >
          <ArrowLeft aria-hidden className="size-4" />
          All scripts
        </Link>
        {isSessionKnown && (
          <Suspense>
            <ToolsSlot script={script} />
          </Suspense>
        )}
      </div>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
        <div className="flex min-w-0 flex-1 basis-80 flex-col gap-3">
          <h1 dir="auto" className="text-2xl leading-tight font-semibold wrap-anywhere sm:text-[32px]">
            <bdi>{script.title}</bdi>
          </h1>
          <ul aria-label="Badges" className="flex flex-wrap gap-2">
            {honorsOf(script).map(({ label, icon: Icon }) => (
              <li key={label} className={`${badgeClass} bg-accent-soft text-accent`}>
                <Icon aria-hidden className="size-3.5" />
                {label}
              </li>
            ))}
            {propertiesOf(script).map((label) => (
              <li key={label} className={`${badgeClass} bg-surface-2 text-muted`}>
                {label}
              </li>
            ))}
          </ul>
        </div>
        <div className="hidden gap-2 md:flex">
          <CopyScript script={script} label="Copy script" variant="primary" />
          {script.is_public && <DownloadLink id={script.id} />}
        </div>
      </div>
      <Stats script={script} />
    </header>
  )
}

const badgeClass = 'inline-flex min-h-6 items-center gap-1.5 rounded-sm px-2 text-xs font-medium'

function Stats({ script }: { script: PageScript }) {
  return (
    <ul className="flex flex-wrap items-center gap-x-5 gap-y-2 text-muted tabular-nums">
      <Stat icon={<Eye aria-hidden className="size-4" />} unit={script.view_count === 1 ? 'view' : 'views'}>
        {fullCount(script.view_count)}
      </Stat>
      <li className="flex items-center gap-1.5">
        <RatingStat average={script.rating_average} count={script.rating_count} />
        <span aria-hidden>({fullCount(script.rating_count)})</span>
      </li>
      <Stat
        icon={<ArrowDownToLine aria-hidden className="size-4" />}
        unit={script.download_count === 1 ? 'download' : 'downloads'}
      >
        {fullCount(script.download_count)}
      </Stat>
      <li>{fileSize(script.file_size)}</li>
      <li className="wrap-anywhere">
        Version <bdi>{script.version}</bdi>
      </li>
      <li>
        Updated <RelativeTime iso={script.updated_at} />
      </li>
    </ul>
  )
}

function Stat({ icon, unit, children }: { icon: ReactNode; unit: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-1.5">
      {icon}
      {children} {unit}
    </li>
  )
}

/** A plain link to the attachment. The server counts the download. */
function DownloadLink({ id, className }: { id: number; className?: string }) {
  return (
    <a href={`/api/script-download?id=${id}`} download className={buttonClass('secondary', 'md', className)}>
      <Download aria-hidden className="size-4" />
      Download
    </a>
  )
}
