import type { ScriptDetails } from './load-script.ts'
import { CopyScript } from './copy-script.tsx'
import { DownloadLink } from './download-link.tsx'

/** On phones the main actions stay at hand. Sticky, not laid over everything: the footer below remains readable. */
export function MobileBar({ script }: { script: ScriptDetails['script'] }) {
  return (
    <div className="sticky bottom-0 z-20 -mx-4 mt-8 flex gap-2 border-t border-line bg-surface-1 p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:hidden">
      <CopyScript script={script} variant="primary" className="flex-1" />
      {script.is_public && <DownloadLink id={script.id} className="flex-1" />}
    </div>
  )
}
