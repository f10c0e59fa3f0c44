import type { Script } from '#contract/scripts.ts'
import { Link } from 'react-router'
import { MemberAvatar } from '../../components/member-avatar.tsx'
import { ReputationPlace } from '../../components/reputation-place.tsx'

type Authored = Pick<
  Script,
  | 'author_id'
  | 'author_name'
  | 'author_slug'
  | 'author_avatar'
  | 'profile_image'
  | 'discord_id'
  | 'avatar'
  | 'discriminator'
>

export function AuthorCard({ script }: { script: Authored }) {
  return (
    <section
      aria-labelledby="author-heading"
      className="flex flex-col gap-4 rounded-md border border-line bg-surface-1 p-4"
    >
      <div className="relative flex items-center gap-3">
        <MemberAvatar member={script} name={script.author_name} />
        <div className="min-w-0 flex-1">
          <h2 id="author-heading" className="text-sm text-muted">
            Author
          </h2>
          <Link
            to={`/profile/${encodeURIComponent(script.author_slug)}`}
            className="block truncate font-semibold after:absolute after:inset-0 hover:text-accent hover:underline"
          >
            <bdi>{script.author_name}</bdi>
          </Link>
        </div>
      </div>
      <ReputationPlace memberId={script.author_id} name={script.author_name} />
    </section>
  )
}
