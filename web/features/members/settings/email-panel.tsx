import MailCheck from 'lucide-react/icons/mail-check'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { EmailSettings } from '#contract/email.ts'
import { type Digest, MAX_EMAIL_LENGTH } from '#contract/limits.ts'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { describeActionError, describeError } from '#web/lib/describe-error.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { useFocusAfterDialog } from '#web/ui/use-focus-after-dialog.ts'

type Choices = Pick<EmailSettings, 'digest' | 'sign_ins' | 'decisions'>

const DIGESTS: Record<Digest, string> = { off: 'Off', daily: 'Daily', weekly: 'Weekly' }

/** The member's email address, and what is sent to it. */
export function EmailPanel() {
  const [attempt, setAttempt] = useState(0)
  return (
    <FormSection
      title="Email"
      text="Get a digest of your unread notifications, sign-ins from new devices and moderation decisions by email. We send nothing else."
    >
      <EmailForm key={attempt} onRetry={() => setAttempt(attempt + 1)} />
    </FormSection>
  )
}

function EmailForm({ onRetry }: { onRetry: () => void }) {
  const api = useApi()
  const run = useAction()
  const toast = useToast()
  const [settings, setSettings] = useEmailSettings()
  const [isRemoving, setRemoving] = useState(false)
  const { target: section, focusAfterDialog } = useFocusAfterDialog<HTMLDivElement>(isRemoving)

  if (settings === null) {
    return <LoadFailure text="Couldn't load your email settings." onRetry={onRetry} />
  }
  if (!settings) return <Skeleton className="h-32" />

  const choose = async <K extends keyof Choices>(name: K, value: Choices[K]) => {
    const set = (chosen: Choices[K]) => setSettings((current) => current && { ...current, [name]: chosen })
    set(value)
    try {
      // The answer lacks choices that were made since.
      await api('PUT /api/email-settings', { body: { [name]: value } })
    } catch (error) {
      set(settings[name])
      toast({ title: 'Failed to save email settings', text: describeError(error), tone: 'error' })
    }
  }
  const remove = async () => {
    setSettings(
      await run(() => api('DELETE /api/email-address'), {
        success: 'Removed your email address',
        failure: "Couldn't remove the address",
      }),
    )
    focusAfterDialog()
  }
  const hasAddress = Boolean(settings.address || settings.pending_address)
  return (
    <div ref={section} tabIndex={-1} className="flex flex-col gap-5 outline-none">
      <AddressStatus settings={settings} />
      <AddressForm
        label={hasAddress ? 'New email address' : 'Email address'}
        onSent={(next) => {
          setSettings(next)
          toast({ title: 'Check your inbox for a link', tone: 'success' })
        }}
      />
      {hasAddress && (
        <>
          <Choices settings={settings} onChange={(name, value) => void choose(name, value)} />
          <Button variant="danger" onClick={() => setRemoving(true)} className="self-start">
            Remove address
          </Button>
        </>
      )}
      {isRemoving && (
        <ConfirmDialog
          title="Remove your email address?"
          text="You'll get no more email, and your choices are deleted. You can add an address again at any time."
          confirmLabel="Remove address"
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        />
      )}
    </div>
  )
}

function AddressStatus({ settings }: { settings: EmailSettings }) {
  const { address, pending_address: pending, is_bouncing: isBouncing } = settings
  return (
    <>
      {address && (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
          Sent to <bdi className="font-medium">{address}</bdi>
          {isBouncing ? <Pill tone="warning">Not working</Pill> : <Pill tone="success">Confirmed</Pill>}
        </p>
      )}
      {isBouncing && (
        <p className="text-sm text-muted">
          The mail server of this address rejected our email, so we stopped sending. Enter another address, or this one
          again once it works.
        </p>
      )}
      {pending && (
        <output className="flex items-start gap-3 rounded-md border border-line bg-surface-2 p-3 wrap-anywhere">
          <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
          <span className="min-w-0 flex-1">
            We sent a link to <bdi className="font-medium">{pending}</bdi>. Open it within 24 hours to confirm the
            address.
          </span>
        </output>
      )}
    </>
  )
}

function AddressForm({ label, onSent }: { label: string; onSent: (settings: EmailSettings) => void }) {
  const api = useApi()
  const form = useRef<HTMLFormElement>(null)
  const [address, setAddress] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      onSent(await api('PUT /api/email-address', { body: { address } }))
      setAddress('')
    } catch (caught) {
      const field = caught instanceof ApiError ? caught.fields['address'] : undefined
      setError(field ?? describeActionError(caught))
      form.current?.querySelector('input')?.focus()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      <Field
        name="address"
        label={label}
        error={error}
        help="Nobody else sees it. It is used once you confirm it with the link that we send."
      >
        {(aria) => (
          <TextInput
            {...aria}
            type="email"
            dir="ltr"
            inputMode="email"
            autoComplete="email"
            maxLength={MAX_EMAIL_LENGTH}
            value={address}
            onChange={(value) => {
              setAddress(value)
              setError(undefined)
            }}
          />
        )}
      </Field>
      <Button
        type="submit"
        variant="primary"
        disabled={address.trim() === ''}
        aria-disabled={isBusy}
        className="min-w-36 self-start"
      >
        {isBusy ? 'Sending...' : 'Send link'}
      </Button>
    </form>
  )
}

interface ChoicesProps {
  settings: Choices
  onChange: <K extends keyof Choices>(name: K, value: Choices[K]) => void
}

function Choices({ settings, onChange }: ChoicesProps) {
  return (
    <div className="flex flex-col gap-4">
      <ChoiceField
        name="digest"
        label="Digest"
        value={settings.digest}
        options={DIGESTS}
        help="Your unread notifications of the day or week in one email. Nothing is sent if there are none."
        onChange={(digest) => onChange('digest', digest)}
      />
      <Switch
        label="Sign-ins from new devices"
        help="Someone signs in to your account with a browser or from a network that you have not used before."
        isOn={settings.sign_ins}
        onChange={(isOn) => onChange('sign_ins', isOn)}
      />
      <Switch
        label="Moderation decisions"
        help="A moderator hides, restores or removes something you published, or decides your appeal."
        isOn={settings.decisions}
        onChange={(isOn) => onChange('decisions', isOn)}
      />
    </div>
  )
}

/** The settings are undefined while loading and null if loading failed. */
function useEmailSettings() {
  const api = useApi()
  const [settings, setSettings] = useState<EmailSettings | null>()
  useEffect(() => {
    const request = new AbortController()
    const { signal } = request
    api('GET /api/email-settings', { signal }).then(setSettings, () => {
      if (!signal.aborted) setSettings(null)
    })
    return () => request.abort()
  }, [api])
  return [settings, setSettings] as const
}
