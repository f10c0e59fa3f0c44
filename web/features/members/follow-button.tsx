import UserCheck from 'lucide-react/icons/user-check'
import UserPlus from 'lucide-react/icons/user-plus'
import { useToggle } from '#web/shared/sign-in/use-toggle.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'

interface Props {
  memberId: number
  name: string
  followerCount: number
  onFollowerCount: (count: number) => void
}

interface FollowStatus {
  is_following: boolean
  follower_count: number
}

const toState = ({ is_following, follower_count }: FollowStatus) => ({ isOn: is_following, count: follower_count })

/** Notifies the viewer of the member's new scripts. Members see nothing on their own profile. */
export function FollowButton({ memberId, name, followerCount, onFollowerCount }: Props) {
  const user = useUser()
  const { isOn, press } = useToggle({
    name: `follow ${memberId}`,
    count: followerCount,
    load: async (api, signal) => toState(await api('GET /api/follows', { query: { user_id: memberId }, signal })),
    set: async (api, isFollowing) =>
      toState(
        await (isFollowing
          ? api('POST /api/follows', { body: { user_id: memberId } })
          : api('DELETE /api/follows', { query: { user_id: memberId } })),
      ),
    failure: `Couldn't change whether you follow ${name}`,
    onChanged: ({ count }) => onFollowerCount(count),
  })
  if (user?.id === memberId) return null
  const Icon = isOn ? UserCheck : UserPlus
  return (
    <Button
      variant={isOn ? 'secondary' : 'primary'}
      aria-label={`${isOn ? 'Following' : 'Follow'} ${name}`}
      title={isOn ? 'Stop notifying me of new scripts' : 'Notify me of new scripts'}
      onClick={press}
    >
      <Icon aria-hidden className="size-4" />
      {isOn ? 'Following' : 'Follow'}
    </Button>
  )
}
