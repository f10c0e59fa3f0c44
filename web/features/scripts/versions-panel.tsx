import { useEffect, useState } from 'react'
import { useRevalidator } from '#web/router/router.tsx'
import type { ScriptVersion } from '#contract/scripts.ts'
import { MarkdownText } from '#web/components/markdown-text.tsx'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { Api } from '#web/lib/client.ts'
import { fileSize, fullCount } from '#web/lib/numbers.ts'
import { useSession } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { CodeText } from './code-preview.tsx'
import type { Comparison, DiffLine, LineKind } from './compare.ts'
import type { PageScript } from './script-page.tsx'

// Makes the scroll area focusable, so that the keyboard can scroll it.
const FOCUSABLE = 0

/** The stored versions of the code and a comparison of any two. The author can restore a version. */
export function VersionsPanel({ script }: { script: PageScript }) {
  const [attempt, setAttempt] = useState(0)
  // Reloads after each change of the script.
  return <Versions key={`${script.updated_at} ${attempt}`} script={script} onRetry={() => setAttempt(attempt + 1)} />
}

function Versions({ script, onRetry }: { script: PageScript; onRetry: () => void }) {
  const loaded = useVersions(script.id)
  const isOwn = useSession().user?.id === script.author_id
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
  return (
    <div className="flex flex-col gap-4">
      <ol
        aria-label="Versions"
        className="max-h-128 divide-y divide-line overflow-y-auto rounded-md border border-line bg-surface-1"
      >
        {loaded.map((version) => (
          <VersionRow
            key={version.number}
            version={version}
            script={script}
            onRestore={isOwn && !version.is_current ? () => setRestoring(version) : undefined}
          />
        ))}
      </ol>
      {loaded.length > 1 ? (
        <CompareView key={loaded[0]?.number} scriptId={script.id} versions={loaded} />
      ) : (
        <p className="text-sm text-muted">Only one version so far.</p>
      )}
      {restoring && <RestoreDialog script={script} version={restoring} onClose={() => setRestoring(undefined)} />}
    </div>
  )
}

/** The stored versions of a script, newest first. */
function useVersions(id: number): ScriptVersion[] | 'loading' | 'failed' {
  const api = useApi()
  const [loaded, setLoaded] = useState<ScriptVersion[] | 'loading' | 'failed'>('loading')
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    api('GET /api/script-versions', { query: { id }, signal }).then(
      ({ versions }) => setLoaded(versions),
      () => !signal.aborted && setLoaded('failed'),
    )
    return () => controller.abort()
  }, [api, id])
  return loaded
}

interface RowProps {
  version: ScriptVersion
  script: PageScript
  /** Undefined for the current version, and for everyone but the author. */
  onRestore: (() => void) | undefined
}

function VersionRow({ version, script, onRestore }: RowProps) {
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
        {version.changelog && <MarkdownText text={version.changelog} className="text-muted" />}
      </div>
      <div className="flex items-center gap-1">
        {script.is_public && (
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
      </div>
    </li>
  )
}

const loadCode = async (api: Api, id: number, number: number, signal: AbortSignal): Promise<string> =>
  (await api('GET /api/script-version', { query: { id, number }, signal })).version.script_content

/** Compares two versions, initially the newest and the one before. */
function CompareView({ scriptId, versions }: { scriptId: number; versions: readonly ScriptVersion[] }) {
  const api = useApi()
  const [from, setFrom] = useState(String(versions[1]?.number))
  const [to, setTo] = useState(String(versions[0]?.number))
  const [loaded, setLoaded] = useState<{ pair: string; comparison: Comparison | undefined }>()
  const pair = `${from}:${to}`
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      const [{ compare }, older, newer] = await Promise.all([
        import('./compare.ts'),
        loadCode(api, scriptId, Number(from), signal),
        loadCode(api, scriptId, Number(to), signal),
      ])
      if (!signal.aborted) setLoaded({ pair, comparison: compare(older, newer) })
    }
    load().catch(() => !signal.aborted && setLoaded({ pair, comparison: undefined }))
    return () => controller.abort()
  }, [api, scriptId, from, to, pair])
  const options = Object.fromEntries(versions.map(({ number, version }) => [String(number), `${version} (#${number})`]))
  const shown = loaded?.pair === pair ? loaded : undefined
  return (
    <section aria-label="Compare versions" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select label="From" value={from} options={options} onChange={setFrom} />
        <Select label="To" value={to} options={options} onChange={setTo} />
      </div>
      {!shown && <Skeleton className="h-40" />}
      {shown && !shown.comparison && <p className="text-danger">Couldn't compare the versions.</p>}
      {shown?.comparison && <DiffTable comparison={shown.comparison} />}
    </section>
  )
}

const rowColors: Record<LineKind, string> = {
  same: '',
  added: 'bg-success/15',
  removed: 'bg-danger/15',
  gap: 'bg-surface-2',
}
const signs: Record<LineKind, string> = { same: ' ', added: '+', removed: '-', gap: '' }
const signLabels: Partial<Record<LineKind, string>> = { added: 'Added: ', removed: 'Removed: ' }

/** A line diff. Changes are marked by sign and by text for screen readers, not only by color. */
function DiffTable({ comparison: { lines, added, removed, isCut, isApproximate } }: { comparison: Comparison }) {
  if (added === 0 && removed === 0) return <p className="text-muted">No changes.</p>
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface-1">
      <p className="flex flex-wrap gap-x-4 border-b border-line px-4 py-2 text-sm tabular-nums">
        <span className="text-success">
          {fullCount(added)} {added === 1 ? 'line' : 'lines'} added
        </span>
        <span className="text-danger">
          {fullCount(removed)} {removed === 1 ? 'line' : 'lines'} removed
        </span>
      </p>
      <section
        tabIndex={FOCUSABLE}
        aria-label="Differences"
        className="max-h-160 overflow-auto focus-visible:-outline-offset-2"
      >
        <pre dir="ltr" className="w-max min-w-full py-2 font-mono text-sm/6 [font-variant-ligatures:none] [tab-size:4]">
          {Array.from(lines.entries(), ([index, line]) => (
            <DiffRow key={index} line={line} />
          ))}
        </pre>
      </section>
      {(isCut || isApproximate) && (
        <p className="border-t border-line px-4 py-2 text-sm text-muted">
          {isApproximate ? 'Too different to show line by line. ' : ''}
          {isCut ? 'Long lines and anything past 2,000 lines are hidden; open Raw for everything.' : ''}
        </p>
      )}
    </div>
  )
}

function DiffRow({ line: { kind, text, from, to } }: { line: DiffLine }) {
  if (kind === 'gap') return <span className={`block px-4 text-muted select-none ${rowColors.gap}`}>⋯</span>
  return (
    <span className={`flex ${rowColors[kind]}`}>
      <LineNumber>{from}</LineNumber>
      <LineNumber>{to}</LineNumber>
      <span aria-hidden className="w-6 shrink-0 text-center text-muted select-none">
        {signs[kind]}
      </span>
      {signLabels[kind] && <span className="sr-only">{signLabels[kind]}</span>}
      <code className="pr-4">
        <CodeText text={text || ' '} />
      </code>
    </span>
  )
}

function LineNumber({ children }: { children: number | undefined }) {
  return <span className="w-10 shrink-0 pr-2 text-right text-muted tabular-nums select-none">{children}</span>
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
