import ExternalLink from 'lucide-react/icons/external-link'
import Gamepad2 from 'lucide-react/icons/gamepad-2'
import { Suspense } from 'react'
import { useLoaderData, useLocation, useNavigate, useNavigation } from '#web/router/router.tsx'
import { data, type LoaderArgs } from '#web/router/routes.ts'
import type { Game, ScriptList } from '#contract/catalogue.ts'
import { atomFeed } from '#contract/feed-paths.ts'
import { GAME_ID_PATTERN } from '#contract/limits.ts'
import { apiContext } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { gamePath, gameTitle } from '#web/lib/games.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useUser } from '#web/lib/session.tsx'
import { linkRel } from '#web/shared/markdown/rich-text.tsx'
import { PageHead, PageTitle } from '#web/shared/page-head.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { FeedLink } from '#web/ui/feed-link.tsx'
import { MessagePage } from '#web/ui/message-page.tsx'
import { Select } from '#web/ui/select.tsx'
import { describeResults, FORM_ID, sortOptions } from './browse-labels.ts'
import {
  type BrowseState,
  change,
  isFiltered,
  listQueryOf,
  readBrowse,
  typedText,
  writeBrowse,
} from './browse-state.ts'
import { type BrowseFailure, Results } from './results.tsx'
import { SearchBox } from './search-box.tsx'

const RenameGame = lazyComponent(async () => (await import('./rename-game.tsx')).RenameGame)

const BAD_REQUEST = 400
const NOT_FOUND = 404
const GAME_ID = new RegExp(GAME_ID_PATTERN)

interface GameData {
  game: Game
  list: ScriptList | null
  failure: BrowseFailure | null
}

/** Loads a game and a page of its scripts. Null with status 404 if it has no public scripts. */
export async function loader({ context, params, request }: LoaderArgs) {
  const id = params['id'] ?? ''
  const api = context.get(apiContext)
  const query = { ...listQueryOf(readBrowse(new URL(request.url).searchParams)), game: id }
  if (!GAME_ID.test(id)) return data<GameData | null>(null, { status: NOT_FOUND })
  try {
    const [{ game }, list] = await Promise.all([
      api('GET /api/game', { query: { id }, signal: request.signal }),
      api('GET /api/scripts', { query, signal: request.signal }).catch(readInvalid),
    ])
    if ('scripts' in list) return data<GameData | null>({ game, list, failure: null })
    return data<GameData | null>({ game, list: null, failure: list }, { status: list.status })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== NOT_FOUND) throw error
    return data<GameData | null>(null, { status: NOT_FOUND })
  }
}

function readInvalid(error: unknown): BrowseFailure {
  if (!(error instanceof ApiError) || error.status !== BAD_REQUEST) throw error
  return { status: error.status, message: error.message }
}

export function Component() {
  const loaded = useLoaderData<GameData | null>()
  return loaded ? <GameView {...loaded} /> : <Missing />
}

function GameView({ game, list, failure }: GameData) {
  const navigate = useNavigate()
  const isPending = useNavigation().state === 'loading'
  const state = readBrowse(new URLSearchParams(useLocation().search))
  const path = gamePath(game.game_id)
  const hrefOf = (target: BrowseState) => path + writeBrowse(target)
  const show = (target: BrowseState) => void navigate(hrefOf(target), { preventScrollReset: true })
  const search = (form: FormData) => {
    const typed = form.get('search')
    show(change(state, readBrowse(new URLSearchParams({ search: typeof typed === 'string' ? typed : '' }))))
  }
  const title = gameTitle(game)
  const feed = atomFeed('scripts', `?game=${game.game_id}`)
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-4 py-8">
      <PageHead
        title={`Scripts for ${title}`}
        description={`${countScripts(game)} for ${title}, with what the code of each one does.`}
        path={hrefOf(state)}
        isListed={!isFiltered(state)}
        feed={feed}
      />
      <GameHeader game={game} feed={feed} />
      <SearchBox text={typedText(state)} action={path} onSearch={search} formId={FORM_ID} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <output className="font-medium tabular-nums">{list && describeResults(list.pagination)}</output>
        <Select
          label="Sort"
          form={FORM_ID}
          name="sort"
          value={state.sort}
          options={sortOptions(state)}
          onChange={(sort) => show(change(state, { sort }))}
        />
      </div>
      <Results list={list} failure={failure} isPending={isPending} state={state} hrefOf={hrefOf} />
    </div>
  )
}

const countScripts = ({ script_count: count }: Game) => (count === 1 ? '1 script' : `${fullCount(count)} scripts`)

function GameHeader({ game, feed }: { game: Game; feed: string }) {
  const user = useUser()
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 items-start gap-4">
        <span className="grid size-14 shrink-0 place-items-center rounded-md border border-line bg-surface-1">
          <Gamepad2 aria-hidden className="size-7 text-muted" />
        </span>
        <div className="min-w-0">
          <h1 dir="auto" className="text-2xl leading-tight font-semibold wrap-anywhere">
            {gameTitle(game)}
          </h1>
          <p className="flex flex-wrap items-center gap-x-4 text-muted">
            <a
              href={`https://www.roblox.com/games/${game.game_id}`}
              target="_blank"
              rel={linkRel}
              className="inline-flex min-h-11 items-center gap-1 hover:text-text hover:underline sm:min-h-8"
            >
              View on Roblox
              <ExternalLink aria-hidden className="size-3.5" />
            </a>
            <FeedLink path={feed} label="new scripts for this game" />
          </p>
        </div>
      </div>
      {(user?.is_admin || user?.is_moderator) && (
        <Suspense>
          <RenameGame game={game} />
        </Suspense>
      )}
    </header>
  )
}

function Missing() {
  return (
    <MessagePage icon={Gamepad2} title="No scripts for this game" text="Nobody has published a script for it yet.">
      <PageTitle title="No scripts for this game" />
      <meta name="robots" content="noindex" />
      <div className="flex flex-wrap justify-center gap-2">
        <LinkButton to="/scripts" variant="primary">
          Browse scripts
        </LinkButton>
        <LinkButton to="/upload">Upload Script</LinkButton>
      </div>
    </MessagePage>
  )
}
