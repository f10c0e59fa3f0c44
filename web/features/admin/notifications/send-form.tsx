import Send from 'lucide-react/icons/send'
import { type FormEvent, useState } from 'react'
import { MAX_NOTIFICATION_LENGTH, MAX_TITLE_LENGTH } from '#contract/limits.ts'
import { useAction } from '#web/components/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { act } from '#web/features/admin/read-admin.ts'
import { type PickedUser, UserPicker } from '#web/features/admin/user-picker.tsx'
import { type NotificationType, TYPE_LABELS } from './type-labels.ts'

interface Props {
  totalUsers: number
  user: PickedUser | undefined
  onPick: (user: PickedUser | undefined) => void
  isToAll: boolean
  onToAll: (isOn: boolean) => void
}

type Wrong = Partial<Record<'title' | 'message' | 'user_id', string>>

export function SendForm({ totalUsers, user, onPick, isToAll, onToAll }: Props) {
  const api = useApi()
  const deed = useAction()
  const toast = useToast()
  const [title, setTitle] = useState('')
  const [message, setMessage] = useState('')
  const [type, setType] = useState<NotificationType>('info')
  const [wrong, setWrong] = useState<Wrong>({})
  const [isBusy, setBusy] = useState(false)

  const check = (): Wrong => {
    if (!title.trim() || !message.trim()) {
      toast({ title: 'Title and message are required', tone: 'error' })
      return {
        ...(title.trim() ? {} : { title: 'Write a title.' }),
        ...(message.trim() ? {} : { message: 'Write a message.' }),
      }
    }
    return isToAll || user ? {} : { user_id: 'Choose a user, or send to all.' }
  }
  const send = async () => {
    setBusy(true)
    const to = isToAll ? { send_to_all: true } : { user_id: user?.id ?? null, send_to_all: false }
    try {
      await deed(
        () => act(api, { action: 'send_notification', title: title.trim(), message: message.trim(), type, ...to }),
        {
          success: 'Notification sent successfully',
          failure: 'Failed to send notification',
        },
      )
      setTitle('')
      setMessage('')
    } catch {
      // It has been told, and what was written stays.
    }
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const found = check()
    setWrong(found)
    if (Object.keys(found).length === 0) void send()
  }
  return (
    <Panel title="Send Notification">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
          <Field name="title" label="Title" error={wrong.title} isRequired>
            {(aria) => <TextInput {...aria} value={title} maxLength={MAX_TITLE_LENGTH} onChange={setTitle} />}
          </Field>
          <ChoiceField name="type" label="Type" value={type} options={TYPE_LABELS} onChange={setType} />
        </div>
        <Field name="message" label="Message" error={wrong.message} isRequired>
          {(aria) => <TextArea {...aria} value={message} maxLength={MAX_NOTIFICATION_LENGTH} onChange={setMessage} />}
        </Field>
        <Switch
          label="Send to all users"
          help={`All ${fullCount(totalUsers)} of them get it.`}
          isOn={isToAll}
          onChange={onToAll}
        />
        {!isToAll && <UserPicker name="user_id" label="Recipient" error={wrong.user_id} value={user} onPick={onPick} />}
        <Button type="submit" variant="primary" aria-disabled={isBusy} className="self-end max-sm:w-full">
          <Send aria-hidden className="size-4" />
          {isBusy ? 'Sending...' : 'Send Notification'}
        </Button>
      </form>
    </Panel>
  )
}
