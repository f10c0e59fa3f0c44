import { Suspense, useState } from 'react'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { Button } from '../../../ui/button.tsx'
import type { ScriptDetails } from '../load-script.ts'

const VersionsPanel = lazyPart(async () => (await import('../versions/versions-panel.tsx')).VersionsPanel)

/** The script's former versions, loaded when somebody asks for them. */
export function VersionsPlace({ script }: { script: ScriptDetails['script'] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="self-start">
        Version history
      </Button>
      {isOpen && (
        <Suspense fallback={<p className="text-muted">Loading...</p>}>
          <VersionsPanel script={script} />
        </Suspense>
      )}
    </div>
  )
}
