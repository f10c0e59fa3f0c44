import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import SearchX from 'lucide-react/icons/search-x'
import Upload from 'lucide-react/icons/upload'
import type { ScriptList } from '#contract/catalogue.ts'
import { ScriptGrid } from '#web/components/script-grid.tsx'
import { fullCount } from '#web/lib/numbers.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { change, DEFAULT_STATE, isFiltered } from './browse-state.ts'
import { countScripts } from './describe-results.ts'
import type { BrowseFailure } from './load-browse.ts'
import type { Browse } from './use-browse.ts'

export function Results({ browse }: { browse: Browse }) {
  const { list, failure, isPending, state, hrefOf } = browse
  return (
    <section aria-labelledby="results" className="flex min-w-0 flex-col gap-6">
      <h2 id="results" className="sr-only">
        Results
      </h2>
      {failure && <Failing browse={browse} failure={failure} />}
      {list && list.scripts.length > 0 && <ScriptGrid cards={list.scripts} isPending={isPending} />}
      {list && list.scripts.length === 0 && <Empty browse={browse} list={list} />}
      {list && (
        <Pagination page={state.page} pages={list.pagination.pages} hrefOf={(page) => hrefOf({ ...state, page })} />
      )}
    </section>
  )
}

const BAD_REQUEST = 400

function Failing({ browse: { state, hrefOf }, failure }: { browse: Browse; failure: BrowseFailure }) {
  if (failure.status === BAD_REQUEST) {
    return (
      <EmptyState icon={SearchX} title="This search does not work" text={failure.sentence}>
        <LinkButton to={hrefOf(DEFAULT_STATE)}>Show all scripts</LinkButton>
      </EmptyState>
    )
  }
  return (
    <div role="alert">
      <EmptyState icon={CircleAlert} title="The scripts could not be loaded" text={failure.sentence}>
        <LinkButton to={hrefOf(state)} replace preventScrollReset variant="primary">
          Try again
        </LinkButton>
      </EmptyState>
    </div>
  )
}

function Empty({ browse: { state, hrefOf }, list }: { browse: Browse; list: ScriptList }) {
  const { suggestion, pagination } = list
  const { pages, total } = pagination
  if (total > 0) {
    return (
      <EmptyState
        icon={SearchX}
        title={`There is no page ${fullCount(state.page)}`}
        text={`${countScripts(total)} fill ${pages === 1 ? 'one page' : `${fullCount(pages)} pages`}.`}
      >
        <LinkButton to={hrefOf({ ...state, page: pages })}>Go to the last page</LinkButton>
      </EmptyState>
    )
  }
  if (isFiltered(state)) {
    return (
      <EmptyState
        icon={SearchX}
        title="No scripts found"
        text="Nothing fits all of this at once. Try fewer words, or take one of the filters off."
      >
        {suggestion !== undefined && (
          <LinkButton to={hrefOf(change(state, { search: suggestion }))} variant="primary" className="max-w-full">
            <span className="truncate">Did you mean “{suggestion}”?</span>
          </LinkButton>
        )}
        <LinkButton to={hrefOf(DEFAULT_STATE)}>Show all scripts</LinkButton>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Upload}
      title="No scripts yet"
      text="This is where the community's scripts will be. The first could be yours."
    >
      <LinkButton to="/upload">Upload Script</LinkButton>
    </EmptyState>
  )
}
