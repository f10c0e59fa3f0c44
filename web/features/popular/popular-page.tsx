import SearchX from 'lucide-react/icons/search-x'
import { useLoaderData, useNavigate, useNavigation, useSearchParams } from 'react-router'
import type { Card } from '#contract/catalogue.ts'
import { PageHead } from '#web/components/page-head.tsx'
import { ScriptGrid } from '#web/components/script-grid.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { fullCount } from '#web/lib/numbers.ts'
import { readSearch, writeSearch } from '#web/lib/search-text.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Select } from '#web/ui/select.tsx'
import type { loadPopular } from './load-popular.ts'
import { POPULAR_SORTS, type PopularState, readPopular, writePopular } from './popular-address.ts'
import { PopularBadges } from './popular-badges.tsx'

const FORM = 'popular-search'
const DESCRIPTION = 'The scripts that the community rates highest and looks at most.'

const showBadges = (card: Card) => <PopularBadges card={card} />

export { loadPopular as loader } from './load-popular.ts'

export function Component() {
  const { scripts, pagination } = useLoaderData<typeof loadPopular>()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const isPending = useNavigation().state === 'loading'
  const state = readPopular(query)
  // What stands in the address now: what is drawn may be a moment behind it.
  const show = (change: Partial<PopularState>) => {
    const now = readPopular(new URLSearchParams(location.search))
    void navigate(writePopular({ ...now, ...change, page: 1 }), { preventScrollReset: true })
  }
  const search = (form: FormData) => {
    const typed = form.get('search')
    show(readSearch(typeof typed === 'string' ? typed : ''))
  }
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-8">
      <PageHead title="Popular scripts" description={DESCRIPTION} path={writePopular(state)} />
      <h1 className="text-2xl font-semibold">Popular scripts</h1>
      <p className="text-muted">{DESCRIPTION}</p>
      <SearchBox text={writeSearch(state)} action="/popular" onSearch={search} formId={FORM} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <output className="font-medium">
          {fullCount(pagination.total)} {pagination.total === 1 ? 'script' : 'scripts'}
        </output>
        <Select
          label="Sort"
          form={FORM}
          name="sort"
          value={state.sort}
          options={POPULAR_SORTS}
          onChange={(sort) => show({ sort })}
        />
      </div>
      <h2 className="sr-only">Results</h2>
      {scripts.length > 0 ? (
        <ScriptGrid cards={scripts} isPending={isPending} badges={showBadges} />
      ) : (
        <EmptyState
          icon={SearchX}
          title="No popular scripts here"
          text="Try fewer words or tags, or look at all of them."
        >
          <LinkButton to="/popular">Show all popular scripts</LinkButton>
        </EmptyState>
      )}
      <Pagination page={state.page} pages={pagination.pages} hrefOf={(page) => writePopular({ ...state, page })} />
    </div>
  )
}
