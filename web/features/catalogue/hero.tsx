import { Link } from 'react-router'
import { SearchBox } from '#web/components/search-box.tsx'
import { compactCount } from '#web/lib/numbers.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { change, readBrowse, typedText, untypedTags } from './browse-state.ts'
import { FILTER_GROUPS } from './browse-labels.ts'
import type { Browse } from './use-browse.ts'

/** The form that search box, selects and filters belong to. */
export const FORM_ID = 'browse'
const MOST_TAGS = 6
const inPanel = new Set(FILTER_GROUPS.flatMap((group) => group.flags))

export function Hero({ browse, onSearch }: { browse: Browse; onSearch: () => void }) {
  const { site } = useRootData()
  const { state, pathname, show } = browse
  const unseenTags = untypedTags(state).join(',')
  const search = (form: FormData) => {
    const fields = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
    onSearch()
    void show(readBrowse(new URLSearchParams(fields)))
  }
  return (
    <div className="border-b border-line bg-surface-1">
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-3 px-4 py-5 text-center sm:py-6">
        <h1 className="text-2xl font-bold tracking-tight">{site.name}</h1>
        <p className="-mt-2 text-balance text-muted sm:text-base">
          Scripts by the community: read the code, see what others say, copy it.
        </p>
        <SearchBox text={typedText(state)} action={pathname} onSearch={search} formId={FORM_ID}>
          {unseenTags && <input type="hidden" name="tags" value={unseenTags} />}
          {state.flags.map((flag) => !inPanel.has(flag) && <input key={flag} type="hidden" name={flag} value="true" />)}
        </SearchBox>
        <PopularTags browse={browse} />
      </div>
    </div>
  )
}

/** The commonest tags of what is listed, each with what it would leave. */
function PopularTags({ browse: { state, facets, hrefOf } }: { browse: Browse }) {
  const tags = (facets?.tags ?? []).filter((tag) => !state.tags.includes(tag.name)).slice(0, MOST_TAGS)
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
