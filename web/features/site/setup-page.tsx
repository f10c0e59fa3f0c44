import Check from 'lucide-react/icons/check'
import CircleCheck from 'lucide-react/icons/circle-check'
import KeyRound from 'lucide-react/icons/key-round'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { SetupState } from '#contract/setup.ts'
import { NotFoundPage } from '#web/shared/error-pages.tsx'
import { MessagePage } from '#web/ui/message-page.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { apiContext, useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { useSession } from '#web/lib/session.tsx'
import { useLoaderData, useReloadAll } from '#web/router/router.tsx'
import { data, type LoaderArgs } from '#web/router/routes.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AdminStep, BackupStep, DiscordStep, NameStep, type SendSetup } from './setup-steps.tsx'

/** Responds with 404 once the setup is finished. */
export async function loader({ context }: LoaderArgs) {
  const { is_open } = await context.get(apiContext)('GET /api/setup')
  return data(is_open, { status: is_open ? 200 : 404 })
}

export function Component() {
  const isOpen = useLoaderData<typeof loader>()
  const setup = useSetup(isOpen)
  if (!isOpen && setup.status !== 'finished') return <NotFoundPage />
  return (
    <>
      <PageHead title="Set up your site" description="For the owner of this site." path="/setup" isListed={false} />
      <SetupView {...setup} />
    </>
  )
}

const TOKEN_KEY = 'setup_token'

/** The token of the link. Removes it from the address bar. Session storage keeps it during the redirect to Discord. */
function takeToken(): string {
  const token = location.hash.slice(1)
  try {
    if (token) sessionStorage.setItem(TOKEN_KEY, token)
    else return sessionStorage.getItem(TOKEN_KEY) ?? ''
  } catch {
    // Storage is blocked: the link stays in the address bar.
    return token
  }
  history.replaceState(history.state, '', location.pathname)
  return token
}

function forgetToken(): void {
  try {
    sessionStorage.removeItem(TOKEN_KEY)
  } catch {
    // Storage is blocked: nothing was stored.
  }
}

type Status = 'loading' | 'no-link' | 'open' | 'finished'

function useSetup(isOpen: boolean) {
  const api = useApi()
  const reloadAll = useReloadAll()
  const { refresh } = useSession()
  const token = useRef('')
  const [status, setStatus] = useState<Status>('loading')
  const [state, setState] = useState<SetupState>()
  const [failure, setFailure] = useState<string>()

  const send: SendSetup = async (action) => {
    const next = await api('POST /api/setup', {
      body: { ...action, token: token.current },
    })
    setState(next)
    if (action.action === 'save_name') void reloadAll()
    if (next.is_finished) {
      forgetToken()
      setStatus('finished')
      void refresh()
    }
    return next
  }
  useEffect(() => {
    if (!isOpen) return undefined
    token.current = takeToken()
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      if (!token.current) return setStatus('no-link')
      try {
        setState(await api('POST /api/setup', { body: { action: 'read', token: token.current }, signal }))
        setStatus('open')
      } catch (error) {
        if (signal.aborted) return
        setFailure(error instanceof ApiError ? describeActionError(error) : undefined)
        setStatus('no-link')
      }
    }
    void load()
    return () => controller.abort()
  }, [api, isOpen])
  return { status, state, failure, send }
}

function SetupView({ status, state, failure, send }: ReturnType<typeof useSetup>) {
  if (status === 'no-link') return <NoLink failure={failure} />
  if (status === 'finished') return <Done discordId={state?.admin.discord_id ?? null} />
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-6 px-4 pt-8 pb-16">
      <header className="flex flex-col gap-1">
        <h1 className="text-2xl font-semibold">Set up your site</h1>
        <p className="text-muted">
          Four steps, about five minutes. Every step is saved: leave at any time, and open the link again to continue.
        </p>
      </header>
      {state ? (
        <>
          <InsecureNote />
          <Steps state={state} send={send} />
        </>
      ) : (
        <StepsSkeleton />
      )}
    </div>
  )
}

function StepsSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-64" />
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
    </div>
  )
}

/** Without HTTPS, anyone on the network could read the link and the secret. */
function InsecureNote() {
  if (isSecureContext) return null
  return (
    <div role="alert" className="flex items-start gap-3 rounded-md border border-warning bg-surface-1 p-3">
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />
      <p>This connection is not encrypted. Open the link through HTTPS or an SSH tunnel before you enter a secret.</p>
    </div>
  )
}

function NoLink({ failure }: { failure: string | undefined }) {
  return (
    <MessagePage
      icon={KeyRound}
      title="Open the setup link"
      text={
        failure ??
        'This page is for the owner. The site prints a link to it in the terminal or its log when it starts. Open that link.'
      }
    >
      <LinkButton to="/">Go to the front page</LinkButton>
    </MessagePage>
  )
}

function Done({ discordId }: { discordId: string | null }) {
  const { user } = useSession()
  const isAdmin = user?.is_admin === true
  return (
    <MessagePage
      icon={CircleCheck}
      title="Your site is ready"
      text={
        isAdmin
          ? 'You are its admin. Everything can be changed later in the portal, without a restart.'
          : discordId
            ? 'Sign in with the Discord account that you entered to become the admin. No restart is needed.'
            : 'To make an admin, set ADMIN_DISCORD_IDS to your Discord ID, restart the site and sign in.'
      }
    >
      <div className="flex flex-wrap justify-center gap-2">
        {isAdmin && (
          <LinkButton to="/admin/branding" variant="primary">
            Choose logo and colors
          </LinkButton>
        )}
        {isAdmin && <LinkButton to="/admin">Open the portal</LinkButton>}
        {!isAdmin && (
          <LinkButton to="/" variant="primary">
            Go to the front page
          </LinkButton>
        )}
      </div>
    </MessagePage>
  )
}

const STEPS = ['name', 'discord', 'backup', 'admin'] as const
type StepId = (typeof STEPS)[number]

const TITLES: Record<StepId, string> = {
  name: 'Name',
  discord: 'Discord',
  backup: 'Backups',
  admin: 'First admin',
}

function Steps({ state, send }: { state: SetupState; send: SendSetup }) {
  const [passed, setPassed] = useState<ReadonlySet<StepId>>(() => {
    const { discord, backup } = state
    const done: StepId[] = []
    if (discord.client_id !== null) done.push('name', 'discord')
    if (backup.target !== null) done.push('name', 'backup')
    return new Set(done)
  })
  const [opened, setOpened] = useState<StepId>(() => STEPS.find((step) => !passed.has(step)) ?? 'admin')
  const [isSkipping, setSkipping] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const focusStep = (step: StepId) => {
    flushSync(() => setOpened(step))
    list.current?.querySelector<HTMLElement>(`[data-step=${step}] h2`)?.focus()
  }
  const pass = (step: StepId) => {
    const all = new Set([...passed, step])
    setPassed(all)
    focusStep(STEPS.find((one) => !all.has(one)) ?? 'admin')
  }
  const bodies: Record<StepId, ReactNode> = {
    name: <NameStep state={state} send={send} onDone={() => pass('name')} />,
    discord: <DiscordStep state={state} send={send} onDone={() => pass('discord')} />,
    backup: <BackupStep state={state} send={send} onDone={() => pass('backup')} />,
    admin: <AdminStep state={state} send={send} />,
  }
  return (
    <>
      <ol ref={list} className="flex flex-col gap-3">
        {STEPS.map((step, index) => (
          <Step
            key={step}
            id={step}
            number={index + 1}
            summary={passed.has(step) ? summaryOf(step, state) : undefined}
            isOpen={step === opened}
            onOpen={() => focusStep(step)}
          >
            {bodies[step]}
          </Step>
        ))}
      </ol>
      <p className="text-sm text-muted">
        <button
          type="button"
          onClick={() => setSkipping(true)}
          className="relative text-accent underline before:absolute before:-inset-x-2 before:-inset-y-3"
        >
          Configure with environment variables instead
        </button>
      </p>
      {isSkipping && (
        <ConfirmDialog
          title="Skip the setup?"
          text="The link stops working, and the site prints no new one. Saved values stay. You can use settings such as DISCORD_CLIENT_ID and ADMIN_DISCORD_IDS instead."
          confirmLabel="Skip the setup"
          tone="primary"
          onConfirm={() => send({ action: 'skip' })}
          onClose={() => setSkipping(false)}
        />
      )}
    </>
  )
}

function summaryOf(step: StepId, { name, discord, backup }: SetupState): string {
  const summaries: Record<StepId, string> = {
    name,
    discord: discord.client_id ? `Application ${discord.client_id}` : 'Not set. Members cannot sign in.',
    backup: backup.target ?? 'None',
    admin: '',
  }
  return summaries[step]
}

interface StepProps {
  id: StepId
  number: number
  /** What was chosen; undefined for a step that is not done. */
  summary: string | undefined
  isOpen: boolean
  onOpen: () => void
  children: ReactNode
}

function Step({ id, number, summary, isOpen, onOpen, children }: StepProps) {
  const isDone = summary !== undefined
  return (
    <li
      data-step={id}
      aria-current={isOpen ? 'step' : undefined}
      className="rounded-md border border-line bg-surface-1"
    >
      <div className="flex min-h-14 items-center gap-3 px-4 py-2">
        <span
          aria-hidden
          className={`grid size-7 shrink-0 place-items-center rounded-full text-sm font-semibold tabular-nums ${isDone ? 'bg-accent-soft text-accent' : isOpen ? 'bg-accent-strong text-on-accent' : 'border border-line-strong text-muted'}`}
        >
          {isDone ? <Check className="size-4" /> : number}
        </span>
        <div className="min-w-0 flex-1">
          <h2 tabIndex={-1} className="font-semibold outline-none">
            {TITLES[id]}
            {isDone && <span className="sr-only"> (done)</span>}
          </h2>
          {isDone && !isOpen && (
            <p className="truncate text-sm text-muted">
              <bdi>{summary}</bdi>
            </p>
          )}
        </div>
        {!isOpen && (
          <Button
            size="sm"
            variant={isDone ? 'ghost' : 'secondary'}
            aria-label={`${isDone ? 'Change' : 'Open'}: ${TITLES[id]}`}
            onClick={onOpen}
          >
            {isDone ? 'Change' : 'Open'}
          </Button>
        )}
      </div>
      {isOpen && <div className="border-t border-line p-4 sm:pl-14">{children}</div>}
    </li>
  )
}
