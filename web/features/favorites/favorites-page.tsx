import CloudOff from 'lucide-react/icons/cloud-off'
import Download from 'lucide-react/icons/download'
import Heart from 'lucide-react/icons/heart'
import HeartOff from 'lucide-react/icons/heart-off'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate, useQuery } from '#web/router/router.tsx'
import type { Favorite, FavoriteList } from '#contract/favorites.ts'
import { FAVORITE_SORTS, type FavoriteSort } from '#contract/limits.ts'
import { MembersOnly } from '#web/shared/sign-in/members-only.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { ScriptCard } from '#web/shared/cards/script-card.tsx'
import { useRemovalFocus } from '#web/ui/use-removal-focus.ts'
import { useApi } from '#web/lib/api-context.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { downloadFile } from '#web/lib/download-file.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button, buttonClass, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuAction } from '#web/ui/menu.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useToast } from '#web/ui/toast.tsx'

const SORTS: Record<FavoriteSort, string> = {
  added: 'Recently added',
  name: 'Name',
  updated: 'Recently updated',
  rating: 'Rating',
}

interface View {
  sort: FavoriteSort
  page: number
}

function readView(query: URLSearchParams): View {
  const page = Number(query.get('page'))
  return {
    sort: FAVORITE_SORTS.find((sort) => sort === query.get('sort')) ?? 'added',
    page: Number.isInteger(page) && page >= 1 && page <= 1000 ? page : 1,
  }
}

function urlOf({ sort, page }: View): string {
  const query = new URLSearchParams([
    ...(sort === 'added' ? [] : [['sort', sort]]),
    ...(page === 1 ? [] : [['page', String(page)]]),
  ])
  return query.size > 0 ? `/favorites?${query}` : '/favorites'
}

const gridClass = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,17.5rem),1fr))] gap-4'

export function Component() {
  const query = useQuery()
  return (
    <>
      <PageHead title="Favorites" description="Scripts you saved." path="/favorites" isListed={false} />
      <MembersOnly purpose="see your favorites" skeleton={<FavoritesSkeleton />}>
        {({ id }) => <Favorites key={id} view={readView(query)} />}
      </MembersOnly>
    </>
  )
}

function Favorites({ view }: { view: View }) {
  const navigate = useNavigate()
  const { list, isPending, remove, retry } = useFavorites(view)
  const total = list?.pagination.total ?? 0
  return (
    <Frame
      text={list ? describeTotal(total) : undefined}
      tools={
        total > 0 && (
          <>
            <Select
              label="Sort"
              value={view.sort}
              options={SORTS}
              onChange={(sort) => void navigate(urlOf({ sort, page: 1 }))}
            />
            <ExportMenu />
          </>
        )
      }
    >
      {list === undefined && <CardSkeletons />}
      {list === null && (
        <section aria-label="Error">
          <h2 className="sr-only">Saved scripts</h2>
          <EmptyState icon={CloudOff} title="Couldn't load your favorites" text="Try again in a moment.">
            <Button onClick={retry}>Try again</Button>
          </EmptyState>
        </section>
      )}
      {list && <FavoriteCards list={list} view={view} isPending={isPending} onRemove={remove} />}
    </Frame>
  )
}

const describeTotal = (total: number) =>
  `${total === 1 ? '1 script' : `${fullCount(total)} scripts`}. Only you can see this list.`

function Frame({ text, tools, children }: { text?: string | undefined; tools?: ReactNode; children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 py-8">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="flex min-w-0 flex-col gap-1">
          <h1 className="text-2xl font-semibold">Favorites</h1>
          <p className="min-h-6 text-muted tabular-nums">{text}</p>
        </div>
        <div className="flex min-h-11 flex-wrap items-center gap-2 sm:min-h-10">{tools}</div>
      </header>
      {children}
    </div>
  )
}

interface CardsProps {
  list: FavoriteList
  view: View
  isPending: boolean
  /** Rejects if the favorite was not removed, after it has shown why. */
  onRemove: (favorite: Favorite) => Promise<void>
}

function FavoriteCards({ list, view, isPending, onRemove }: CardsProps) {
  const { favorites, pagination, unavailable_count } = list
  const { section, removeEntry } = useRemovalFocus<HTMLElement>(favorites.map(({ script }) => script.id))
  return (
    <section ref={section} aria-labelledby="saved-scripts" className="flex flex-col gap-6">
      <h2 id="saved-scripts" className="sr-only">
        Saved scripts
      </h2>
      {unavailable_count > 0 && (
        <p className="rounded-md border border-line bg-surface-1 px-4 py-3 text-muted">
          {unavailable_count === 1
            ? '1 favorite is not public right now. It comes back if its author publishes it again.'
            : `${fullCount(unavailable_count)} favorites are not public right now. They come back if their authors publish them again.`}
        </p>
      )}
      {favorites.length > 0 ? (
        <ul
          aria-label="Favorites"
          aria-busy={isPending}
          className={`${gridClass} motion-safe:transition-opacity ${isPending ? 'opacity-50' : ''}`}
        >
          {favorites.map((favorite, index) => (
            <li key={favorite.script.id} className="min-w-0">
              <ScriptCard
                card={favorite.script}
                index={index}
                hasFavorite={false}
                action={
                  <IconButton
                    icon={HeartOff}
                    label={`Remove ${favorite.script.title} from favorites`}
                    title="Remove from favorites"
                    data-remove
                    onClick={() => void removeEntry(favorite.script.id, () => onRemove(favorite))}
                  />
                }
              />
            </li>
          ))}
        </ul>
      ) : (
        <NoFavorites view={view} total={pagination.total} />
      )}
      <Pagination page={pagination.page} pages={pagination.pages} hrefOf={(page) => urlOf({ ...view, page })} />
    </section>
  )
}

function NoFavorites({ view, total }: { view: View; total: number }) {
  if (total > 0) {
    return (
      <EmptyState icon={Heart} title="This page doesn't exist" text="The list has fewer pages.">
        <LinkButton to={urlOf({ ...view, page: 1 })}>Show the first page</LinkButton>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Heart}
      title="No favorites yet"
      text="Press the heart on a card, or Favorite on a script's page, to save it here."
    >
      <LinkButton to="/scripts" variant="primary">
        Browse scripts
      </LinkButton>
    </EmptyState>
  )
}

interface Loaded {
  /** The view and the attempt that it was loaded for. */
  key: string
  list: FavoriteList | null
}

/** One page of favorites: undefined while loading, null if loading failed. Loads again when its last one is removed. */
function useFavorites(view: View) {
  const api = useApi()
  const toast = useToast()
  const { sort, page } = view
  const [{ attempt, loaded }, setState] = useState<{ attempt: number; loaded?: Loaded }>({ attempt: 0 })
  const key = `${sort} ${page} ${attempt}`
  useEffect(() => {
    const request = new AbortController()
    api('GET /api/favorites', { query: { sort, page }, signal: request.signal }).then(
      (list) => setState((current) => ({ ...current, loaded: { key, list } })),
      () => {
        if (!request.signal.aborted) setState((current) => ({ ...current, loaded: { key, list: null } }))
      },
    )
    return () => request.abort()
  }, [api, sort, page, key])
  const reload = () => setState((current) => ({ ...current, attempt: current.attempt + 1 }))
  const isPending = loaded !== undefined && loaded.key !== key

  const restore = async ({ script, added_at }: Favorite) => {
    try {
      await api('POST /api/favorites', { body: { script_id: script.id, added_at } })
      reload()
    } catch (error) {
      toast({ title: `Couldn't restore ${script.title}`, text: describeActionError(error), tone: 'error' })
    }
  }
  const remove = async (favorite: Favorite) => {
    const { script } = favorite
    try {
      await api('DELETE /api/favorites', { query: { script_id: script.id } })
      setState((current) => {
        if (!current.loaded?.list) return current
        const list = without(current.loaded.list, script.id)
        // The last card stays until the scripts that follow are loaded, so that the focus moves to the first of them.
        const isEmptied = list.favorites.length === 0 && list.pagination.total > 0
        return isEmptied
          ? { ...current, attempt: current.attempt + 1 }
          : { ...current, loaded: { ...current.loaded, list } }
      })
      // A list that is being loaded may still have it.
      if (isPending) reload()
      toast({
        title: 'Removed from favorites',
        text: <Undo title={script.title} onUndo={() => restore(favorite)} />,
        tone: 'success',
      })
    } catch (error) {
      toast({ title: `Couldn't remove ${script.title}`, text: describeActionError(error), tone: 'error' })
      throw error
    }
  }
  return {
    list: loaded?.list,
    isPending,
    remove,
    retry: () => setState({ attempt: attempt + 1 }),
  }
}

const without = (list: FavoriteList, scriptId: number): FavoriteList => ({
  ...list,
  favorites: list.favorites.filter(({ script }) => script.id !== scriptId),
  pagination: { ...list.pagination, total: Math.max(0, list.pagination.total - 1) },
})

/** Part of a message: what was removed, and a button that brings it back. */
function Undo({ title, onUndo }: { title: string; onUndo: () => Promise<void> }) {
  const [isUndone, setUndone] = useState(false)
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-4">
      <bdi className="min-w-0 truncate">{title}</bdi>
      <Button
        size="sm"
        disabled={isUndone}
        onClick={() => {
          setUndone(true)
          void onUndo()
        }}
      >
        {isUndone ? 'Restored' : 'Undo'}
      </Button>
    </span>
  )
}

function ExportMenu() {
  const api = useApi()
  const toast = useToast()
  const save = async (format: 'json' | 'csv') => {
    try {
      const content = await api('GET /api/favorites-export', { query: { format } })
      if (format === 'json') downloadFile('favorites.json', JSON.stringify(content, null, 2), 'application/json')
      // The browser drops the byte order mark, by which spreadsheets recognize UTF-8.
      else downloadFile('favorites.csv', `\uFEFF${content}`, 'text/csv')
    } catch (error) {
      toast({ title: "Couldn't export your favorites", text: describeActionError(error), tone: 'error' })
    }
  }
  return (
    <Menu
      label="Export"
      isButtonNamed
      button={
        <>
          <Download aria-hidden className="size-4" />
          Export
        </>
      }
      buttonClass={buttonClass()}
    >
      <MenuAction onSelect={() => void save('csv')}>Spreadsheet (CSV)</MenuAction>
      <MenuAction onSelect={() => void save('json')}>JSON</MenuAction>
    </Menu>
  )
}

function FavoritesSkeleton() {
  return (
    <Frame>
      <CardSkeletons />
    </Frame>
  )
}

function CardSkeletons() {
  return (
    <div className={gridClass}>
      <output className="sr-only">Loading...</output>
      {['a', 'b', 'c', 'd'].map((name) => (
        <Skeleton key={name} className="h-88" />
      ))}
    </div>
  )
}
