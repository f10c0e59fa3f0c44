import { useState } from 'react'
import { Link } from 'react-router'
import { MemberAvatar } from '#web/components/member-avatar.tsx'
import { fullCount } from '#web/lib/numbers.ts'
import { Extra } from './extra.tsx'
import type { ScriptDetails } from './load-script.ts'

export function AuthorCard({ script: loaded }: { script: ScriptDetails['script'] }) {
  const { script, moveReputation } = useReputationFigure(loaded)
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
          {script.author_reputation !== null && (
            <p className="text-sm text-muted tabular-nums">{fullCount(script.author_reputation)} reputation</p>
          )}
        </div>
      </div>
      <div className="min-h-11 noscript:hidden sm:min-h-10">
        <Extra part="reputation" script={script} onReputation={moveReputation} />
      </div>
    </section>
  )
}

/** A script whose author's reputation moves under the viewer's hand, until it is loaded anew; what is hidden stays so. */
function useReputationFigure(loaded: ScriptDetails['script']) {
  const [moved, setMoved] = useState<{ of: typeof loaded; to: number }>()
  const moveReputation = (to: number) => setMoved({ of: loaded, to })
  const isMoved = moved?.of === loaded && loaded.author_reputation !== null
  return { script: isMoved ? { ...loaded, author_reputation: moved.to } : loaded, moveReputation }
}
