import { type FormEvent, useState } from 'react'
import Bell from 'lucide-react/icons/bell'
import Send from 'lucide-react/icons/send'
import UserCheck from 'lucide-react/icons/user-check'
import Users from 'lucide-react/icons/users'
import type { AdminStats } from '#contract/admin.ts'
import { MAX_NOTIFICATION_LENGTH, MAX_TITLE_LENGTH } from '#contract/limits.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { readStats } from '#web/features/portal/admin-keys.ts'
import { createLoader, useAdminAction, useTabData } from '#web/features/portal/portal-data.ts'
import { SystemPanel } from './system-panel.tsx'
import { LoadError, StatCard, TabSkeleton } from '#web/features/portal/tab-parts.tsx'
import { type PickedUser, UserPicker } from '#web/features/portal/user-picker.tsx'

const TYPE_LABELS = { info: 'Info', success: 'Success', warning: 'Warning', error: 'Error' } as const

export const loader = createLoader((api, { signal }) => readStats(api, signal))

export function Component() {
  const { data: stats, error, reload } = useTabData<AdminStats>()
  const [user, setUser] = useState<PickedUser>()
  const [isToAll, setToAll] = useState(false)
  if (error) return <LoadError text={error} onRetry={reload} />
  if (!stats) return <TabSkeleton />
  const selected = isToAll ? stats.total_users : Number(user !== undefined)
  const sendToAll = (isOn: boolean) => {
    setToAll(isOn)
    if (isOn) setUser(undefined)
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <StatCard icon={Users} label="Total users" value={fullCount(stats.total_users)} />
        <StatCard icon={UserCheck} label="Selected users" value={fullCount(selected)} />
        <StatCard icon={Bell} label="Notification types" value={String(Object.keys(TYPE_LABELS).length)} />
      </div>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <SendForm
          totalUsers={stats.total_users}
          user={user}
          onPick={setUser}
          isToAll={isToAll}
          onToAllChange={sendToAll}
        />
        <SystemPanel system={stats.system} />
      </div>
    </div>
  )
}

interface Draft {
  title: string
  message: string
  type: keyof typeof TYPE_LABELS
}

const EMPTY_DRAFT: Draft = { title: '', message: '', type: 'info' }

type FormErrors = Partial<Record<'title' | 'message' | 'user_id', string>>

/** A missing recipient is an error only if the texts are complete. */
export function validate({ title, message }: Draft, hasRecipient: boolean): FormErrors {
  const errors: FormErrors = {
    ...(title.trim() ? {} : { title: 'Enter a title.' }),
    ...(message.trim() ? {} : { message: 'Enter a message.' }),
  }
  if (Object.keys(errors).length > 0 || hasRecipient) return errors
  return { user_id: 'Choose a user, or send to all users.' }
}

interface SendProps {
  totalUsers: number
  user: PickedUser | undefined
  onPick: (user: PickedUser | undefined) => void
  isToAll: boolean
  onToAllChange: (isOn: boolean) => void
}

function SendForm({ totalUsers, user, onPick, isToAll, onToAllChange }: SendProps) {
  const act = useAdminAction()
  const toast = useToast()
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [errors, setErrors] = useState<FormErrors>({})
  const [isBusy, setBusy] = useState(false)
  const [isConfirming, setConfirming] = useState(false)

  const title = draft.title.trim()
  const change = (part: Partial<Draft>) => setDraft((previous) => ({ ...previous, ...part }))
  const send = async () => {
    setBusy(true)
    const recipient = isToAll ? { send_to_all: true } : { user_id: user?.id ?? null, send_to_all: false }
    try {
      await act(
        { action: 'send_notification', title, message: draft.message.trim(), type: draft.type, ...recipient },
        { success: 'Notification sent successfully', failure: 'Failed to send notification' },
      )
      change({ title: '', message: '' })
      onToAllChange(false)
    } catch {
      // The toast has reported it, and the form keeps its text.
    }
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const invalid = validate(draft, isToAll || user !== undefined)
    setErrors(invalid)
    if (invalid.title || invalid.message) toast({ title: 'Title and message are required', tone: 'error' })
    if (Object.keys(invalid).length > 0) return
    if (isToAll) setConfirming(true)
    else void send()
  }
  const recipients = totalUsers === 1 ? '1 user' : `${fullCount(totalUsers)} users`
  return (
    <Panel title="Send notification">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <DraftFields draft={draft} errors={errors} onChange={change} />
        <Switch
          label="Send to all users"
          help={`Sends to all ${fullCount(totalUsers)} users.`}
          isOn={isToAll}
          onChange={onToAllChange}
        />
        {!isToAll && (
          <UserPicker name="user_id" label="Recipient" error={errors.user_id} value={user} onPick={onPick} />
        )}
        <Button type="submit" variant="primary" aria-disabled={isBusy} className="self-end max-sm:w-full">
          <Send aria-hidden className="size-4" />
          {isBusy ? 'Sending...' : 'Send notification'}
        </Button>
      </form>
      {isConfirming && (
        <ConfirmDialog
          title="Send to all users?"
          text={`“${title}” goes to ${recipients}. This action cannot be undone.`}
          confirmLabel={`Send to ${recipients}`}
          busyLabel="Sending..."
          tone="primary"
          onConfirm={send}
          onClose={() => setConfirming(false)}
        />
      )}
    </Panel>
  )
}

interface FieldsProps {
  draft: Draft
  errors: FormErrors
  onChange: (part: Partial<Draft>) => void
}

function DraftFields({ draft, errors, onChange }: FieldsProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field name="title" label="Title" error={errors.title} isRequired>
          {(aria) => (
            <TextInput
              {...aria}
              value={draft.title}
              maxLength={MAX_TITLE_LENGTH}
              onChange={(value) => onChange({ title: value })}
            />
          )}
        </Field>
        <ChoiceField
          name="type"
          label="Type"
          value={draft.type}
          options={TYPE_LABELS}
          onChange={(type) => onChange({ type })}
        />
      </div>
      <Field name="message" label="Message" error={errors.message} isRequired>
        {(aria) => (
          <TextArea
            {...aria}
            value={draft.message}
            maxLength={MAX_NOTIFICATION_LENGTH}
            onChange={(message) => onChange({ message })}
          />
        )}
      </Field>
    </>
  )
}
