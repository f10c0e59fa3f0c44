import { sql } from 'kysely'
import { scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import { visibleTo } from '#server/features/scripts/visibility.ts'

interface ExportedFavorite {
  title: string
  author: string
  version: string
  url: string
  added_at: string
}

interface ExportRow {
  id: number
  title: string
  author: string
  version: string
  added_at: Date
}

export async function findExportedFavorites(
  db: Database,
  memberId: number,
  publicUrl: string,
): Promise<ExportedFavorite[]> {
  const { rows } = await sql<ExportRow>`select s.id, s.title, s.version, f.added_at,
      coalesce(nullif(m.display_name, ''), m.username) as author
    from favorites f join scripts s on s.id = f.script_id join members m on m.id = s.author_id
    where f.member_id = ${memberId} and ${visibleTo({ id: memberId, isAdmin: false })}
    order by f.added_at desc, f.script_id desc`.execute(db)
  return rows.map(({ id, added_at, ...row }) => ({
    ...row,
    url: `${publicUrl}/scripts/${encodeURIComponent(scriptSlug(row.title, id))}`,
    added_at: added_at.toISOString(),
  }))
}

const COLUMNS = ['title', 'author', 'version', 'url', 'added_at'] as const
/** Spreadsheets read a cell that starts with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/
/** Without it, Excel reads UTF-8 as the local 8-bit code page. */
const BYTE_ORDER_MARK = '\uFEFF'

function toCell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** CSV by RFC 4180 with a header row. */
export function toCsv(favorites: readonly ExportedFavorite[]): string {
  const lines = favorites.map((favorite) => COLUMNS.map((column) => toCell(favorite[column])).join(','))
  return `${BYTE_ORDER_MARK}${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`
}
