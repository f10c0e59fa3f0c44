import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useState } from 'react'
import { canWrite, MAX_WRITING_LIFETIME } from '#contract/limits.ts'
import type { ApiToken } from '#contract/tokens.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { SecretBox } from '#web/ui/secret-box.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { useNow } from '#web/lib/clock.ts'
import { dayText } from '#web/lib/dates.ts'
import { Link } from '#web/router/router.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useFocusAfterDialog } from '#web/ui/use-focus-after-dialog.ts'
import { pendingValues, readPendingValues, useTakePending } from '#web/shared/sign-in/pending-values.ts'
import { SignInAgainDialog } from '#web/shared/sign-in/sign-in-again.tsx'
import { type Created, EMPTY_TOKEN, NewTokenDialog, type TokenDraft } from './new-token-dialog.tsx'

/** Start of the pending action that reopens the form with its values after a sign-in: `token {...}`. */
const PENDING = 'token '

/** The member's API tokens: create, copy once, revoke. */
export function TokensPanel() {
  const [attempt, setAttempt] = useState(0)
  return (
    <FormSection
      title="API tokens"
      text="Tokens let scripts and CI act on your behalf, limited to the scopes you choose."
    >
      <TokenList key={attempt} onRetry={() => setAttempt(attempt + 1)} />
    </FormSection>
  )
}

function TokenList({ onRetry }: { onRetry: () => void }) {
  const [tokens, setTokens] = useTokenList()
  const [draft, setDraft] = useState(() => readPendingValues(PENDING) as TokenDraft | undefined)
  const [interrupted, setInterrupted] = useState<TokenDraft>()
  const [created, setCreated] = useState<Created>()
  const [revoking, setRevoking] = useState<ApiToken>()
  const { target: list, focusAfterDialog } = useFocusAfterDialog<HTMLUListElement>(revoking !== undefined)
  useTakePending(PENDING)

  if (tokens === null) {
    return <LoadFailure text="Couldn't load your API tokens." onRetry={onRetry} />
  }
  return (
    <>
      {created && !draft && <CreatedToken key={created.info.id} created={created} />}
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="API tokens"
        aria-busy={!tokens}
        className="divide-y divide-line outline-none"
      >
        {tokens?.map((token) => <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />) ?? (
          <li>
            <Skeleton className="h-20" />
          </li>
        )}
        {tokens?.length === 0 && <li className="text-muted">You have no API tokens.</li>}
      </ul>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="primary" disabled={!tokens} onClick={() => setDraft(EMPTY_TOKEN)}>
          <KeyRound aria-hidden className="size-4" />
          New token
        </Button>
        <Link
          to="/api/docs"
          className="inline-flex min-h-11 items-center text-sm text-accent hover:underline sm:min-h-8"
        >
          API documentation
        </Link>
      </div>
      {draft && (
        <NewTokenDialog
          initial={draft}
          onCreated={(result) => {
            setCreated(result)
            setTokens((current) => [result.info, ...(current ?? [])])
          }}
          onSignInRequired={setInterrupted}
          onClose={() => setDraft(undefined)}
        />
      )}
      {interrupted && (
        <SignInAgainDialog
          action={pendingValues(PENDING, interrupted)}
          purpose="create an API token"
          onClose={() => setInterrupted(undefined)}
        />
      )}
      {revoking && (
        <RevokeDialog
          token={revoking}
          onRevoked={() => {
            setTokens((current) => current?.filter(({ id }) => id !== revoking.id))
            if (created?.info.id === revoking.id) setCreated(undefined)
            focusAfterDialog()
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  )
}

const CreatedToken = ({ created: { info, token } }: { created: Created }) => (
  <SecretBox
    title={
      <>
        Copy <bdi>{info.name}</bdi> now. You won't see it again.
      </>
    }
    label={`API token ${info.name}`}
    noun="token"
    secret={token}
  />
)

interface RevokeDialogProps {
  token: ApiToken
  onRevoked: () => void
  onClose: () => void
}

function RevokeDialog({ token: { id, name }, onRevoked, onClose }: RevokeDialogProps) {
  const api = useApi()
  const run = useAction()
  const revoke = async () => {
    await run(() => api('DELETE /api/tokens', { query: { id } }), {
      success: `Revoked ${name}`,
      failure: "Couldn't revoke the token",
    })
    onRevoked()
  }
  return (
    <ConfirmDialog
      title="Revoke this token?"
      text={
        <>
          Programs that use <bdi className="font-medium text-text">{name}</bdi> stop working at once. You cannot undo
          this.
        </>
      }
      confirmLabel="Revoke token"
      onConfirm={revoke}
      onClose={onClose}
    />
  )
}

const DAY_MS = 86_400_000

/** Whether it was created before tokens that write had to end earlier. */
const livesTooLong = ({ scopes, created_at, expires_at }: ApiToken): boolean =>
  canWrite(scopes) && Date.parse(expires_at) - Date.parse(created_at) > MAX_WRITING_LIFETIME * DAY_MS

const describeScripts = (scripts: NonNullable<ApiToken['scripts']>): string =>
  scripts.length === 0
    ? 'Only for scripts that were deleted'
    : `Only for ${scripts.map(({ title }) => title).join(', ')}`

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { name, hint, scopes, scripts, expires_at, last_used_at } = token
  const isExpired = Date.parse(expires_at) <= useNow()
  return (
    <li className="flex items-start gap-3 py-3 first:pt-0 last:pb-0">
      <KeyRound aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          <bdi>{name}</bdi>
          <code className="text-sm font-normal text-muted">sy_…{hint}</code>
          {isExpired && <Pill tone="warning">Expired</Pill>}
        </p>
        <p className="text-sm text-muted wrap-anywhere">{scopes.join(', ')}</p>
        {scripts && <p className="text-sm text-muted wrap-anywhere">{describeScripts(scripts)}</p>}
        <p className="text-sm text-muted">
          {last_used_at ? (
            <>
              Last used <RelativeTime iso={last_used_at} />
            </>
          ) : (
            'Never used'
          )}
          <span aria-hidden className="max-sm:hidden">
            {' · '}
          </span>
          <span className="max-sm:block">
            {isExpired ? 'expired' : 'expires'} <time dateTime={expires_at}>{dayText(expires_at)}</time>
          </span>
        </p>
        {!isExpired && livesTooLong(token) && (
          <p className="text-sm text-warning">
            Replace this token: tokens that write now live at most {MAX_WRITING_LIFETIME} days.
          </p>
        )}
      </div>
      <Button size="sm" onClick={onRevoke} className="shrink-0">
        Revoke<span className="sr-only"> {name}</span>
      </Button>
    </li>
  )
}

type Tokens = ApiToken[] | null | undefined

/** The member's API tokens: undefined while loading, null if loading failed. */
function useTokenList() {
  const api = useApi()
  const [tokens, setTokens] = useState<Tokens>()
  useEffect(() => {
    const request = new AbortController()
    const { signal } = request
    api('GET /api/tokens', { signal }).then(
      (loaded) => setTokens(loaded.tokens),
      () => {
        if (!signal.aborted) setTokens(null)
      },
    )
    return () => request.abort()
  }, [api])
  return [tokens, setTokens] as const
}
