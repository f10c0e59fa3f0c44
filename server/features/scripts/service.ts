// A script is shown to everybody while it is public and its author is not banned; its page is named by title and id.
// Its code is never run here: it goes out as text.
import type { Script } from '#contract/scripts.ts'
import { readScriptId, scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import { findCardRows, toCard } from '#server/features/catalogue/service.ts'
import { type CodeRow, findPublicCode } from './queries.ts'

export { tagColor } from './tag-colors.ts'
export { setTags } from './tags.ts'

const scriptNotFound = () => new AppError('script_not_found', 404, 'This script was not found.')

export interface ScriptsOptions {
  db: Database
  discordCdnUrl: string
}

/** The script that a slug names. Throws AppError `script_not_found`, also for what the caller may not know exists. */
export async function getScriptBySlug({ db, discordCdnUrl }: ScriptsOptions, slug: string): Promise<Script> {
  const id = readScriptId(slug)
  const code = id === null ? undefined : await findPublicCode(db, id)
  if (!code) throw scriptNotFound()
  const [row] = await findCardRows(db, [code.id])
  if (!row) throw scriptNotFound()
  return {
    ...toCard(row, discordCdnUrl),
    description: row.description,
    script_content: code.content,
    content_sha256: code.sha256,
  }
}

export interface Code extends CodeRow {
  slug: string
}

/** The code of a public script. Throws AppError `script_not_found`. */
export async function getCode(db: Database, id: number | null): Promise<Code> {
  const row = id === null ? undefined : await findPublicCode(db, id)
  if (!row) throw scriptNotFound()
  return { ...row, slug: scriptSlug(row.title, row.id) }
}
