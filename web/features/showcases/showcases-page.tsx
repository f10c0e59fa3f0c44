import Sparkles from 'lucide-react/icons/sparkles'
import { useLoaderData } from 'react-router'
import { PageHead } from '#web/components/page-head.tsx'
import { ScriptCard } from '#web/components/script-card.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import type { loadShowcases } from './load-showcases.ts'
import { ShowcaseNote } from './showcase-note.tsx'

const DESCRIPTION = 'Scripts that the team picked out, with a word on why.'
const hrefOf = (page: number) => (page > 1 ? `/showcases?page=${page}` : '/showcases')

export { loadShowcases as loader } from './load-showcases.ts'

export function Component() {
  const { scripts, pagination } = useLoaderData<typeof loadShowcases>()
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-8">
      <PageHead title="Showcases" description={DESCRIPTION} path={hrefOf(pagination.page)} />
      <h1 className="text-2xl font-semibold">Showcases</h1>
      <p className="text-muted">{DESCRIPTION}</p>
      <h2 className="sr-only">Showcased scripts</h2>
      {scripts.length > 0 ? (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-6">
          {scripts.map((card, index) => (
            <li key={card.id} className="flex min-w-0 flex-col gap-2">
              <div className="flex-1">
                <ScriptCard card={card} isEager={index < 4} isFirst={index === 0} />
              </div>
              <ShowcaseNote card={card} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={Sparkles}
          title="No Showcases Yet"
          text="Nothing has been showcased so far. Look around in the meantime."
        >
          <LinkButton to="/">Browse scripts</LinkButton>
        </EmptyState>
      )}
      <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOf} />
    </div>
  )
}
