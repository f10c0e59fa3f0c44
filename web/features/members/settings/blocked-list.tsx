import { Link } from '#web/router/router.tsx'
import { useBlockedMembers } from '#web/shared/blocks/blocked-members.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export function BlockedList() {
  return (
    <FormSection
      title="Blocked members"
      text="They can't give you reputation, reply to your reviews or notify you, and what they write is collapsed for you. Block someone in the menu of their profile or review."
    >
      <List />
    </FormSection>
  )
}

function List() {
  const run = useAction()
  const { members, unblock, reload } = useBlockedMembers()
  if (members === undefined) return <Skeleton className="h-14" />
  if (members === null) {
    return <LoadFailure text="Couldn't load the members you blocked." onRetry={() => void reload()} />
  }
  if (members.length === 0) return <p className="text-muted">You haven't blocked anyone.</p>
  return (
    <ul aria-label="Blocked members" className="flex flex-col divide-y divide-line">
      {members.map(({ user_id, name, slug, avatar_url, blocked_at }) => (
        <li key={user_id} className="flex min-w-0 items-center gap-3 py-2">
          <MemberAvatar member={{ author_avatar: avatar_url }} name={name} />
          <div className="min-w-0 flex-1">
            <Link
              to={`/profile/${encodeURIComponent(slug)}`}
              className="inline-flex min-h-6 max-w-full font-medium hover:text-accent hover:underline"
            >
              <bdi className="truncate">{name}</bdi>
            </Link>
            <p className="text-sm text-muted">
              Blocked <RelativeTime iso={blocked_at} />
            </p>
          </div>
          <Button
            size="sm"
            aria-label={`Unblock ${name}`}
            onClick={() =>
              void run(() => unblock(user_id), {
                success: `You unblocked ${name}`,
                failure: `Couldn't unblock ${name}`,
              }).catch(() => undefined)
            }
          >
            Unblock
          </Button>
        </li>
      ))}
    </ul>
  )
}
