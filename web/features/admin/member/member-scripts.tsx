import { Link } from 'react-router'
import type { AdminScript } from '#contract/admin.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { compactCount } from '#web/lib/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { ScriptPills } from '#web/features/admin/scripts/script-pills.tsx'

export function MemberScripts({ scripts }: { scripts: readonly AdminScript[] }) {
  return (
    <Panel title="Scripts">
      {scripts.length === 0 && <p className="text-muted">None uploaded.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {scripts.map((script) => (
          <li key={script.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
            <Link
              to={`/scripts/${encodeURIComponent(script.slug)}`}
              className="min-w-0 flex-1 basis-48 font-medium wrap-anywhere hover:text-accent hover:underline"
            >
              <bdi>{script.title}</bdi>
            </Link>
            <ScriptPills script={script} />
            <span className="text-sm text-muted tabular-nums">
              {compactCount(script.view_count)} views · <RelativeTime iso={script.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
