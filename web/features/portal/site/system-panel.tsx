import type { AdminStats } from '#contract/admin.ts'
import { timeText } from '#web/lib/dates.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Fact } from '#web/features/portal/tab-parts.tsx'

/** Size of a segment of PostgreSQL's write-ahead log. */
const SEGMENT_MB = 16

function BackupAge({ backup }: { backup: AdminStats['system']['backup'] }) {
  if (!backup) return 'Not scheduled'
  const { verified_at, is_late } = backup
  return (
    <span className={is_late ? 'font-medium text-warning' : undefined}>
      {verified_at ? <time dateTime={verified_at}>{timeText(verified_at)}</time> : 'None yet'}
      {is_late && ' (late)'}
    </span>
  )
}

function ArchiveAge({ archive }: { archive: NonNullable<AdminStats['system']['wal_archive']> }) {
  const { archived_at, is_failing } = archive
  return (
    <span className={is_failing ? 'font-medium text-warning' : undefined}>
      {archived_at ? <time dateTime={archived_at}>{timeText(archived_at)}</time> : 'None yet'}
      {is_failing && ' (failing)'}
    </span>
  )
}

/** Version and state of the site, with warnings about its backups. */
export function SystemPanel({ system }: { system: AdminStats['system'] }) {
  const { environment, version, started_at, database, database_version, backup, wal_archive } = system
  return (
    <Panel title="System information">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <Fact name="Environment">{environment.charAt(0).toUpperCase() + environment.slice(1)}</Fact>
        <Fact name="Version">{version}</Fact>
        <Fact name="Last deploy">
          <time dateTime={started_at}>{timeText(started_at)}</time>
        </Fact>
        <Fact name="Status">
          <span className={database === 'Operational' ? 'font-medium text-success' : 'font-medium text-warning'}>
            {database}
          </span>
        </Fact>
        <Fact name="Database">{database_version}</Fact>
        <Fact name="Verified backup">
          <BackupAge backup={backup} />
        </Fact>
        {wal_archive && (
          <Fact name="Archived changes">
            <ArchiveAge archive={wal_archive} />
          </Fact>
        )}
      </dl>
      {backup?.error && <p className="mt-3 text-sm text-warning">The last backup failed: {backup.error}</p>}
      {wal_archive?.is_failing && (
        <p className="mt-3 text-sm text-warning">
          Changes cannot be archived and fill the disk of the database ({wal_archive.waiting * SEGMENT_MB} MB so far).
          Run npm run doctor on the server.
        </p>
      )}
      {wal_archive?.error && (
        <p className="mt-3 text-sm text-warning">The last base backup failed: {wal_archive.error}</p>
      )}
    </Panel>
  )
}
