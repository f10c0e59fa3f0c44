import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { useEffect, useState } from 'react'
import { useRevalidator } from '#web/router/router.tsx'
import { describeChange } from '#contract/behavior-changes.ts'
import type { BehaviorChange } from '#contract/behavior.ts'
import type { ScriptVersion } from '#contract/scripts.ts'
import { MarkdownText } from '#web/shared/markdown/markdown-text.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fileSize } from '#web/lib/numbers.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { linkRel } from '#web/shared/markdown/rich-text.tsx'
import { Pill } from '#web/ui/pill.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { PageScript } from './script-details.ts'
import { describeProvenance, describeState, isPublished, sourceUrl, STATE_LABELS } from './version-state.ts'
import { CompareView } from './version-diff.tsx'
import { WithdrawDialog } from './withdraw-dialog.tsx'
import { Successor } from './withdrawn-script.tsx'

/** The stored versions of the code and a comparison of any two. The author can restore a version. */
export function VersionsPanel({ script }: { script: PageScript }) {
  const [attempt, setAttempt] = useState(0)
  // Reloads after each change of the script.
  return <Versions key={`${script.updated_at} ${attempt}`} script={script} onRetry={() => setAttempt(attempt + 1)} />
}

function Versions({ script, onRetry }: { script: PageScript; onRetry: () => void }) {
  const loaded = useVersions(script.id)
  const user = useUser()
  const isOwn = user?.id === script.author_id
  const canWithdraw = isOwn || user?.is_moderator === true || user?.is_admin === true
  const [withdrawing, setWithdrawing] = useState<ScriptVersion>()
  const [restoring, setRestoring] = useState<ScriptVersion>()
  if (loaded === 'loading') return <Skeleton className="h-40" />
  if (loaded === 'failed') {
    return (
      <div className="flex flex-col items-start gap-3 rounded-md border border-line bg-surface-1 p-5">
        <p>Couldn't load the version history.</p>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    )
  }
  const withCode = loaded.versions.filter(({ state }) => state !== 'withdrawn')
  return (
    <div className="flex flex-col gap-4">
      <ol
        aria-label="Versions"
        className="max-h-128 divide-y divide-line overflow-y-auto rounded-md border border-line bg-surface-1"
      >
        {loaded.versions.map((version) => (
          <VersionRow
            key={version.number}
            version={version}
            change={loaded.changes.find(({ number }) => number === version.number)}
            script={script}
            onWithdraw={canWithdraw && isPublished(version) ? () => setWithdrawing(version) : undefined}
            onRestore={isOwn && version.state === 'former' ? () => setRestoring(version) : undefined}
          />
        ))}
      </ol>
      {withCode.length > 1 ? (
        <CompareView key={withCode[0]?.number} scriptId={script.id} versions={withCode} />
      ) : (
        <p className="text-sm text-muted">Only one version so far.</p>
      )}
      {withdrawing && (
        <WithdrawDialog
          scriptId={script.id}
          version={withdrawing}
          isStaff={!isOwn}
          onWithdrawn={onRetry}
          onClose={() => setWithdrawing(undefined)}
        />
      )}
      {restoring && <RestoreDialog script={script} version={restoring} onClose={() => setRestoring(undefined)} />}
    </div>
  )
}

interface History {
  versions: ScriptVersion[]
  /** What versions do that the ones before did not. Empty if that could not be loaded. */
  changes: BehaviorChange[]
}

function useVersions(id: number): History | 'loading' | 'failed' {
  const api = useApi()
  const [loaded, setLoaded] = useState<History | 'loading' | 'failed'>('loading')
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      const [{ versions }, { changes }] = await Promise.all([
        api('GET /api/script-versions', { query: { id }, signal }),
        api('GET /api/script-behavior-changes', { query: { id }, signal }).catch(() => ({ changes: [] })),
      ])
      setLoaded({ versions, changes })
    }
    load().catch(() => !signal.aborted && setLoaded('failed'))
    return () => controller.abort()
  }, [api, id])
  return loaded
}

interface RowProps {
  version: ScriptVersion
  change: BehaviorChange | undefined
  script: PageScript
  /** Undefined for the current version, and for everyone but the author. */
  onRestore: (() => void) | undefined
  /** For the author and the staff, while everyone gets its code. */
  onWithdraw: (() => void) | undefined
}

function VersionRow({ version, change, script, onRestore, onWithdraw }: RowProps) {
  const raw = `/raw/${encodeURIComponent(script.slug)}?sha256=${version.sha256}`
  const state = describeState(version)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2">
          <bdi className="font-semibold wrap-anywhere">{version.version}</bdi>
          <Pill tone={STATE_LABELS[version.state].tone}>{STATE_LABELS[version.state].label}</Pill>
          <span className="text-sm text-muted tabular-nums">
            <RelativeTime iso={version.created_at} /> · {fileSize(version.size)}
          </span>
        </p>
        <Provenance version={version} />
        {state && <p className="wrap-anywhere">{state}</p>}
        {version.withdrawn && script.successor && <Successor successor={script.successor} />}
        {version.changelog && <MarkdownText text={version.changelog} className="text-muted" />}
        {version.changelog_details && <Details text={version.changelog_details} />}
        {change && <Change change={change} />}
      </div>
      <div className="flex items-center gap-1">
        {script.is_public && isPublished(version) && (
          <a
            href={raw}
            className="inline-flex min-h-11 items-center rounded-sm px-3 text-sm font-medium text-muted hover:bg-surface-2 hover:text-text sm:min-h-8"
          >
            Raw<span className="sr-only"> code of version #{version.number}</span>
          </a>
        )}
        {onRestore && (
          <Button size="sm" variant="ghost" onClick={onRestore}>
            Restore<span className="sr-only"> version #{version.number}</span>
          </Button>
        )}
        {onWithdraw && (
          <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={onWithdraw}>
            Withdraw<span className="sr-only"> version #{version.number}</span>
          </Button>
        )}
      </div>
    </li>
  )
}

function Details({ text }: { text: string }) {
  return (
    <details>
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm text-accent hover:underline sm:min-h-8">
        All notes
      </summary>
      <MarkdownText text={text} className="pb-2 text-muted" />
    </details>
  )
}

function Provenance({ version }: { version: ScriptVersion }) {
  const text = describeProvenance(version)
  const url = sourceUrl(version)
  if (!text) return null
  return (
    <p className="text-sm text-muted wrap-anywhere">
      {url ? (
        <a href={url} target="_blank" rel={linkRel} className="hover:text-text hover:underline">
          {text}
        </a>
      ) : (
        text
      )}
    </p>
  )
}

/** What the version does that the one before did not, and no longer does. */
function Change({ change }: { change: BehaviorChange }) {
  const hasStarts = change.starts.length > 0 || change.hosts_added.length > 0
  const Icon = hasStarts ? TriangleAlert : Info
  const sentences = describeChange(change)
  if (sentences.length === 0) return null
  return (
    <p className="flex items-start gap-2 wrap-anywhere">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${hasStarts ? 'text-warning' : 'text-muted'}`} />
      <span>This update {sentences.join('. It ')}.</span>
    </p>
  )
}

interface RestoreProps {
  script: PageScript
  version: ScriptVersion
  onClose: () => void
}

/** Confirms restoring a version. Restoring adds a new version with the old code. */
function RestoreDialog({ script, version, onClose }: RestoreProps) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const restore = async () => {
    try {
      await api('POST /api/script-versions', { body: { script_id: script.id, number: version.number } })
    } catch (error) {
      const text = error instanceof ApiError ? error.message : ''
      toast({ title: "Couldn't restore the version.", tone: 'error', ...(text ? { text } : {}) })
      throw error
    }
    toast({ title: `Restored version ${version.version}.`, tone: 'success' })
    void revalidate()
  }
  return (
    <ConfirmDialog
      title="Restore this version?"
      text={
        <p>
          The code of version <bdi className="font-semibold text-text">{version.version}</bdi> becomes current. The
          current version stays in the history.
        </p>
      }
      confirmLabel="Restore"
      busyLabel="Restoring..."
      tone="primary"
      onConfirm={restore}
      onClose={onClose}
    />
  )
}
