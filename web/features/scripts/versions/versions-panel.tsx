import { useState } from 'react'
import type { ScriptVersion } from '#contract/scripts.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { ScriptDetails } from '#web/features/scripts/load-script.ts'
import { CompareView } from './compare-view.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { useVersions } from './use-versions.ts'
import { VersionRow } from './version-row.tsx'

interface Props {
  script: ScriptDetails['script']
}

/** All kept versions of the code, a comparison of any two, and for the author the way back to each. */
export function VersionsPanel({ script }: Props) {
  const [attempt, setAttempt] = useState(0)
  // Anew after each change of the script.
  return <Versions key={`${script.updated_at} ${attempt}`} script={script} onRetry={() => setAttempt(attempt + 1)} />
}

function Versions({ script, onRetry }: Props & { onRetry: () => void }) {
  const found = useVersions(script.id)
  const isOwn = useSession().user?.id === script.author_id
  const [restoring, setRestoring] = useState<ScriptVersion>()
  if (found.state === 'loading') return <Skeleton className="h-40" />
  if (found.state === 'failed') {
    return (
      <div className="flex flex-col items-start gap-3 rounded-md border border-line bg-surface-1 p-5">
        <p>The version history could not be loaded.</p>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    )
  }
  const { versions } = found
  return (
    <div className="flex flex-col gap-4">
      <ol
        aria-label="Versions"
        className="max-h-128 divide-y divide-line overflow-y-auto rounded-md border border-line bg-surface-1"
      >
        {versions.map((version) => (
          <VersionRow
            key={version.number}
            version={version}
            script={script}
            onRestore={isOwn && !version.is_current ? () => setRestoring(version) : undefined}
          />
        ))}
      </ol>
      {versions.length > 1 ? (
        <CompareView key={versions[0]?.number} scriptId={script.id} versions={versions} />
      ) : (
        <p className="text-sm text-muted">This is the first version. Later ones can be compared here.</p>
      )}
      {restoring && <RestoreDialog script={script} version={restoring} onClose={() => setRestoring(undefined)} />}
    </div>
  )
}
