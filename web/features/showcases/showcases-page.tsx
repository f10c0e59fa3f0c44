import Play from 'lucide-react/icons/play'
import Sparkles from 'lucide-react/icons/sparkles'
import { useLoaderData } from '#web/router/router.tsx'
import type { LoaderArgs } from '#web/router/routes.ts'
import type { Card } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { PageHead } from '#web/shared/page-head.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { ScriptCard } from '#web/shared/cards/script-card.tsx'
import { apiContext } from '#web/lib/api-context.ts'
import { buttonClass, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pagination } from '#web/ui/pagination.tsx'

const DESCRIPTION = 'Hand-picked by our team, with a note on why.'
const hrefOf = (page: number) => (page > 1 ? `/showcases?page=${page}` : '/showcases')

export function loader({ context, request }: LoaderArgs) {
  const page = readPage(new URL(request.url).searchParams)
  return context.get(apiContext)('GET /api/scripts', {
    query: { page, limit: PAGE_SIZE, showcased: 'true', sort: 'showcase_date', order: 'desc' },
    signal: request.signal,
  })
}

/** The page number in the URL, 1 if it is missing or invalid. */
function readPage(query: URLSearchParams): number {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page >= 1 && page < 2 ** 31 ? page : 1
}

export function Component() {
  const { scripts, pagination } = useLoaderData<typeof loader>()
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
                <ScriptCard card={card} index={index} />
              </div>
              <ShowcaseNote card={card} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState
          icon={Sparkles}
          title="No Showcases Yet"
          text="Nothing showcased yet. Browse all scripts in the meantime."
        >
          <LinkButton to="/">Browse scripts</LinkButton>
        </EmptyState>
      )}
      <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOf} />
    </div>
  )
}

type Showcase = Pick<Card, 'showcase_date' | 'showcase_notes' | 'showcase_video_url' | 'title'>

/** When and why a script was showcased. The video is a link, so that the page loads nothing from other sites. */
function ShowcaseNote({ card }: { card: Showcase }) {
  const { showcase_date, showcase_notes, showcase_video_url, title } = card
  return (
    <div className="rounded-md border border-line bg-surface-1 p-3">
      {showcase_date && (
        <p className="text-xs text-muted">
          Showcased <RelativeTime iso={showcase_date} />
        </p>
      )}
      {showcase_notes && (
        <p dir="auto" className="mt-1 wrap-anywhere">
          {showcase_notes}
        </p>
      )}
      {showcase_video_url && (
        <a
          href={showcase_video_url}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass('secondary', 'sm', 'mt-2')}
        >
          <Play aria-hidden className="size-4" />
          Watch the video
          <span className="sr-only"> of {title} on YouTube</span>
        </a>
      )}
    </div>
  )
}
