import FileQuestion from 'lucide-react/icons/file-question-mark'
import { type ReactNode, Suspense, useState } from 'react'
import { Outlet, useLoaderData, useLocation } from '#web/router/router.tsx'
import { data, type LoaderArgs, redirect } from '#web/router/routes.ts'
import { atomFeed } from '#contract/feed-paths.ts'
import { readScriptId } from '#contract/slug.ts'
import type { BehaviorView } from '#web/shared/behavior/behavior-view.ts'
import { FeedLink } from '#web/ui/feed-link.tsx'
import { MissingForVisitors } from '#web/shared/missing-for-visitors.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { type RichNode, RichText } from '#web/shared/markdown/rich-text.tsx'
import { apiContext } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { SessionSlot } from '#web/shared/sign-in/session-slot.tsx'
import { ScriptSkeleton } from '#web/shared/cards/script-skeleton.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { makePreview, type Preview } from './code-preview.ts'
import { COPY_SHORTCUT, CopyScript } from './copy-script.tsx'
import { RatingsPanel } from './ratings-panel.tsx'
import { ScriptCode } from './script-code.tsx'
import { type FoundScript, type PageScript, type ScriptDetails, formatReviews } from './script-details.ts'
import { DownloadLink, ScriptHeader } from './script-header.tsx'
import { ScriptOverview } from './script-overview.tsx'
import { editPath, scriptPath } from '#web/shared/script-paths.ts'
import { ScriptSidebar } from './script-sidebar.tsx'
import { SectionNav } from './section-nav.tsx'
import { WithdrawnScript } from './withdrawn-script.tsx'

// The server renders these; the browser loads them after the page is shown and hydrates them then.
const RelatedScripts = import.meta.env.SSR
  ? (await import('./related-scripts.tsx')).RelatedScripts
  : lazyComponent(async () => (await import('./related-scripts.tsx')).RelatedScripts)
const CommentsSection = import.meta.env.SSR
  ? (await import('#web/features/comments/comments-section.tsx')).CommentsSection
  : lazyComponent(async () => (await import('#web/features/comments/comments-section.tsx')).CommentsSection)
const ScriptBehavior = import.meta.env.SSR
  ? (await import('./script-behavior.tsx')).ScriptBehavior
  : lazyComponent(async () => (await import('./script-behavior.tsx')).ScriptBehavior)
const CasesSlot = lazyComponent(async () => (await import('./member-slots.tsx')).CasesSlot)
const VersionsSlot = lazyComponent(async () => (await import('./member-slots.tsx')).VersionsSlot)

/** The API's limit for the `slug` parameter. */
const MAX_SLUG_LENGTH = 400
const NOT_FOUND = 404

/** Loads a script with its ratings. Null with status 404 if it does not exist, why with 410 if it was withdrawn; redirects to its canonical URL. */
export async function loader({ context, params, request }: LoaderArgs) {
  const slug = params['slug'] ?? ''
  const id = slug.length > MAX_SLUG_LENGTH ? null : readScriptId(slug)
  if (id === null) return missing()
  const api = context.get(apiContext)
  const { signal } = request
  const { loadBehavior } = await import('#web/shared/behavior/load-behavior.ts')
  const [response, ratings, related, works, comments, behavior] = await Promise.all([
    api('GET /api/script-details-slug', { query: { slug }, signal }).catch(explainMissing),
    api('GET /api/script-rating', { query: { id }, signal }).catch(() => null),
    api('GET /api/related-scripts', { query: { id }, signal }).catch(() => null),
    api('GET /api/works-votes', { query: { id }, signal }).catch(() => null),
    api('GET /api/script-comments', { query: { id }, signal }).catch(() => null),
    loadBehavior(api, id, signal),
  ])
  if (response instanceof ApiError)
    return response.withdrawn ? data<FoundScript>({ withdrawn: response.withdrawn }, { status: 410 }) : missing()
  const { script_content, description, changelog_markdown, ...script } = response.script
  if (script.slug !== slug) return redirect(scriptPath(script) + subpathOf(request))
  const { formatMarkdown, renderMarkdown, safeUrl } = await import('#web/shared/markdown/render-markdown.ts')
  const details: ScriptDetails = {
    script: { ...script, key_system_url: safeUrl(script.key_system_url) },
    description: await formatMarkdown(description),
    notes: changelog_markdown === null ? null : await renderMarkdown(changelog_markdown),
    preview: await preparePreview(script_content),
    ratings: ratings && { summary: ratings.summary, reviews: await formatReviews(ratings.ratings) },
    related,
    works,
    comments,
    behavior,
  }
  return data<FoundScript>(details)
}

/** What follows the slug in the URL's path: that of the dialog that edits the script. */
const subpathOf = ({ url }: Request): string => /^\/scripts\/[^/]+(\/.+?)\/?$/.exec(new URL(url).pathname)?.[1] ?? ''

const missing = () => data<FoundScript>(null, { status: NOT_FOUND })

function explainMissing(error: unknown): ApiError {
  if (error instanceof ApiError && (error.status === NOT_FOUND || error.withdrawn)) return error
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
  const details = useLoaderData<FoundScript>()
  // The key resets the page's state when navigating between scripts.
  if (!details) return <MissingScript />
  if ('withdrawn' in details) return <WithdrawnScript {...details} />
  return (
    <>
      <ScriptView key={details.script.id} {...details} />
      <Outlet />
    </>
  )
}

function MissingScript() {
  return (
    <MissingForVisitors
      icon={FileQuestion}
      title="Script Not Found"
      text="This script doesn't exist, or it's no longer public."
      path="/scripts"
      skeleton={<ScriptSkeleton />}
    >
      <LinkButton to="/scripts" variant="primary">
        Back to scripts
      </LinkButton>
    </MissingForVisitors>
  )
}

function ScriptView({ behavior: loaded, ...details }: ScriptDetails) {
  const { script, works, related } = details
  const [update, setUpdate] = useState<{ from: BehaviorView | null; to: BehaviorView }>()
  const behavior = update?.from === loaded ? update.to : loaded
  const alert = behavior?.alert ?? null
  return (
    <>
      <Head script={script} />
      <div className="mx-auto w-full max-w-7xl px-4 pt-4 pb-8 md:pb-16">
        <ScriptHeader script={script} behavior={behavior} />
        <SessionSlot>
          <CasesSlot script={script} />
        </SessionSlot>
        <SectionNav versionCount={Math.max(1, script.version_count)} hasComments={details.comments !== null} />
        <div className="grid gap-x-8 gap-y-10 pt-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_auto_auto_auto_auto_1fr]">
          <CodeSections {...details} behavior={behavior} onUpdate={(to) => setUpdate({ from: loaded, to })} />
          <Suspense>
            <ScriptSidebar script={script} works={works} />
          </Suspense>
          <CommunitySections {...details} />
        </div>
        {related && (
          <Suspense>
            <RelatedScripts script={script} related={related} />
          </Suspense>
        )}
        {/* The styles leave room for it below the footer. */}
        <div
          data-bottom-bar
          className="fixed inset-x-0 bottom-0 z-20 flex gap-2 border-t border-line bg-surface-1 p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] short:px-3 short:py-1 md:hidden tiny:hidden"
        >
          <CopyScript
            script={script}
            alert={alert}
            variant={alert ? 'secondary' : 'primary'}
            className="flex-1"
            shortcut={COPY_SHORTCUT}
          />
          <DownloadLink script={script} className="flex-1" />
        </div>
      </div>
    </>
  )
}

function Head({ script }: { script: PageScript }) {
  const isEditing = useLocation().pathname === editPath(script)
  return (
    <PageHead
      title={isEditing ? `Edit ${script.title}` : script.title}
      description={script.summary}
      path={scriptPath(script)}
      isListed={!isEditing && !script.is_unlisted}
      {...(script.is_public && !isEditing
        ? { image: socialImage(script), feed: versionsFeed(script), isEmbeddable: true }
        : {})}
    />
  )
}

type CodeProps = Omit<ScriptDetails, 'works' | 'related' | 'ratings' | 'comments'> & {
  onUpdate: (behavior: BehaviorView) => void
}

function CodeSections({ script, description, notes, preview, behavior, onUpdate }: CodeProps) {
  const feed = versionsFeed(script)
  return (
    <>
      <section id="overview" aria-label="Overview" className={mainClass}>
        <ScriptOverview script={script} description={description} />
      </section>
      <Section id="behavior" title="Code check">
        {behavior ? (
          <Suspense>
            <ScriptBehavior scriptId={script.id} behavior={behavior} onUpdate={onUpdate} />
          </Suspense>
        ) : (
          <p className="text-muted">Couldn't load the code check. Reload the page to try again.</p>
        )}
      </Section>
      <Section id="preview" title="Preview">
        <Suspense>
          <ScriptCode script={script} preview={preview} behavior={behavior} />
        </Suspense>
      </Section>
      <Section id="versions" title="Versions" aside={feed && <FeedLink path={feed} label="new versions" />}>
        <LatestVersion script={script} notes={notes} />
        <div className="min-h-11 noscript:hidden sm:min-h-8">
          <SessionSlot>
            <VersionsSlot script={script} />
          </SessionSlot>
        </div>
      </Section>
    </>
  )
}

function CommunitySections({ script, ratings, comments }: Pick<ScriptDetails, 'script' | 'ratings' | 'comments'>) {
  return (
    <>
      <Section id="ratings" title="Ratings and reviews">
        <Suspense>
          <RatingsPanel script={script} ratings={ratings} />
        </Suspense>
      </Section>
      {comments && (
        <section id="comments" aria-labelledby="comments-heading" className={mainClass}>
          <Suspense>
            <CommentsSection script={script} page={comments} />
          </Suspense>
        </section>
      )}
    </>
  )
}

const mainClass = 'flex min-w-0 flex-col gap-5 lg:col-start-1'

interface SectionProps {
  id: string
  title: string
  /** At the end of the heading's line. */
  aside?: ReactNode
  children: ReactNode
}

function Section({ id, title, aside, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className={mainClass}>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id={`${id}-heading`} className="text-xl font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** Path of the image for link previews. It changes with the script, because others cache it. */
const socialImage = ({ slug, updated_at }: PageScript) =>
  `/social/${encodeURIComponent(slug)}.jpg?v=${Date.parse(updated_at).toString(36)}`

/** Undefined for a script that visitors cannot find. */
const versionsFeed = ({ id, is_public, is_unlisted }: PageScript) =>
  is_public && !is_unlisted ? atomFeed('versions', `?id=${id}`) : undefined

interface LatestVersionProps {
  script: PageScript
  notes: RichNode[] | null
}

function LatestVersion({ script: { version, version_created_at }, notes }: LatestVersionProps) {
  return (
    <div className="flex max-w-prose flex-col gap-1 wrap-anywhere">
      <p>
        <bdi className="font-semibold">{version}</bdi>{' '}
        <span className="text-sm text-muted">
          <RelativeTime iso={version_created_at} />
        </span>
      </p>
      {notes && <RichText nodes={notes} className="text-muted" />}
    </div>
  )
}
