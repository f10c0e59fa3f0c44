import { PageHead } from '#web/components/page-head.tsx'
import { describePage } from './describe-page.ts'
import { writeBrowse } from './browse-state.ts'
import { ChipRow } from './chip-row.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { Hero } from './hero.tsx'
import { Results } from './results.tsx'
import { Toolbar } from './toolbar.tsx'
import { useBrowse } from './use-browse.ts'
import { usePanel } from './use-panel.ts'
import { useStagedFilters } from './use-staged-filters.ts'

// Without scripts the panel is always there: beside the list, on phones below it.
const withPanel =
  'items-start gap-6 lg:grid-cols-[16rem_minmax(0,1fr)] noscript:flex noscript:flex-col-reverse noscript:items-stretch noscript:lg:grid noscript:lg:items-start'

export { loadBrowse as loader } from './load-browse.ts'

/** The script browser, at / and at /scripts. */
export function Component() {
  const browse = useBrowse()
  const staged = useStagedFilters(browse)
  const { ref, ...panel } = usePanel(staged.discard)
  return (
    <>
      <PageHead {...describePage(browse.state)} path={`/${writeBrowse(browse.state)}`} />
      <Hero browse={browse} onSearch={panel.closeSheet} />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-4 sm:py-6">
        <Toolbar browse={browse} isPanelOpen={panel.isOpen} onTogglePanel={panel.toggle} />
        <ChipRow browse={browse} />
        <div className={`${withPanel} ${panel.isOpen ? 'lg:grid' : ''}`}>
          <FilterPanel ref={ref} onClose={panel.close} onClosed={panel.noteClosed} staged={staged} />
          <Results browse={browse} />
        </div>
      </div>
    </>
  )
}
