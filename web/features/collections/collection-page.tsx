import EyeOff from 'lucide-react/icons/eye-off'
import FileQuestion from 'lucide-react/icons/file-question-mark'
import Library from 'lucide-react/icons/library'
import Lock from 'lucide-react/icons/lock'
import { Suspense, useEffect, useState } from 'react'
import { Link, useLoaderData, useRevalidator } from '#web/router/router.tsx'
import { data, type LoaderArgs } from '#web/router/routes.ts'
import type { CollectionPage } from '#contract/collections.ts'
import { collectionUrl, describeItems } from '#web/shared/collections/collection-list.tsx'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { MissingForVisitors } from '#web/shared/missing-for-visitors.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { ScriptCard } from '#web/shared/cards/script-card.tsx'
import { ScriptSkeleton } from '#web/shared/cards/script-skeleton.tsx'
import { apiContext } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useUser } from '#web/lib/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'

const HiddenNotice = lazyComponent(async () => (await import('#web/shared/hidden-notice.tsx')).HiddenNotice)
const ReportButtons = lazyComponent(async () => (await import('#web/shared/report/report-menu.tsx')).ReportButtons)
const OwnerTools = lazyComponent(async () => (await import('./owner-tools.tsx')).OwnerTools)

const MAX_SLUG_LENGTH = 400
const NOT_FOUND = 404

/** Loads a page of a collection. Null with status 404 if it does not exist or is private. */
export async function loader({ context, params, request }: LoaderArgs) {
  const slug = params['slug'] ?? ''
  const number = Number(new URL(request.url).searchParams.get('page'))
  const page = Number.isInteger(number) && number >= 1 && number <= 1000 ? number : 1
  if (slug.length > MAX_SLUG_LENGTH) return data<CollectionPage | null>(null, { status: NOT_FOUND })
  try {
    const api = context.get(apiContext)
    return data<CollectionPage | null>(
      await api('GET /api/collection', { query: { slug, page }, signal: request.signal }),
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== NOT_FOUND) throw error
    return data<CollectionPage | null>(null, { status: NOT_FOUND })
  }
}

export function Component() {
  const loaded = useLoaderData<CollectionPage | null>()
  return loaded ? <View key={loaded.collection.id} loaded={loaded} /> : <Missing />
}

function View({ loaded }: { loaded: CollectionPage }) {
  const { collection, items, pagination, unavailable_count } = loaded
  const user = useUser()
  const { revalidate } = useRevalidator()
  const isOwner = user?.id === collection.owner_id
  // The page was rendered for visitors; owners also see their own private scripts.
  useEffect(() => {
    if (isOwner) void revalidate()
  }, [isOwner, revalidate])
  const [isOrderOpen, setOrderOpen] = useState(false)
  // An empty page has nothing to order.
  const isArranging = isOrderOpen && items.length > 0
  const image = items.find(({ script }) => script.image)?.script.image
  const about = collection.description ?? `A collection of scripts by ${collection.owner_name}.`
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 py-8">
      <PageHead
        title={collection.name}
        description={about.replaceAll(/\s+/g, ' ')}
        path={collectionUrl(collection.slug, pagination.page)}
        isListed={collection.is_public}
        {...(image ? { image } : {})}
      />
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <CollectionHead collection={collection} count={pagination.total} />
        {isOwner && (
          <Suspense>
            <OwnerTools loaded={loaded} isArranging={isArranging} onArranging={setOrderOpen} />
          </Suspense>
        )}
        {user && !isOwner && !collection.is_hidden && (
          <Suspense>
            <ReportButtons
              subject={{ type: 'collection', id: collection.id, title: collection.name }}
              onHidden={() => void revalidate()}
            />
          </Suspense>
        )}
      </header>
      {isOwner && collection.is_hidden && (
        <Suspense>
          <HiddenNotice type="collection" id={collection.id} />
        </Suspense>
      )}
      {unavailable_count > 0 && (
        <p className="rounded-md border border-line bg-surface-1 px-4 py-3 text-muted">
          {unavailable_count === 1 ? '1 script is' : `${unavailable_count} scripts are`} not public right now and hidden
          from this page.
        </p>
      )}
      {!isArranging && <Items loaded={loaded} isOwner={isOwner} />}
      <Pagination
        page={pagination.page}
        pages={pagination.pages}
        hrefOf={(page) => collectionUrl(collection.slug, page)}
      />
    </div>
  )
}

function CollectionHead({ collection, count }: { collection: CollectionPage['collection']; count: number }) {
  return (
    <div className="flex min-w-0 flex-1 basis-80 flex-col gap-3">
      <h1 dir="auto" className="text-2xl leading-tight font-semibold wrap-anywhere sm:text-[32px]">
        <bdi>{collection.name}</bdi>
      </h1>
      {collection.description && (
        <p dir="auto" className="max-w-prose text-base wrap-anywhere whitespace-pre-wrap">
          {collection.description}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted tabular-nums">
        <span className="relative flex min-h-11 items-center gap-2 sm:min-h-8">
          <MemberAvatar member={{ author_avatar: collection.owner_avatar }} name={collection.owner_name} />
          <Link
            to={`/profile/${encodeURIComponent(collection.owner_slug)}`}
            className="font-medium text-text after:absolute after:inset-0 hover:text-accent hover:underline"
          >
            <bdi>{collection.owner_name}</bdi>
          </Link>
        </span>
        <span>{describeItems(count)}</span>
        <span>
          Changed <RelativeTime iso={collection.updated_at} />
        </span>
        {collection.is_hidden && (
          <span className="inline-flex items-center gap-1 font-medium text-danger">
            <EyeOff aria-hidden className="size-4" />
            Hidden by moderators
          </span>
        )}
        {!collection.is_public && (
          <span className="inline-flex items-center gap-1">
            <Lock aria-hidden className="size-4" />
            Private
          </span>
        )}
      </div>
    </div>
  )
}

function Items({ loaded, isOwner }: { loaded: CollectionPage; isOwner: boolean }) {
  const { collection, items, pagination } = loaded
  if (items.length === 0) {
    return (
      <section aria-label="Scripts">
        <h2 className="sr-only">Scripts</h2>
        {pagination.total > 0 ? (
          <EmptyState icon={Library} title="This page doesn't exist" text="The list has fewer pages.">
            <LinkButton to={collectionUrl(collection.slug, 1)}>Show the first page</LinkButton>
          </EmptyState>
        ) : (
          <EmptyState
            icon={Library}
            title="No scripts yet"
            text={isOwner ? "Press Collect on a script's page to add it." : 'Come back later.'}
          >
            <LinkButton to="/scripts">Browse scripts</LinkButton>
          </EmptyState>
        )}
      </section>
    )
  }
  return (
    <section aria-label="Scripts">
      <h2 className="sr-only">Scripts</h2>
      <ol className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17.5rem),1fr))] gap-4">
        {items.map(({ script, note }, index) => (
          <li key={script.id} className="flex min-w-0 flex-col gap-2">
            <div className="flex-1">
              <ScriptCard card={script} index={index} />
            </div>
            {note && (
              <p
                dir="auto"
                className="rounded-md border border-line bg-surface-1 p-3 wrap-anywhere whitespace-pre-wrap"
              >
                {note}
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Missing() {
  return (
    <MissingForVisitors
      icon={FileQuestion}
      title="Collection Not Found"
      text="This collection doesn't exist, or it's private."
      path="/collections"
      skeleton={<ScriptSkeleton />}
    >
      <LinkButton to="/scripts" variant="primary">
        Browse scripts
      </LinkButton>
    </MissingForVisitors>
  )
}
