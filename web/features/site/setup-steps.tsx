import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { MAX_BACKUP_PATH_LENGTH, MAX_SITE_NAME_LENGTH } from '#contract/limits.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { SetupState } from '#contract/setup.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

type Action = BodyOf<'POST /api/setup'> extends infer B ? (B extends unknown ? Omit<B, 'token'> : never) : never

/** Sends one part of the setup. Rejects with the error, which the step shows. */
export type SendSetup = (action: Action) => Promise<SetupState>

interface StepProps {
  state: SetupState
  send: SendSetup
  onDone: () => void
}

type Errors = Record<string, string | undefined>

/** Sends a form, and shows its errors at the fields. */
function useStepForm(submit: () => Promise<unknown>) {
  const element = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>({})
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setErrors({})
    setFailure(undefined)
    try {
      await submit()
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {}
      const names = Object.keys(fields)
      flushSync(() => setErrors(fields))
      if (names.length === 0) setFailure(describeActionError(error))
      else if (element.current) focusFirstError(element.current, names)
    } finally {
      setBusy(false)
    }
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) void run()
  }
  return { element, errors, failure, isBusy, onSubmit }
}

interface StepFormProps {
  form: ReturnType<typeof useStepForm>
  label: string
  submitLabel: string
  aside?: ReactNode
  children: ReactNode
}

function StepForm({ form, label, submitLabel, aside, children }: StepFormProps) {
  const { element, failure, isBusy, onSubmit } = form
  return (
    <form ref={element} noValidate aria-label={label} onSubmit={onSubmit} className="flex flex-col gap-5">
      {children}
      {failure && <FormAlert>{failure}</FormAlert>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" aria-disabled={isBusy} className="min-w-32 max-sm:flex-1">
          {isBusy ? 'Saving...' : submitLabel}
        </Button>
        {aside}
      </div>
    </form>
  )
}

export function NameStep({ state, send, onDone }: StepProps) {
  const [name, setName] = useState(state.name)
  const form = useStepForm(async () => {
    await send({ action: 'save_name', name })
    onDone()
  })
  return (
    <StepForm form={form} label="Name" submitLabel="Continue">
      <Field
        name="name"
        label="Name of the site"
        help="In the header, page titles, emails and link previews. You can set a logo and colors later in the portal."
        error={form.errors['name']}
      >
        {(aria) => <TextInput {...aria} value={name} maxLength={MAX_SITE_NAME_LENGTH} onChange={setName} />}
      </Field>
    </StepForm>
  )
}

const MONO = 'rounded-sm border border-line bg-surface-2 px-2 py-1.5 font-mono text-sm wrap-anywhere'

export function DiscordStep({ state, send, onDone }: StepProps) {
  const { discord } = state
  const [clientId, setClientId] = useState(discord.client_id ?? '')
  const [clientSecret, setClientSecret] = useState('')
  const [warning, setWarning] = useState<string>()
  const form = useStepForm(async () => {
    const saved = await send({ action: 'save_discord', client_id: clientId, client_secret: clientSecret })
    setClientSecret('')
    if (saved.warning) setWarning(saved.warning)
    else onDone()
  })
  if (discord.is_fixed) {
    return (
      <FixedNote name="DISCORD_CLIENT_ID" onDone={onDone}>
        Members sign in with the Discord application <bdi className="font-mono">{discord.client_id}</bdi>.
      </FixedNote>
    )
  }
  return (
    <StepForm
      form={form}
      label="Discord"
      submitLabel={warning ? 'Save again' : 'Save and continue'}
      aside={
        <Button variant="ghost" onClick={onDone}>
          {warning ? 'Continue' : 'Later'}
        </Button>
      }
    >
      <DiscordInstructions redirectUrl={discord.redirect_url} />
      <Field name="client_id" label="Client ID" error={form.errors['client_id']}>
        {(aria) => <TextInput {...aria} inputMode="numeric" value={clientId} maxLength={100} onChange={setClientId} />}
      </Field>
      <Field
        name="client_secret"
        label="Client secret"
        help="Stored encrypted. It is never shown again."
        error={form.errors['client_secret']}
      >
        {(aria) => (
          <TextInput
            {...aria}
            type="password"
            autoComplete="new-password"
            value={clientSecret}
            maxLength={200}
            onChange={setClientSecret}
          />
        )}
      </Field>
      {warning && (
        <p role="status" className="text-warning">
          {warning}
        </p>
      )}
    </StepForm>
  )
}

function DiscordInstructions({ redirectUrl }: { redirectUrl: string }) {
  return (
    <>
      <p className="text-muted">
        Members sign in with their Discord account. For that, you need a free Discord application:
      </p>
      <ol className="flex list-decimal flex-col gap-2 pl-5">
        <li>
          Open{' '}
          <a
            href="https://discord.com/developers/applications"
            target="_blank"
            rel="noopener noreferrer"
            className="text-accent underline"
          >
            Discord&apos;s developer portal
          </a>{' '}
          and create an application.
        </li>
        <li>
          On its “OAuth2” page, add this redirect URL and save:
          <span className="mt-1.5 flex flex-wrap items-center gap-2">
            <code className={MONO}>{redirectUrl}</code>
            <CopyButton
              size="sm"
              load={() => Promise.resolve(redirectUrl)}
              failure={{ title: "Couldn't copy", text: 'Select the text and copy it.' }}
            />
          </span>
        </li>
        <li>Copy the client ID and the client secret from that page.</li>
      </ol>
    </>
  )
}

export function BackupStep({ state, send, onDone }: StepProps) {
  const { backup } = state
  const [target, setTarget] = useState(backup.target ?? '')
  const form = useStepForm(async () => {
    await send({ action: 'save_backup', target: target.trim() || null })
    onDone()
  })
  if (backup.is_fixed) {
    return (
      <FixedNote name="BACKUP_TARGET" onDone={onDone}>
        Backups are written to <bdi className="font-mono wrap-anywhere">{backup.target}</bdi>.
      </FixedNote>
    )
  }
  return (
    <StepForm form={form} label="Backups" submitLabel={target.trim() ? 'Check and continue' : 'Continue without'}>
      <Field
        name="target"
        label="Folder or bucket for backups"
        help="A folder on the server, preferably on another disk, or s3://bucket/prefix if the server has the BACKUP_S3 settings. A backup is written daily and verified by restoring it; the last seven are stored. Leave it empty for no backups."
        error={form.errors['target']}
      >
        {(aria) => (
          <TextInput
            {...aria}
            value={target}
            placeholder="/backups"
            spellCheck={false}
            maxLength={MAX_BACKUP_PATH_LENGTH}
            onChange={setTarget}
          />
        )}
      </Field>
    </StepForm>
  )
}

/** A step whose value a server setting fixes. */
function FixedNote({ name, onDone, children }: { name: string; onDone: () => void; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <p>{children}</p>
      <p className="text-sm text-muted">
        This is set by the server setting <code className="font-mono">{name}</code>.
      </p>
      <Button variant="primary" onClick={onDone}>
        Continue
      </Button>
    </div>
  )
}

export function AdminStep({ state, send }: Omit<StepProps, 'onDone'>) {
  const [isById, setById] = useState(state.admin.discord_id !== null)
  if (isById) return <AdminById state={state} send={send} onBack={() => setById(false)} />
  return <AdminBySignIn state={state} send={send} onOther={() => setById(true)} />
}

function AdminBySignIn({ state, send, onOther }: Omit<StepProps, 'onDone'> & { onOther: () => void }) {
  const { status, user, signIn } = useSession()
  const form = useStepForm(() => (user ? send({ action: 'claim_admin' }) : signIn()))
  const canSignIn = state.discord.client_id !== null
  const skip = (
    <Button variant="ghost" onClick={onOther}>
      Enter a Discord ID instead
    </Button>
  )
  if (!canSignIn && !user) {
    return (
      <div className="flex flex-col items-start gap-4">
        <p className="text-muted">To sign in as the first admin, connect Discord first.</p>
        {skip}
      </div>
    )
  }
  return (
    <StepForm
      form={form}
      label="First admin"
      submitLabel={user ? 'Become the admin and finish' : 'Login with Discord'}
      aside={skip}
    >
      {user ? (
        <p>
          You are signed in as <bdi className="font-medium">{user.username}</bdi>. As the admin you manage users,
          scripts and the look of the site.
        </p>
      ) : (
        <p className="text-muted">
          {status === 'loading'
            ? 'Loading...'
            : "Sign in with your Discord account. You'll return here and become the admin."}
        </p>
      )}
    </StepForm>
  )
}

function AdminById({ state, send, onBack }: Omit<StepProps, 'onDone'> & { onBack: () => void }) {
  const [discordId, setDiscordId] = useState(state.admin.discord_id ?? '')
  const form = useStepForm(async () => {
    await send({ action: 'save_admin', discord_id: discordId })
    await send({ action: 'finish' })
  })
  return (
    <StepForm
      form={form}
      label="First admin"
      submitLabel="Finish"
      aside={
        <Button variant="ghost" onClick={onBack}>
          Sign in instead
        </Button>
      }
    >
      <Field
        name="discord_id"
        label="Discord ID of the admin"
        help="In Discord, turn on Developer Mode (Settings, Advanced), open the menu of the account and choose “Copy User ID”. This account becomes the admin when it signs in."
        error={form.errors['discord_id']}
      >
        {(aria) => <TextInput {...aria} inputMode="numeric" value={discordId} maxLength={40} onChange={setDiscordId} />}
      </Field>
    </StepForm>
  )
}
