import { Link } from 'react-router'
import { MemberAvatar } from '../../components/member-avatar.tsx'
import { Extra } from './extra.tsx'
import type { ScriptDetails } from './load-script.ts'

export function AuthorCard({ script }: { script: ScriptDetails['script'] }) {
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
      <div className="min-h-11 noscript:hidden sm:min-h-10">
        <Extra part="reputation" script={script} />
      </div>
    </section>
  )
}
