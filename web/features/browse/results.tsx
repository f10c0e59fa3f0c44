import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import SearchX from 'lucide-react/icons/search-x'
import Upload from 'lucide-react/icons/upload'
import type { ScriptList } from '#contract/catalogue.ts'
import { ScriptGrid } from '#web/shared/cards/script-grid.tsx'
import { useRevalidator } from '#web/router/router.tsx'
import { fullCount } from '#web/lib/numbers.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { useIsOnline, useWhenOnline } from '#web/ui/use-connection.ts'
import { type BrowseState, change, DEFAULT_STATE, isFiltered } from './browse-state.ts'

export interface BrowseFailure {
  status: number
  message: string
}

interface Props {
  list: ScriptList | null
  failure: BrowseFailure | null
  isPending: boolean
  state: BrowseState
  hrefOf: (state: BrowseState) => string
}

export function Results({ list, failure, isPending, state, hrefOf }: Props) {
  return (
    <section aria-labelledby="results" className="flex min-w-0 flex-col gap-6">
      <h2 id="results" className="sr-only">
        Results
      </h2>
      {failure && <LoadFailure failure={failure} state={state} hrefOf={hrefOf} />}
      {list && list.scripts.length > 0 && <ScriptGrid cards={list.scripts} isPending={isPending} />}
      {list && list.scripts.length === 0 && <NoResults list={list} state={state} hrefOf={hrefOf} />}
      {list && (
        <Pagination page={state.page} pages={list.pagination.pages} hrefOf={(page) => hrefOf({ ...state, page })} />
      )}
    </section>
  )
}

const BAD_REQUEST = 400

function LoadFailure({ failure, state, hrefOf }: Pick<Props, 'state' | 'hrefOf'> & { failure: BrowseFailure }) {
  if (failure.status === BAD_REQUEST) {
    return (
      <EmptyState icon={SearchX} title="Invalid search" text={failure.message}>
        <LinkButton to={hrefOf(DEFAULT_STATE)}>Clear search</LinkButton>
      </EmptyState>
    )
  }
  return <ListFailure message={failure.message} href={hrefOf(state)} />
}

/** Tries again as soon as the connection is back. */
function ListFailure({ message, href }: { message: string; href: string }) {
  const { revalidate } = useRevalidator()
  const isOnline = useIsOnline()
  useWhenOnline(() => void revalidate())
  const [title, text] = isOnline
    ? ["Couldn't load scripts", message]
    : ["You're offline", "The scripts load as soon as you're back."]
  return (
    <div role="alert">
      <EmptyState icon={CircleAlert} title={title} text={text}>
        <LinkButton to={href} replace preventScrollReset variant="primary">
          Try again
        </LinkButton>
      </EmptyState>
    </div>
  )
}

function NoResults({ list, state, hrefOf }: Pick<Props, 'state' | 'hrefOf'> & { list: ScriptList }) {
  const { suggestion, pagination } = list
  const { pages, total } = pagination
  if (total > 0) {
    return (
      <EmptyState
        icon={SearchX}
        title={`Page ${fullCount(state.page)} doesn't exist`}
        text={pages === 1 ? 'There is only 1 page of results.' : `There are only ${fullCount(pages)} pages of results.`}
      >
        <LinkButton to={hrefOf({ ...state, page: pages })}>Go to the last page</LinkButton>
      </EmptyState>
    )
  }
  if (isFiltered(state)) {
    return (
      <EmptyState icon={SearchX} title="No scripts found" text="Try fewer words or remove a filter.">
        {suggestion !== undefined && (
          <LinkButton to={hrefOf(change(state, { search: suggestion }))} variant="primary" className="max-w-full">
            <span className="truncate">Did you mean “{suggestion}”?</span>
          </LinkButton>
        )}
        <LinkButton to={hrefOf(DEFAULT_STATE)}>Clear search</LinkButton>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={Upload} title="No scripts yet" text="Be the first to share one.">
      <LinkButton to="/upload">Upload Script</LinkButton>
    </EmptyState>
  )
}
