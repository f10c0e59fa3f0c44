import BellOff from 'lucide-react/icons/bell-off'
import type { LucideIcon } from 'lucide-react'
import CloudOff from 'lucide-react/icons/cloud-off'
import Bell from 'lucide-react/icons/bell'
import UsersRound from 'lucide-react/icons/users-round'
import { type ReactNode, type Ref, useEffect, useState } from 'react'
import { Link, useQuery } from '#web/router/router.tsx'
import type { Card, Pagination as PageInfo } from '#contract/catalogue.ts'
import type { FollowedAuthor } from '#contract/following.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { MembersOnly } from '#web/shared/sign-in/members-only.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { ScriptCard } from '#web/shared/cards/script-card.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useRemovalFocus } from '#web/ui/use-removal-focus.ts'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type TabId = 'authors' | 'scripts'

const urlOf = (tab: TabId, page = 1): string => {
  const query = new URLSearchParams([
    ...(tab === 'authors' ? [] : [['tab', tab]]),
    ...(page === 1 ? [] : [['page', String(page)]]),
  ])
  return query.size > 0 ? `/following?${query}` : '/following'
}

const TABS = [
  { id: 'authors', label: 'Authors', to: urlOf('authors') },
  { id: 'scripts', label: 'Watched scripts', to: urlOf('scripts') },
]

export function Component() {
  const query = useQuery()
  const tab: TabId = query.get('tab') === 'scripts' ? 'scripts' : 'authors'
  const number = Number(query.get('page'))
  const page = Number.isInteger(number) && number >= 1 && number <= 1000 ? number : 1
  return (
    <>
      <PageHead title="Following" description="Authors you follow." path="/following" isListed={false} />
      <MembersOnly
        purpose="see whom you follow"
        skeleton={
          <Frame tab={tab}>
            <ListSkeleton />
          </Frame>
        }
      >
        {({ id }) => (
          <Frame tab={tab}>
            {tab === 'authors' ? (
              <Authors key={`${id} ${page}`} page={page} />
            ) : (
              <Scripts key={`${id} ${page}`} page={page} />
            )}
          </Frame>
        )}
      </MembersOnly>
    </>
  )
}

function Frame({ tab, children }: { tab: TabId; children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-8">
      <header className="flex flex-col gap-1">
        <h1 className="text-2xl font-semibold">Following</h1>
        <p className="text-muted">
          You get a notification when these authors publish a script, or these scripts get a new version. Only you can
          see these lists.
        </p>
      </header>
      <LinkTabs label="Following" tabs={TABS} current={tab}>
        <div className="flex flex-col gap-6 pt-2">{children}</div>
      </LinkTabs>
    </div>
  )
}

interface Entries<T> {
  entries: T[]
  pagination: PageInfo
}

const loadAuthors = async (api: Api, page: number, signal: AbortSignal): Promise<Entries<FollowedAuthor>> => {
  const { authors, pagination } = await api('GET /api/followed-authors', { query: { page }, signal })
  return { entries: authors, pagination }
}

const loadScripts = async (api: Api, page: number, signal: AbortSignal): Promise<Entries<Card>> => {
  const { scripts, pagination } = await api('GET /api/watched-scripts', { query: { page }, signal })
  return { entries: scripts, pagination }
}

const fadeClass = (isPending: boolean) => `motion-safe:transition-opacity ${isPending ? 'opacity-50' : ''}`

interface Loaded<T> {
  /** The attempt that it was loaded in. */
  attempt: number
  list: Entries<T> | null
}

/** A page of a list: undefined while loading, null if loading failed. Loads again when its last entry is removed. */
function useEntries<T>(load: (api: Api, page: number, signal: AbortSignal) => Promise<Entries<T>>, page: number) {
  const api = useApi()
  const [{ attempt, loaded }, setState] = useState<{ attempt: number; loaded?: Loaded<T> }>({ attempt: 0 })
  useEffect(() => {
    const request = new AbortController()
    load(api, page, request.signal).then(
      (list) => setState((current) => ({ ...current, loaded: { attempt, list } })),
      () => {
        if (!request.signal.aborted) setState((current) => ({ ...current, loaded: { attempt, list: null } }))
      },
    )
    return () => request.abort()
  }, [api, load, page, attempt])
  const remove = (entry: T) =>
    setState((current) => {
      if (!current.loaded?.list) return current
      const list = without(current.loaded.list, entry)
      // The last entry stays until those that follow are loaded, so that the focus moves to the first of them.
      const isEmptied = list.entries.length === 0 && list.pagination.total > 0
      return isEmptied
        ? { ...current, attempt: current.attempt + 1 }
        : { ...current, loaded: { ...current.loaded, list } }
    })
  const retry = () => setState({ attempt: attempt + 1 })
  return { list: loaded?.list, isPending: loaded !== undefined && loaded.attempt !== attempt, remove, retry }
}

function without<T>({ entries, pagination }: Entries<T>, entry: T): Entries<T> {
  const rest = entries.filter((each) => each !== entry)
  return { entries: rest, pagination: { ...pagination, total: pagination.total - (entries.length - rest.length) } }
}

function Authors({ page }: { page: number }) {
  const api = useApi()
  const run = useAction()
  const { list, isPending, remove, retry } = useEntries(loadAuthors, page)
  const { section, removeEntry } = useRemovalFocus<HTMLElement>(list?.entries.map(({ user_id }) => user_id) ?? [])
  const unfollow = (author: FollowedAuthor) =>
    removeEntry(author.user_id, async () => {
      await run(() => api('DELETE /api/follows', { query: { user_id: author.user_id } }), {
        success: `You no longer follow ${author.name}`,
        failure: `Couldn't unfollow ${author.name}`,
      })
      remove(author)
    })
  if (!list) return <Missing isLoading={list === undefined} onRetry={retry} />
  if (list.entries.length === 0) {
    return (
      <Section ref={section} title="Authors">
        {list.pagination.total > 0 ? (
          <PastEnd icon={UsersRound} {...list} tab="authors" />
        ) : (
          <EmptyState
            icon={UsersRound}
            title="You don't follow anyone yet"
            text="Press Follow on an author's profile to get notified of their new scripts."
          >
            <LinkButton to="/popular" variant="primary">
              See popular scripts
            </LinkButton>
          </EmptyState>
        )}
      </Section>
    )
  }
  return (
    <Section ref={section} title="Authors">
      <ul
        aria-label="Authors"
        aria-busy={isPending}
        className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-3 ${fadeClass(isPending)}`}
      >
        {list.entries.map((author) => (
          <li
            key={author.user_id}
            className="relative flex min-w-0 items-center gap-3 rounded-md border border-line bg-surface-1 p-3 focus-within:border-accent hover:border-line-strong"
          >
            <MemberAvatar member={{ author_avatar: author.avatar_url }} name={author.name} />
            <div className="min-w-0 flex-1">
              <Link
                to={`/profile/${encodeURIComponent(author.slug)}`}
                className="block truncate font-medium after:absolute after:inset-0 hover:text-accent"
              >
                <bdi>{author.name}</bdi>
              </Link>
              <p className="truncate text-sm text-muted">
                {author.script_count === 1 ? '1 script' : `${fullCount(author.script_count)} scripts`}, followed{' '}
                <RelativeTime iso={author.followed_at} />
              </p>
            </div>
            <span className="relative">
              <Button
                size="sm"
                aria-label={`Unfollow ${author.name}`}
                data-remove
                onClick={() => void unfollow(author)}
              >
                Unfollow
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <Pages pagination={list.pagination} tab="authors" />
    </Section>
  )
}

function Scripts({ page }: { page: number }) {
  const api = useApi()
  const run = useAction()
  const { list, isPending, remove, retry } = useEntries(loadScripts, page)
  const { section, removeEntry } = useRemovalFocus<HTMLElement>(list?.entries.map(({ id }) => id) ?? [])
  const unwatch = (card: Card) =>
    removeEntry(card.id, async () => {
      await run(() => api('DELETE /api/watches', { query: { script_id: card.id } }), {
        success: `You no longer watch ${card.title}`,
        failure: `Couldn't stop watching ${card.title}`,
      })
      remove(card)
    })
  if (!list) return <Missing isLoading={list === undefined} onRetry={retry} />
  if (list.entries.length === 0) {
    return (
      <Section ref={section} title="Watched scripts">
        {list.pagination.total > 0 ? (
          <PastEnd icon={Bell} {...list} tab="scripts" />
        ) : (
          <EmptyState
            icon={Bell}
            title="You don't watch any scripts yet"
            text="Press Watch on a script's page to get notified of its new versions."
          >
            <LinkButton to="/scripts" variant="primary">
              Browse scripts
            </LinkButton>
          </EmptyState>
        )}
      </Section>
    )
  }
  return (
    <Section ref={section} title="Watched scripts">
      <ul
        aria-label="Watched scripts"
        aria-busy={isPending}
        className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,17.5rem),1fr))] gap-4 ${fadeClass(isPending)}`}
      >
        {list.entries.map((card, index) => (
          <li key={card.id} className="min-w-0">
            <ScriptCard
              card={card}
              index={index}
              action={
                <IconButton
                  icon={BellOff}
                  label={`Stop watching ${card.title}`}
                  title="Stop watching"
                  data-remove
                  onClick={() => void unwatch(card)}
                />
              }
            />
          </li>
        ))}
      </ul>
      <Pages pagination={list.pagination} tab="scripts" />
    </Section>
  )
}

function Section({ ref, title, children }: { ref?: Ref<HTMLElement>; title: string; children: ReactNode }) {
  return (
    <section ref={ref} aria-label={title} className="flex flex-col gap-6">
      <h2 className="sr-only">{title}</h2>
      {children}
    </section>
  )
}

const Pages = ({ pagination: { page, pages }, tab }: { pagination: PageInfo; tab: TabId }) => (
  <Pagination page={page} pages={pages} hrefOf={(number) => urlOf(tab, number)} />
)

/** A page past the end of a list. */
const PastEnd = ({ icon, pagination, tab }: { icon: LucideIcon; pagination: PageInfo; tab: TabId }) => (
  <>
    <EmptyState icon={icon} title="This page doesn't exist" text="The list has fewer pages.">
      <LinkButton to={urlOf(tab, 1)}>Show the first page</LinkButton>
    </EmptyState>
    <Pages pagination={pagination} tab={tab} />
  </>
)

function Missing({ isLoading, onRetry }: { isLoading: boolean; onRetry: () => void }) {
  if (isLoading) return <ListSkeleton />
  return (
    <Section title="Error">
      <EmptyState icon={CloudOff} title="Couldn't load this list" text="Try again in a moment.">
        <Button onClick={onRetry}>Try again</Button>
      </EmptyState>
    </Section>
  )
}

function ListSkeleton() {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-3">
      <output className="sr-only">Loading...</output>
      {['a', 'b', 'c'].map((name) => (
        <Skeleton key={name} className="h-18" />
      ))}
    </div>
  )
}
