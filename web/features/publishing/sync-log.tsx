import { useId } from 'react'
import type { RepositorySource, RepositorySync } from '#contract/repository-sync.ts'
import type { VersionState } from '#contract/version-states.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { Pill, type PillTone } from '#web/ui/pill.tsx'

interface State {
  label: string
  tone: PillTone
}

const STATES: Record<RepositorySync['state'], State> = {
  waiting: { label: 'Waiting', tone: 'accent' },
  published: { label: 'Published', tone: 'success' },
  unchanged: { label: 'No change', tone: 'neutral' },
  skipped: { label: 'Skipped', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'danger' },
}

/** States of a version that visitors do not get. */
const VERSION_STATES: Partial<Record<VersionState, State & { text: string }>> = {
  checking: { label: 'Checking', tone: 'accent', text: 'Visitors get this version when it is checked.' },
  held: { label: 'Held', tone: 'warning', text: 'This version waits for you: see why on the page of the script.' },
  discarded: { label: 'Discarded', tone: 'neutral', text: 'Visitors never got this version.' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral', text: 'Visitors no longer get this version.' },
}

const COMMIT_LENGTH = 7

/** The last updates of a script by its repository. */
export function SyncLog({ source, syncs }: { source: RepositorySource; syncs: readonly RepositorySync[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="font-medium">
        Last updates
      </h3>
      {syncs.length === 0 && (
        <p className="text-sm text-muted">No updates yet. Push a change to the file, or sync now.</p>
      )}
      <ul aria-labelledby={id} aria-live="polite" className="divide-y divide-line">
        {syncs.map((sync) => (
          <SyncRow key={sync.id} sync={sync} source={source} />
        ))}
      </ul>
    </section>
  )
}

function SyncRow({ sync, source }: { sync: RepositorySync; source: RepositorySource }) {
  const { state, reason, commit, path, error, version_number, version_state, created_at } = sync
  const { forge, repository } = source.connection
  const waiting = version_state === null ? undefined : VERSION_STATES[version_state]
  const { label, tone } = waiting ?? STATES[state]
  return (
    <li className="flex flex-col gap-1 py-3 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <Pill tone={tone}>{label}</Pill>
        {state === 'published' && <span className="font-medium">Version {version_number}</span>}
        {commit && (
          <a
            href={`${forge.url}/${repository}/${forge.kind === 'github' ? '' : '-/'}commit/${commit}`}
            rel="noreferrer"
            className="font-mono text-accent hover:underline"
          >
            {commit.slice(0, COMMIT_LENGTH)}
          </a>
        )}
        <span className="ml-auto text-muted">
          {reason === 'manual' ? 'Sync now, ' : 'Push, '}
          <RelativeTime iso={created_at} />
        </span>
      </p>
      {path && <p className="font-mono text-sm text-muted wrap-anywhere">{path}</p>}
      {waiting && <p className="text-sm text-muted">{waiting.text}</p>}
      {error && (
        <p className={`text-sm wrap-anywhere ${state === 'failed' ? 'text-danger' : 'text-muted'}`}>
          {error}
          {state === 'waiting' && " We'll try again."}
        </p>
      )}
    </li>
  )
}
