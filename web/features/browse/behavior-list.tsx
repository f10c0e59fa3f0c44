import { CAPABILITY_TITLES, CAPABILITY_IDS, type CapabilityId } from '#contract/behavior-names.ts'
import type { Facets } from '#contract/catalogue.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Link } from '#web/router/router.tsx'
import { type BrowseState, change } from './browse-state.ts'

interface Props {
  state: BrowseState
  counts: Facets['behavior'] | undefined
  hrefOf: (state: BrowseState) => string
  /** Called when a link was followed. */
  onFollow: () => void
}

/** All behaviors with their number of matching scripts, as links that add them to the filters, and how to type them. */
export function BehaviorList({ state, counts, hrefOf, onFollow }: Props) {
  const withUse = (id: CapabilityId) =>
    change(state, { uses: CAPABILITY_IDS.filter((each) => isUsed(each, id, state)) })
  return (
    <div className="flex flex-col gap-2">
      <p className="text-xs text-muted">
        In the search box, <Typed text="uses:net.webhook" />, <Typed text="lacks:code.remote" /> and{' '}
        <Typed text="host:pastebin.com" /> filter by what the code does.
      </p>
      <ul aria-label="All behaviors" className="-mx-2 flex flex-col">
        {CAPABILITY_IDS.map((id) => (
          <li key={id}>
            <Link
              to={hrefOf(withUse(id))}
              preventScrollReset
              onClick={onFollow}
              aria-current={state.uses.includes(id) ? 'true' : undefined}
              className="flex min-h-11 items-center gap-3 rounded-sm px-2 py-1 hover:bg-surface-2 aria-[current]:bg-accent-soft lg:min-h-8"
            >
              <span className="min-w-0 flex-1">
                {CAPABILITY_TITLES[id]}
                <span className="block font-mono text-xs text-muted">uses:{id}</span>
              </span>
              {counts && (
                <span className="text-xs text-muted tabular-nums">
                  {fullCount(counts[id])}
                  <span className="sr-only">{counts[id] === 1 ? ' script' : ' scripts'}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

const isUsed = (each: CapabilityId, added: CapabilityId, { uses }: BrowseState) => each === added || uses.includes(each)

function Typed({ text }: { text: string }) {
  return <code className="font-mono wrap-anywhere text-text">{text}</code>
}
