import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { AdminStats } from '#contract/admin.ts'
import { SystemPanel } from './system-panel.tsx'

type System = AdminStats['system']

const SYSTEM: System = {
  environment: 'production',
  version: '1.0.0',
  started_at: '2026-11-20T08:00:00.000Z',
  database: 'Operational',
  database_version: 'PostgreSQL 18.1',
  backup: null,
  wal_archive: null,
}
const ARCHIVE = {
  archived_at: '2026-11-21T07:30:00.000Z',
  is_failing: false,
  waiting: 0,
  base_at: '2026-11-21T01:00:00.000Z',
  error: null,
}

/** The words of the panel, with one space between them. */
const textOf = (system: Partial<System>): string =>
  renderToStaticMarkup(createElement(SystemPanel, { system: { ...SYSTEM, ...system } })).replaceAll(
    /(?:<[^>]+>|\s)+/g,
    ' ',
  )

test('shows a site without backups and without an archive', () => {
  expect(textOf({})).toContain('Verified backup Not scheduled')
  expect(textOf({})).not.toContain('Archived changes')
})

test('shows the time of the last archived change', () => {
  const text = textOf({ wal_archive: ARCHIVE })
  expect(text).toContain('Archived changes Nov 21, 2026, 7:30 AM UTC')
  expect(text).not.toMatch(/failing|failed|cannot be archived/)
  expect(textOf({ wal_archive: { ...ARCHIVE, archived_at: null, base_at: null } })).toContain(
    'Archived changes None yet',
  )
})

test('warns about changes that cannot be archived, with the disk space that they take', () => {
  const text = textOf({ wal_archive: { ...ARCHIVE, is_failing: true, waiting: 3 } })
  expect(text).toContain('Nov 21, 2026, 7:30 AM UTC (failing)')
  expect(text).toContain('Changes cannot be archived and fill the disk of the database (48 MB so far).')
  expect(text).toContain('Run npm run doctor on the server.')
})

test('warns about a base backup or a backup that failed or is late', () => {
  expect(textOf({ wal_archive: { ...ARCHIVE, error: 'There is no room in /archive.' } })).toContain(
    'The last base backup failed: There is no room in /archive.',
  )
  const backup = { verified_at: '2026-11-01T00:00:00.000Z', is_late: true, error: 'The disk is full.' }
  const text = textOf({ backup })
  expect(text).toContain('Nov 1, 2026, 12:00 AM UTC (late)')
  expect(text).toContain('The last backup failed: The disk is full.')
})
