import { Suspense, useState } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { Button } from '#web/ui/button.tsx'
import type { ScriptDetails } from '#web/features/scripts/load-script.ts'

const VersionsPanel = lazyComponent(
  async () => (await import('#web/features/scripts/versions/versions-panel.tsx')).VersionsPanel,
)

/** The script's former versions, loaded when somebody asks for them. */
export function VersionsSlot({ script }: { script: ScriptDetails['script'] }) {
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
