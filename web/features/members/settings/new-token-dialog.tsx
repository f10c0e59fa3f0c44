import { useId, useState } from 'react'
import {
  canChangeScripts,
  canWrite,
  DEFAULT_TOKEN_LIFETIME,
  MAX_TOKEN_NAME_LENGTH,
  MAX_TOKEN_SCRIPTS,
  MAX_TOKENS,
  MAX_WRITING_LIFETIME,
  TOKEN_LIFETIMES,
  TOKEN_SCOPES,
  type TokenScope,
} from '#contract/limits.ts'
import type { ApiToken, NewToken } from '#contract/tokens.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { type ChosenScript, OwnScriptsField } from '#web/shared/own-scripts-field.tsx'
import { needsSignIn } from '#web/shared/sign-in/sign-in-again.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field, FieldNotes } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

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

export interface Created {
  token: string
  info: ApiToken
}

/** `scripts` is null for all. */
export type TokenDraft = Required<Omit<NewToken, 'script_ids'>> & { scripts: readonly ChosenScript[] | null }

export const EMPTY_TOKEN: TokenDraft = {
  name: '',
  scopes: ['scripts:write'],
  expires_in_days: DEFAULT_TOKEN_LIFETIME,
  scripts: null,
}

const lifetimesOf = (scopes: readonly TokenScope[]) =>
  TOKEN_LIFETIMES.filter((days) => days <= MAX_WRITING_LIFETIME || !canWrite(scopes))

/** With other scopes, a lifetime or a choice of scripts may no longer be possible. */
function withScopes(draft: TokenDraft, scopes: TokenScope[]): TokenDraft {
  const expires_in_days = lifetimesOf(scopes).findLast((days) => days <= draft.expires_in_days)
  return {
    ...draft,
    scopes,
    expires_in_days: expires_in_days ?? DEFAULT_TOKEN_LIFETIME,
    scripts: canChangeScripts(scopes) ? draft.scripts : null,
  }
}

/** Throws ApiError `invalid` if no script is chosen. */
function toNewToken({ scripts, ...fields }: TokenDraft): NewToken {
  if (scripts?.length === 0) {
    throw new ApiError(0, 'invalid', { fields: { script_ids: 'Choose at least one script, or all.' } })
  }
  return { ...fields, script_ids: scripts && scripts.map(({ id }) => id) }
}

interface Props {
  initial: TokenDraft
  onCreated: (created: Created) => void
  onSignInRequired: (draft: TokenDraft) => void
  onClose: () => void
}

export function NewTokenDialog({ initial, onCreated, onSignInRequired, onClose }: Props) {
  const api = useApi()
  const [draft, setDraft] = useState(initial)
  const submit = async () => {
    try {
      onCreated(await api('POST /api/tokens', { body: toNewToken(draft) }))
    } catch (error) {
      // The dialog closes, and opens again after the sign-in.
      if (needsSignIn(error)) return onSignInRequired(draft)
      throw error
    }
  }
  return (
    <FormDialog
      title="New API token"
      submitLabel="Create token"
      busyLabel="Creating..."
      hasAlert
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
            options={Object.fromEntries(lifetimesOf(draft.scopes).map((days) => [String(days), `${days} days`]))}
            help={
              canWrite(draft.scopes) ? `A token that writes lives at most ${MAX_WRITING_LIFETIME} days.` : undefined
            }
            onChange={(days) => {
              const lifetime = TOKEN_LIFETIMES.find((choice) => String(choice) === days)
              if (lifetime) setDraft({ ...draft, expires_in_days: lifetime })
            }}
          />
          <ScopeFields
            scopes={draft.scopes}
            error={errors['scopes']}
            onChange={(scopes) => setDraft(withScopes(draft, scopes))}
          />
          {canChangeScripts(draft.scopes) && (
            <OwnScriptsField
              chosen={draft.scripts}
              limit={MAX_TOKEN_SCRIPTS}
              noun="token"
              error={errors['script_ids']}
              onChange={(scripts) => setDraft({ ...draft, scripts })}
            />
          )}
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
