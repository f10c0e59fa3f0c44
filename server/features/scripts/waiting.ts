// The version of a script that waits to become current, as its author, the staff and visitors read of it.
import { sql } from 'kysely'
import type { Hold, HoldReason, WaitingVersion } from '#contract/versions.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isStaffViewer, type Viewer } from './visibility.ts'

interface HoldColumns {
  hold_reasons: HoldReason[] | null
  confirmed_at: Date | null
  current_at: Date | null
}

/** Details show code, which only the author and the staff may see. */
export function toHold({ hold_reasons, confirmed_at, current_at }: HoldColumns, { showsCode = true } = {}): Hold {
  return {
    reasons: (hold_reasons ?? []).map((reason) => (showsCode ? reason : { ...reason, detail: null })),
    confirmed_at: confirmed_at?.toISOString() ?? null,
    current_at: current_at?.toISOString() ?? null,
  }
}

interface WaitingRow extends HoldColumns {
  number: number
  version: string
  created_at: Date
  state: WaitingVersion['state']
  is_current: boolean
  author_id: number
}

/** Call it for a script that the viewer may see. */
export async function findWaiting(db: Database, scriptId: number, viewer: Viewer): Promise<WaitingVersion | null> {
  const { rows } =
    await sql<WaitingRow>`select v.number, v.version, v.created_at, v.state, v.hold_reasons, v.confirmed_at,
      v.current_at, v.number = s.current_version as is_current, s.author_id
    from script_versions v join scripts s on s.id = v.script_id
    where v.script_id = ${scriptId} and v.state in ('checking', 'held')`.execute(db)
  const [row] = rows
  if (!row) return null
  const showsCode = viewer?.id === row.author_id || isStaffViewer(viewer)
  return {
    number: row.number,
    version: row.version,
    created_at: row.created_at.toISOString(),
    state: row.state,
    is_first: row.is_current,
    held: row.state === 'held' ? toHold(row, { showsCode }) : null,
  }
}
