import Search from 'lucide-react/icons/search'
import { Suspense, useRef, useState } from 'react'
import { MAX_SEARCH_LENGTH } from '#contract/limits.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'

export const HEADER_SEARCH_ID = 'site-search'

/** Over the header while it has the focus, invisible otherwise. */
const COVERING =
  'max-lg:pointer-events-none max-lg:absolute max-lg:inset-0 max-lg:bg-surface-1 max-lg:px-4 max-lg:opacity-0 max-lg:z-10 max-lg:focus-within:pointer-events-auto max-lg:focus-within:opacity-100 group-data-compact/header:pointer-events-none group-data-compact/header:absolute group-data-compact/header:inset-0 group-data-compact/header:bg-surface-1 group-data-compact/header:px-4 group-data-compact/header:opacity-0 group-data-compact/header:z-10 group-data-compact/header:focus-within:pointer-events-auto group-data-compact/header:focus-within:opacity-100'

const Suggestions = lazyComponent(async () => (await import('./search-suggestions.tsx')).SearchSuggestions)

/**
 * The search field of every page: a plain form, to which the first focus adds suggestions. Where the header is too narrow, and
 * on pages with a search field of their own (`isCompact`), an icon focuses the field, which covers the header while it has the
 * focus.
 */
export function HeaderSearch({ isCompact, openHelp }: { isCompact: boolean; openHelp: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const [isUsed, setUsed] = useState(false)
  return (
    <search
      aria-label="Site"
      data-compact={isCompact || undefined}
      className="group/header max-lg:shrink-0 lg:not-data-compact:max-w-80 lg:not-data-compact:min-w-0 lg:not-data-compact:flex-1"
    >
      <label
        htmlFor={HEADER_SEARCH_ID}
        title="Search"
        className={`${iconButtonClass} cursor-pointer lg:group-not-data-compact/header:hidden`}
      >
        <Search aria-hidden className="size-5" />
      </label>
      <form
        ref={form}
        action="/scripts"
        className={`group/search flex items-center gap-1 ${COVERING} lg:group-not-data-compact/header:relative`}
      >
        <input type="hidden" name="sort" value="relevance" />
        <Search
          aria-hidden
          className="pointer-events-none absolute left-7 size-4 text-muted lg:group-not-data-compact/header:left-3"
        />
        <input
          id={HEADER_SEARCH_ID}
          type="search"
          name="search"
          aria-label="Search the site"
          aria-keyshortcuts="/ Control+K"
          placeholder="Search"
          maxLength={MAX_SEARCH_LENGTH}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          onFocus={() => setUsed(true)}
          className="h-11 w-full min-w-0 rounded-sm border border-line bg-surface-0 pr-3 pl-9 text-base placeholder:text-muted hover:border-line-strong max-lg:[&::-webkit-search-cancel-button]:hidden lg:h-9 lg:pr-8 lg:text-sm"
        />
        <kbd
          aria-hidden
          className="pointer-events-none absolute right-2.5 rounded-sm border border-line px-1.5 text-xs text-muted group-focus-within/search:hidden group-data-compact/header:hidden max-lg:hidden noscript:hidden"
        >
          /
        </kbd>
        {isUsed && (
          <Suspense>
            <Suggestions form={form} openHelp={openHelp} />
          </Suspense>
        )}
      </form>
    </search>
  )
}
