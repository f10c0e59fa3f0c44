import { Link } from 'react-router'
import type { AdminScript } from '#contract/admin.ts'
import { ScriptCover } from '#web/components/script-cover.tsx'

/** Cover, title and the beginning of the description. */
export function ScriptThumb({ script }: { script: AdminScript }) {
  return (
    <div className="flex min-w-0 items-start gap-3">
      <div aria-hidden className="aspect-video w-20 shrink-0 overflow-hidden rounded-sm bg-surface-2">
        <ScriptCover title={script.title} src={script.image_card} width={80} height={45} />
      </div>
      <div className="min-w-0 flex-1">
        <Link
          to={`/scripts/${encodeURIComponent(script.slug)}`}
          className="block truncate font-medium hover:text-accent hover:underline"
        >
          <bdi>{script.title}</bdi>
        </Link>
        <p dir="auto" className="truncate text-sm text-muted">
          {script.description}
        </p>
        <ScriptAuthor script={script} />
      </div>
    </div>
  )
}

function ScriptAuthor({ script }: { script: AdminScript }) {
  return (
    <p className="truncate text-xs text-muted">
      Version <bdi>{script.version}</bdi> by{' '}
      <Link to={`/admin/users/${script.author_id}`} className="text-text hover:text-accent hover:underline">
        <bdi>{script.author_name}</bdi>
      </Link>
    </p>
  )
}
