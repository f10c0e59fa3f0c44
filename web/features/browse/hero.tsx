import { Link } from '#web/router/router.tsx'
import { compactCount } from '#web/lib/numbers.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { describeCatalogue, FORM_ID, PANEL_FLAGS } from './browse-labels.ts'
import type { Browse } from './browse-data.ts'
import { change, readBrowse, typedText, untypedTags } from './browse-state.ts'
import { SearchBox } from './search-box.tsx'

const MAX_POPULAR_TAGS = 6

export function Hero({ browse, onSearch }: { browse: Browse; onSearch: () => void }) {
  const { site } = useRootData()
  const { state, pathname, show, list } = browse
  const hiddenTags = untypedTags(state).join(',')
  const search = (form: FormData) => {
    const fields = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
    onSearch()
    void show(readBrowse(new URLSearchParams(fields)))
  }
  return (
    <div className="border-b border-line bg-surface-1">
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-3 px-4 py-4 text-center">
        <div>
          <h1 className="text-2xl font-bold tracking-tight text-balance wrap-anywhere">
            {describeCatalogue(state, list?.pagination.total)}
          </h1>
          <p className="text-balance text-muted wrap-anywhere sm:max-lg:text-base">{site.tagline}</p>
        </div>
        <SearchBox text={typedText(state)} action={pathname} onSearch={search} formId={FORM_ID}>
          {hiddenTags && <input type="hidden" name="tags" value={hiddenTags} />}
          {state.flags.map(
            (flag) => !PANEL_FLAGS.includes(flag) && <input key={flag} type="hidden" name={flag} value="true" />,
          )}
        </SearchBox>
        <PopularTags browse={browse} />
      </div>
    </div>
  )
}

/** The most frequent tags of the listed scripts, each with the number of scripts it would leave. */
function PopularTags({ browse: { state, facets, hrefOf } }: { browse: Browse }) {
  const tags = (facets?.tags ?? []).filter((tag) => !state.tags.includes(tag.name)).slice(0, MAX_POPULAR_TAGS)
  if (tags.length === 0) return null
  return (
    <ul
      aria-label="Popular tags"
      className="relative flex min-w-0 gap-2 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 sm:flex-wrap sm:justify-center"
    >
      {tags.map((tag) => (
        <li key={tag.id} className="flex max-w-full min-w-0 shrink-0">
          <Link
            to={hrefOf(change(state, { tags: [...state.tags, tag.name] }))}
            preventScrollReset
            className="inline-flex min-h-11 min-w-0 items-center rounded-full border border-line bg-surface-1 px-3 text-muted hover:border-line-strong hover:bg-surface-2 hover:text-text sm:min-h-8"
          >
            <span aria-hidden>#</span>
            <bdi className="truncate">{tag.name}</bdi>
            <span className="ml-1.5 text-xs tabular-nums">
              {compactCount(tag.count)}
              <span className="sr-only">{tag.count === 1 ? ' script' : ' scripts'}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
