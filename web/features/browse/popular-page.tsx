import Award from 'lucide-react/icons/award'
import Flame from 'lucide-react/icons/flame'
import SearchX from 'lucide-react/icons/search-x'
import { useLoaderData, useNavigate, useNavigation, useQuery } from '#web/router/router.tsx'
import type { LoaderArgs } from '#web/router/routes.ts'
import type { Card } from '#contract/catalogue.ts'
import { atomFeed } from '#contract/feed-paths.ts'
import { FeedLink } from '#web/ui/feed-link.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import type { Badge } from '#web/shared/cards/script-badges.ts'
import { ScriptGrid } from '#web/shared/cards/script-grid.tsx'
import { SearchBox } from './search-box.tsx'
import { apiContext } from '#web/lib/api-context.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { readSearch, writeSearch } from '#web/lib/search-text.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Select } from '#web/ui/select.tsx'
import {
  MIN_RATING,
  MIN_VIEWS,
  POPULAR_SORTS,
  popularQuery,
  type PopularState,
  readPopular,
  writePopular,
} from './popular-state.ts'

const FORM_ID = 'popular-search'
const DESCRIPTION = "The community's top-rated and most-viewed scripts."
const FEED = atomFeed('scripts', '?sort=trending')
const TOP_RATED_FROM = 4.5
const TRENDING_FROM_VIEWS = 1000

export function loader({ context, request }: LoaderArgs) {
  const query = popularQuery(readPopular(new URL(request.url).searchParams))
  return context.get(apiContext)('GET /api/scripts', { query, signal: request.signal })
}

export function Component() {
  const { scripts, pagination } = useLoaderData<typeof loader>()
  const query = useQuery()
  const navigate = useNavigate()
  const isPending = useNavigation().state === 'loading'
  const state = readPopular(query)
  // Reads the current URL, which may be ahead of the rendered state.
  const show = (change: Partial<PopularState>) => {
    const current = readPopular(new URLSearchParams(location.search))
    void navigate(writePopular({ ...current, ...change, page: 1 }), { preventScrollReset: true })
  }
  const search = (form: FormData) => {
    const typed = form.get('search')
    show(readSearch(typeof typed === 'string' ? typed : ''))
  }
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-8">
      <PageHead title="Popular scripts" description={DESCRIPTION} path={writePopular(state)} feed={FEED} />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h1 className="text-2xl font-semibold">Popular scripts</h1>
        <FeedLink path={FEED} label="trending scripts" />
      </div>
      <p className="text-muted">{DESCRIPTION}</p>
      <SearchBox text={writeSearch(state)} action="/popular" onSearch={search} formId={FORM_ID} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <output className="font-medium">
          {fullCount(pagination.total)} {pagination.total === 1 ? 'script' : 'scripts'}
        </output>
        <Select
          label="Sort"
          form={FORM_ID}
          name="sort"
          value={state.sort}
          options={POPULAR_SORTS}
          onChange={(sort) => show({ sort })}
        />
      </div>
      <h2 className="sr-only">Results</h2>
      {scripts.length > 0 ? (
        <ScriptGrid cards={scripts} isPending={isPending} badges={badgesOf} />
      ) : (
        <NoScripts state={state} pages={pagination.pages} />
      )}
      <Pagination page={state.page} pages={pagination.pages} hrefOf={(page) => writePopular({ ...state, page })} />
    </div>
  )
}

function NoScripts({ state, pages }: { state: PopularState; pages: number }) {
  if (pages > 0 || state.search || state.tags.length > 0) {
    const text =
      pages > 0 ? `There ${pages === 1 ? 'is only 1 page' : `are only ${pages} pages`}.` : 'Try fewer words or tags.'
    return (
      <EmptyState icon={SearchX} title="No popular scripts found" text={text}>
        <LinkButton to="/popular">Show all popular scripts</LinkButton>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Flame}
      title="No popular scripts yet"
      text={`Scripts appear here once they have ${MIN_VIEWS} views and a rating of ${MIN_RATING}.`}
    >
      <LinkButton to="/">Browse scripts</LinkButton>
    </EmptyState>
  )
}

const badgesOf = ({ rating_average, view_count }: Card): Badge[] => [
  ...(rating_average >= TOP_RATED_FROM ? [{ label: 'Top Rated', icon: Award }] : []),
  ...(view_count >= TRENDING_FROM_VIEWS ? [{ label: 'Trending', icon: Flame }] : []),
]
