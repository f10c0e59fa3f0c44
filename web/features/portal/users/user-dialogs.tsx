import { useState } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { MAX_BADGE_LENGTH, MAX_BADGE_TITLE_LENGTH, MAX_NOTES_LENGTH, SEVERITIES } from '#contract/limits.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { ReasonField } from '#web/shared/reason-field.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { DiscordIdField, parseDiscordId } from './discord-id-field.tsx'
import { LinkMemberDialog } from './link-member-dialog.tsx'
import { MUTE_HOURS } from '#web/features/portal/mute-hours.ts'
import { useAdminAction } from '#web/features/portal/portal-data.ts'
import type { UserAction } from './user-menu.tsx'

const BAN_HOURS = { '1': '1 hour', '24': '24 hours', '168': '7 days', '720': '30 days', permanent: 'Permanent' }
const MUTES = { ...MUTE_HOURS, permanent: 'Permanent' } as const
const WARNING_DAYS = { '7': '7 days', '30': '30 days', '90': '90 days', permanent: 'Permanent' }

/** The number of hours or days behind a choice. */
export const parseDuration = (choice: string): number | 'permanent' =>
  choice === 'permanent' ? choice : Number(choice)

interface Props {
  user: AdminUser
  onClose: () => void
}

export function UserDialog({ action, ...props }: Props & { action: UserAction }) {
  switch (action) {
    case 'edit_user':
      return <EditDialog {...props} />
    case 'ban_user':
      return <BanDialog {...props} />
    case 'mute_user':
      return <MuteDialog {...props} />
    case 'warn_user':
      return <WarnDialog {...props} />
    case 'link_member':
      return <LinkMemberDialog {...props} />
    default:
      return <ConfirmUserAction action={action} {...props} />
  }
}

/** Bans a member, the person behind a deleted account or, without `user`, anyone by Discord ID. */
export function BanDialog({ user, onClose }: { user?: Pick<AdminUser, 'id' | 'username'>; onClose: () => void }) {
  const act = useAdminAction()
  const [discordId, setDiscordId] = useState('')
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState<keyof typeof BAN_HOURS>('24')
  const ban = async () => {
    return act(
      {
        action: 'ban_user',
        ...(user ? { user_id: user.id } : { discord_id: parseDiscordId(discordId) }),
        reason: reason.trim(),
        duration: parseDuration(hours),
      },
      { success: 'User banned successfully', failure: 'Failed to ban user' },
    )
  }
  return (
    <FormDialog
      title={user ? `Ban user: ${user.username}` : 'Ban by Discord ID'}
      submitLabel="Ban user"
      busyLabel="Banning..."
      tone="danger"
      canSubmit={reason.trim() !== '' && (user !== undefined || discordId.trim() !== '')}
      onSubmit={ban}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="text-muted">
            {user
              ? 'Signs them out and hides their profile and scripts until the ban ends.'
              : 'Rejects their sign-ins until the ban ends. If they have an account, it is banned.'}
          </p>
          {!user && <DiscordIdField value={discordId} error={errors['discord_id']} onChange={setDiscordId} />}
          <ReasonField
            value={reason}
            help="Shown when they try to sign in."
            error={errors['reason']}
            onChange={setReason}
          />
          <ChoiceField name="duration" label="Duration" value={hours} options={BAN_HOURS} onChange={setHours} />
        </>
      )}
    </FormDialog>
  )
}

function MuteDialog({ user, onClose }: Props) {
  const act = useAdminAction()
  const [reason, setReason] = useState('')
  const [hours, setHours] = useState<keyof typeof MUTES>('24')
  const mute = () =>
    act(
      { action: 'mute_user', user_id: user.id, reason: reason.trim(), duration: parseDuration(hours) },
      { success: 'User muted successfully', failure: 'Failed to mute user' },
    )
  return (
    <FormDialog
      title={`Mute user: ${user.username}`}
      submitLabel="Mute user"
      busyLabel="Muting..."
      tone="danger"
      canSubmit={reason.trim() !== ''}
      onSubmit={mute}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="text-muted">They can browse but not upload, edit or review until the mute ends.</p>
          <ReasonField value={reason} error={errors['reason']} onChange={setReason} />
          <ChoiceField name="duration" label="Duration" value={hours} options={MUTES} onChange={setHours} />
        </>
      )}
    </FormDialog>
  )
}

type Severity = (typeof SEVERITIES)[number]

const SEVERITY_LABELS = Object.fromEntries(
  SEVERITIES.map((severity) => [severity, severity.charAt(0).toUpperCase() + severity.slice(1)]),
) as Record<Severity, string>

function WarnDialog({ user, onClose }: Props) {
  const act = useAdminAction()
  const [reason, setReason] = useState('')
  const [severity, setSeverity] = useState<Severity>('minor')
  const [days, setDays] = useState<keyof typeof WARNING_DAYS>('30')
  const warn = () =>
    act(
      { action: 'warn_user', user_id: user.id, reason: reason.trim(), severity, duration: parseDuration(days) },
      { success: 'Warning issued successfully', failure: 'Failed to warn user' },
    )
  return (
    <FormDialog
      title={`Issue warning: ${user.username}`}
      submitLabel="Issue warning"
      busyLabel="Sending..."
      canSubmit={reason.trim() !== ''}
      onSubmit={warn}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <ReasonField value={reason} help="Sent as a notification." error={errors['reason']} onChange={setReason} />
          <ChoiceField
            name="severity"
            label="Severity"
            value={severity}
            options={SEVERITY_LABELS}
            onChange={setSeverity}
          />
          <ChoiceField name="duration" label="Expires after" value={days} options={WARNING_DAYS} onChange={setDays} />
        </>
      )}
    </FormDialog>
  )
}

interface EditValues {
  title: string
  custom_badge: string
  badge_color: string
  notes: string
  reputation: string
}

const valuesOf = (user: AdminUser): EditValues => ({
  title: user.title ?? '',
  custom_badge: user.custom_badge ?? '',
  badge_color: user.badge_color,
  notes: user.notes ?? '',
  reputation: String(user.reputation),
})

function EditDialog({ user, onClose }: Props) {
  const act = useAdminAction()
  const [initial] = useState(() => valuesOf(user))
  const [values, setValues] = useState(initial)
  const set = (name: keyof EditValues) => (value: string) => setValues((old) => ({ ...old, [name]: value }))
  const save = async () => {
    const { reputation, ...texts } = values
    // Other members may give points while the dialog is open: only an edited value is sent.
    const edited = reputation === initial.reputation ? {} : { reputation }
    return act(
      { action: 'edit_user', user_id: user.id, ...texts, ...edited },
      { success: 'User updated successfully', failure: 'Failed to update user' },
    )
  }
  return (
    <FormDialog
      title={`Edit user: ${user.username}`}
      submitLabel="Save changes"
      busyLabel="Saving..."
      onSubmit={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field name="title" label="Title" error={errors['title']}>
            {(aria) => (
              <TextInput {...aria} value={values.title} maxLength={MAX_BADGE_TITLE_LENGTH} onChange={set('title')} />
            )}
          </Field>
          <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-4">
            <Field name="custom_badge" label="Custom badge" error={errors['custom_badge']}>
              {(aria) => (
                <TextInput
                  {...aria}
                  value={values.custom_badge}
                  maxLength={MAX_BADGE_LENGTH}
                  onChange={set('custom_badge')}
                />
              )}
            </Field>
            <Field name="badge_color" label="Badge color" error={errors['badge_color']}>
              {(aria) => (
                <input
                  {...aria}
                  type="color"
                  value={values.badge_color}
                  onChange={(event) => set('badge_color')(event.target.value)}
                  className="h-11 w-24 cursor-pointer rounded-sm border border-line-strong bg-surface-0 p-1 sm:h-10"
                />
              )}
            </Field>
          </div>
          <Field
            name="reputation"
            label="Reputation points"
            help="The whole number at the start counts. Without one, it is saved as 0."
            error={errors['reputation']}
          >
            {(aria) => (
              <TextInput
                {...aria}
                value={values.reputation}
                inputMode="numeric"
                maxLength={40}
                onChange={set('reputation')}
              />
            )}
          </Field>
          <Field name="notes" label="Admin notes" help="Only visible to admins." error={errors['notes']}>
            {(aria) => <TextArea {...aria} value={values.notes} maxLength={MAX_NOTES_LENGTH} onChange={set('notes')} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

interface ConfirmedAction {
  verb: string
  /** What the action does, and how it is reversed. */
  consequences: string
  tone: 'primary' | 'danger'
}

const CONFIRMED: Record<ConfirmedUserAction, ConfirmedAction> = {
  unban_user: {
    verb: 'unban',
    consequences: 'They can sign in, and their profile and scripts are visible. To reverse it, ban them again.',
    tone: 'primary',
  },
  unmute_user: {
    verb: 'unmute',
    consequences: 'They can upload, edit and review. To reverse it, mute them again.',
    tone: 'primary',
  },
  make_admin: {
    verb: 'make admin',
    consequences: 'They get full access immediately. You can remove the role later.',
    tone: 'danger',
  },
  remove_admin: {
    verb: 'remove admin',
    consequences: 'They lose access to this portal at once. “Make Admin” gives it back.',
    tone: 'danger',
  },
  make_moderator: {
    verb: 'make moderator',
    consequences:
      'They can decide reports and hide scripts and reviews. “Remove Moderator” takes the role back, but not their decisions.',
    tone: 'primary',
  },
  remove_moderator: {
    verb: 'remove moderator',
    consequences: 'They lose access to the reports at once. “Make Moderator” gives it back.',
    tone: 'danger',
  },
}
type ConfirmedUserAction = Extract<
  UserAction,
  'unban_user' | 'unmute_user' | 'make_admin' | 'remove_admin' | 'make_moderator' | 'remove_moderator'
>

function ConfirmUserAction({ action, user, onClose }: Props & { action: ConfirmedUserAction }) {
  const act = useAdminAction()
  const { verb, consequences, tone } = CONFIRMED[action]
  const confirm = () =>
    act({ action, user_id: user.id }, { success: ({ message }) => message, failure: `Failed to ${verb}` })
  return (
    <ConfirmDialog
      title="Confirm action"
      tone={tone}
      text={
        <>
          <p>{`Are you sure you want to ${verb} user "${user.username}"? This action cannot be undone.`}</p>
          <p className="mt-2">{consequences}</p>
        </>
      }
      confirmLabel={verb.charAt(0).toUpperCase() + verb.slice(1)}
      busyLabel="Working..."
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
