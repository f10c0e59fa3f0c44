import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useId, useState } from 'react'
import { MAX_TOKEN_NAME_LENGTH, MAX_TOKENS, TOKEN_LIFETIMES, TOKEN_SCOPES, type TokenScope } from '#contract/limits.ts'
import type { ApiToken, NewToken } from '#contract/tokens.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { SecretBox } from '#web/ui/secret-box.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { useNow } from '#web/lib/clock.ts'
import { dayText } from '#web/lib/dates.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { Link } from '#web/router/router.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field, FieldNotes } from '#web/ui/field.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useFocusAfterDialog } from '#web/ui/use-focus-after-dialog.ts'
import { pendingValues, readPendingValues, useTakePending } from '#web/shared/sign-in/pending-values.ts'
import { needsSignIn, SignInAgainDialog } from '#web/shared/sign-in/sign-in-again.tsx'

const SCOPES: Record<TokenScope, string> = {
  'scripts:read-private': 'Read your private scripts and statistics',
  'scripts:write': 'Publish, change and delete your scripts',
  'versions:write': 'Publish new versions of your scripts, and nothing else',
  'ratings:read': 'Read your ratings and reviews',
  'ratings:write': 'Rate and review scripts, and reply to reviews',
  'comments:write': 'Write, edit and delete your comments',
  'favorites:read': 'Read your favorites',
  'favorites:write': 'Add and remove favorites',
  'notifications:read': 'Read your notifications, without giveaway prizes',
  'notifications:write': 'Mark notifications as read and delete them',
}

const DEFAULT_TOKEN: NewToken = { name: '', scopes: ['scripts:write'], expires_in_days: 90 }

/** Start of the pending action that reopens the form with its values after a sign-in: `token {...}`. */
const PENDING = 'token '

/** The member's API tokens: create, copy once, revoke. */
export function TokensPanel() {
  const [attempt, setAttempt] = useState(0)
  return (
    <FormSection
      title="API tokens"
      text="A token lets a program act for you: a build that publishes your scripts, or the command line. It can do only what you choose, and never change your account."
    >
      <TokenList key={attempt} onRetry={() => setAttempt(attempt + 1)} />
    </FormSection>
  )
}

interface Created {
  token: string
  info: ApiToken
}

function TokenList({ onRetry }: { onRetry: () => void }) {
  const [tokens, setTokens] = useTokenList()
  const [draft, setDraft] = useState(() => readPendingValues(PENDING) as NewToken | undefined)
  const [interrupted, setInterrupted] = useState<NewToken>()
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
        <Button variant="primary" disabled={!tokens} onClick={() => setDraft(DEFAULT_TOKEN)}>
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

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { name, hint, scopes, expires_at, last_used_at } = token
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
      </div>
      <Button size="sm" onClick={onRevoke} className="shrink-0">
        Revoke<span className="sr-only"> {name}</span>
      </Button>
    </li>
  )
}

const LIFETIMES = Object.fromEntries(TOKEN_LIFETIMES.map((days) => [String(days), `${days} days`]))

function NewTokenDialog({
  initial,
  onCreated,
  onSignInRequired,
  onClose,
}: {
  initial: NewToken
  onCreated: (created: Created) => void
  onSignInRequired: (draft: NewToken) => void
  onClose: () => void
}) {
  const api = useApi()
  const [draft, setDraft] = useState(initial)
  const [failure, setFailure] = useState<string>()
  const submit = async () => {
    setFailure(undefined)
    try {
      onCreated(await api('POST /api/tokens', { body: draft }))
    } catch (error) {
      // The dialog closes, and opens again after the sign-in.
      if (needsSignIn(error)) return onSignInRequired(draft)
      setFailure(describeActionError(error))
      throw error
    }
  }
  return (
    <FormDialog
      title="New API token"
      submitLabel="Create token"
      busyLabel="Creating..."
      onSubmit={submit}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field
            name="name"
            label="Name"
            isRequired
            error={errors['name']}
            help={`What uses it, such as “release build”. You can have ${MAX_TOKENS} tokens.`}
          >
            {(aria) => (
              <TextInput
                {...aria}
                value={draft.name}
                maxLength={MAX_TOKEN_NAME_LENGTH}
                onChange={(name) => setDraft({ ...draft, name })}
              />
            )}
          </Field>
          <ChoiceField
            name="expires_in_days"
            label="Expires after"
            value={String(draft.expires_in_days)}
            options={LIFETIMES}
            onChange={(days) => {
              const lifetime = TOKEN_LIFETIMES.find((choice) => String(choice) === days)
              if (lifetime) setDraft({ ...draft, expires_in_days: lifetime })
            }}
          />
          <ScopeFields
            scopes={draft.scopes}
            error={errors['scopes']}
            onChange={(scopes) => setDraft({ ...draft, scopes })}
          />
          {failure && Object.keys(errors).length === 0 && <FormAlert>{failure}</FormAlert>}
        </>
      )}
    </FormDialog>
  )
}

function ScopeFields({
  scopes,
  error,
  onChange,
}: {
  scopes: readonly TokenScope[]
  error: string | undefined
  onChange: (scopes: TokenScope[]) => void
}) {
  const id = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" aria-describedby={error && `${id}-error`}>
      <legend className="pb-1.5 font-medium">What it may do</legend>
      {TOKEN_SCOPES.map((scope) => (
        <label key={scope} className="flex min-h-11 cursor-pointer items-center gap-3 sm:min-h-9">
          <Checkbox
            checked={scopes.includes(scope)}
            onChange={() => onChange(TOKEN_SCOPES.filter((each) => scopes.includes(each) !== (each === scope)))}
          />
          <span className="min-w-0">
            {SCOPES[scope]} <code className="text-xs text-muted wrap-anywhere">{scope}</code>
          </span>
        </label>
      ))}
      <FieldNotes errorId={`${id}-error`} error={error} helpId={`${id}-help`} help={undefined} />
    </fieldset>
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
