import { useEffect, useState } from 'react'
import { Combobox } from '@base-ui/react/combobox'
import X from 'lucide-react/icons/x'
import type { AdminUser } from '#contract/admin.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { controlClass, Field } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { readUsers } from './admin-keys.ts'

const SEARCH_DELAY_MS = 200
const MAX_RESULTS = 8

export interface PickedUser {
  id: number
  username: string
  avatar_url: string
  discord_id?: string
}

interface Props {
  name: string
  label: string
  placeholder?: string
  error?: string | undefined
  value: PickedUser | undefined
  onPick: (user: PickedUser | undefined) => void
}

/** Picks one member from a list, which typing part of a name, an email or an ID narrows. */
export function UserPicker({
  name,
  label,
  placeholder = 'Search by username, email or ID',
  error,
  value,
  onPick,
}: Props) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { users, isSearching } = useUserSearch(text, isOpen)
  if (value) return <Picked label={label} user={value} onClear={() => onPick(undefined)} />
  return (
    // Inline, because with a popup the combobox hides the rest of the page from screen readers while it stays focusable.
    <Combobox.Root
      inline
      open={isOpen}
      items={users}
      filter={null}
      autoHighlight
      loopFocus={false}
      value={null}
      onValueChange={(user: AdminUser | null) => user && onPick(user)}
      itemToStringLabel={(user: AdminUser) => user.username}
      inputValue={text}
      onInputValueChange={(input) => {
        setText(input)
        if (input !== '') setOpen(true)
      }}
    >
      <div className="relative min-w-0">
        <Field name={name} label={label} error={error}>
          {(aria) => (
            <Combobox.Input
              {...aria}
              placeholder={placeholder}
              autoComplete="off"
              spellCheck={false}
              onFocus={() => setOpen(true)}
              onClick={() => setOpen(true)}
              onBlur={() => {
                setText('')
                setOpen(false)
              }}
              onKeyDown={(event) => {
                if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setOpen(true)
                if (event.key === 'Escape') {
                  setText('')
                  setOpen(false)
                }
                // Without a result, Enter would send the form.
                if (isOpen && event.key === 'Enter') event.preventDefault()
              }}
              className={`h-11 sm:h-10 ${controlClass}`}
            />
          )}
        </Field>
        <UserOptions label={label} isOpen={isOpen} isSearching={isSearching} />
      </div>
    </Combobox.Root>
  )
}

function UserOptions({ label, isOpen, isSearching }: { label: string; isOpen: boolean; isSearching: boolean }) {
  return (
    <div
      role="presentation"
      hidden={!isOpen}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-18 z-20 max-h-72 overflow-y-auto rounded-md border border-line bg-surface-1 p-1 shadow-raised"
    >
      <Combobox.Empty className="px-2 py-2 text-muted empty:hidden">
        {isSearching ? 'Searching...' : 'No users found'}
      </Combobox.Empty>
      <Combobox.List aria-label={label}>
        {(user: AdminUser) => (
          <Combobox.Item
            key={user.id}
            value={user}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-2 data-highlighted:bg-surface-2"
          >
            <MemberAvatar
              member={{ author_avatar: user.avatar_url, discord_id: user.discord_id }}
              name={user.username}
              size="small"
            />
            <bdi className="truncate">{user.username}</bdi>
            <span className="ml-auto text-sm text-muted tabular-nums">ID {user.id}</span>
          </Combobox.Item>
        )}
      </Combobox.List>
    </div>
  )
}

function Picked({ label, user, onClear }: { label: string; user: PickedUser; onClear: () => void }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="font-medium">{label}</p>
      <p className="flex h-11 items-center gap-2 rounded-sm border border-line bg-surface-2 pl-2 sm:h-10">
        <MemberAvatar
          member={{ author_avatar: user.avatar_url, discord_id: user.discord_id ?? null }}
          name={user.username}
          size="small"
        />
        <bdi className="min-w-0 flex-1 truncate font-medium">{user.username}</bdi>
        <IconButton icon={X} label={`Remove ${user.username}`} onClick={onClear} />
      </p>
    </div>
  )
}

/** Members that match the text, loaded when the list opens and shortly after a keystroke. */
function useUserSearch(text: string, isOpen: boolean): { users: readonly AdminUser[]; isSearching: boolean } {
  const api = useApi()
  const search = text.trim()
  const [result, setFound] = useState<{ search: string; users: readonly AdminUser[] }>()
  useEffect(() => {
    if (!isOpen) return undefined
    const controller = new AbortController()
    const timer = setTimeout(
      () => {
        readUsers(api, { search, limit: MAX_RESULTS, sort: 'username', order: 'asc' }, controller.signal).then(
          ({ users }) => setFound({ search, users }),
          // The next keystroke searches again.
          () => setFound({ search, users: [] }),
        )
      },
      search ? SEARCH_DELAY_MS : 0,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, search, isOpen])
  return { users: result?.users ?? [], isSearching: result?.search !== search }
}
