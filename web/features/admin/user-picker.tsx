import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useId, useState } from 'react'
import { MemberAvatar } from '#web/components/member-avatar.tsx'
import { controlClass, Field } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { itemForKey } from '#web/ui/item-for-key.ts'
import { useUserSearch } from './use-user-search.ts'

export interface PickedUser {
  id: number
  username: string
  avatar_url: string
}

interface Props {
  name: string
  label: string
  placeholder?: string
  help?: string
  error?: string | undefined
  value: PickedUser | undefined
  onPick: (user: PickedUser | undefined) => void
  disabled?: boolean
}

/** One member, found by typing: ARIA's combobox with a list. */
export function UserPicker({
  name,
  label,
  placeholder = 'Search by username, email or ID',
  help,
  error,
  value,
  onPick,
  disabled = false,
}: Props) {
  const listId = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState<number>()
  const { users, isSearching } = useUserSearch(text)
  const isOpen = text.trim() !== ''
  const pick = (user: PickedUser | undefined) => {
    setText('')
    setActive(undefined)
    onPick(user)
  }
  const onKey = (event: KeyboardEvent) => {
    if (!isOpen) return
    if (event.key === 'Escape') {
      // The list closes, not what stands around it.
      event.preventDefault()
      return setText('')
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      const user = users.find(({ id }) => id === active) ?? users[0]
      return user && pick(user)
    }
    const next = itemForKey(
      users.map(({ id }) => id),
      active,
      event.key,
    )
    if (next === undefined || event.key === 'Home' || event.key === 'End') return
    event.preventDefault()
    setActive(next)
  }
  if (value) return <Picked label={label} value={value} disabled={disabled} onClear={() => pick(undefined)} />
  return (
    <div className="relative min-w-0">
      <Field name={name} label={label} help={help} error={error}>
        {(aria) => (
          <input
            {...aria}
            type="text"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && active !== undefined ? `${listId}-${active}` : undefined}
            value={text}
            disabled={disabled}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setText(event.target.value)
              setActive(undefined)
            }}
            onKeyDown={onKey}
            onBlur={() => setText('')}
            className={`h-11 sm:h-10 ${controlClass}`}
          />
        )}
      </Field>
      <div
        id={listId}
        role="listbox"
        aria-label={label}
        hidden={!isOpen}
        className="absolute inset-x-0 top-18 z-20 max-h-72 overflow-y-auto rounded-md border border-line bg-surface-1 p-1 shadow-raised"
      >
        {users.map((user) => (
          <div
            key={user.id}
            id={`${listId}-${user.id}`}
            role="option"
            aria-selected={user.id === active}
            // Before the field loses the focus and the list goes.
            onPointerDown={(event) => {
              event.preventDefault()
              pick(user)
            }}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-2 hover:bg-surface-2 aria-selected:bg-surface-2"
          >
            <MemberAvatar member={{ author_avatar: user.avatar_url }} name={user.username} size="small" />
            <bdi className="truncate">{user.username}</bdi>
            <span className="ml-auto text-sm text-muted tabular-nums">ID {user.id}</span>
          </div>
        ))}
        {users.length === 0 && (
          <div role="option" aria-selected={false} aria-disabled className="px-2 py-2 text-muted">
            {isSearching ? 'Searching...' : 'Nobody found'}
          </div>
        )}
      </div>
    </div>
  )
}

function Picked({
  label,
  value,
  disabled,
  onClear,
}: {
  label: string
  value: PickedUser
  disabled: boolean
  onClear: () => void
}) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="font-medium">{label}</p>
      <p className="flex h-11 items-center gap-2 rounded-sm border border-line bg-surface-2 pl-2 sm:h-10">
        <MemberAvatar member={{ author_avatar: value.avatar_url }} name={value.username} size="small" />
        <bdi className="min-w-0 flex-1 truncate font-medium">{value.username}</bdi>
        <IconButton icon={X} label={`Remove ${value.username}`} disabled={disabled} onClick={onClear} />
      </p>
    </div>
  )
}
