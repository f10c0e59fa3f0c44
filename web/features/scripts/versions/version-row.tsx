import type { ScriptVersion } from '#contract/scripts.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { fileSize } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import type { ScriptDetails } from '#web/features/scripts/load-script.ts'

interface Props {
  version: ScriptVersion
  script: ScriptDetails['script']
  /** Undefined for whoever cannot, and for the present version. */
  onRestore: (() => void) | undefined
}

export function VersionRow({ version, script, onRestore }: Props) {
  const raw = `/raw/${encodeURIComponent(script.slug)}?sha256=${version.sha256}`
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2">
          <bdi className="font-semibold wrap-anywhere">{version.version}</bdi>
          {version.is_current && (
            <span className="rounded-sm bg-accent-soft px-1.5 text-xs font-medium text-accent">Current</span>
          )}
          <span className="text-sm text-muted tabular-nums">
            <RelativeTime iso={version.created_at} /> · {fileSize(version.size)}
          </span>
        </p>
        {version.changelog && (
          <p dir="auto" className="text-muted wrap-anywhere">
            <bdi>{version.changelog}</bdi>
          </p>
        )}
      </div>
      <div className="flex items-center gap-1">
        {script.is_public && (
          <a
            href={raw}
            className="inline-flex min-h-11 items-center rounded-sm px-3 text-sm font-medium text-muted hover:bg-surface-2 hover:text-text sm:min-h-8"
          >
            Raw<span className="sr-only"> code of number {version.number}</span>
          </a>
        )}
        {onRestore && (
          <Button size="sm" variant="ghost" onClick={onRestore}>
            Restore<span className="sr-only"> number {version.number}</span>
          </Button>
        )}
      </div>
    </li>
  )
}
