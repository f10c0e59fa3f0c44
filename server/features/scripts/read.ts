import type { Script } from '#contract/scripts.ts'
import { readScriptId, scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/db/database.ts'
import { findCardRows, toCard } from '#server/features/catalogue/service.ts'
import { canSeeStats } from '#server/features/members/profile.ts'
import type { ScriptsOptions } from './options.ts'
import { type CodeRow, findCode, findCodeByHash } from './queries.ts'
import { scriptNotFound, type Viewer } from './visibility.ts'

/** A script with its code, for whoever may see it. Throws AppError `script_not_found`. */
export async function getScript(
  { db, discordCdnUrl }: ScriptsOptions,
  id: number | null,
  viewer: Viewer,
): Promise<Script> {
  const code = id === null ? undefined : await findCode(db, id, viewer)
  const [row] = code ? await findCardRows(db, [code.id]) : []
  if (!code || !row) throw scriptNotFound()
  return {
    ...toCard(row, discordCdnUrl),
    description: row.description,
    script_content: code.content,
    content_sha256: code.sha256,
    author_reputation: canSeeStats({ ...code, id: code.author_id }, viewer) ? code.reputation : null,
  }
}

/** The script that a slug names. Throws AppError `script_not_found`, also for what the caller may not know exists. */
export function getScriptBySlug(options: ScriptsOptions, slug: string, viewer: Viewer): Promise<Script> {
  return getScript(options, readScriptId(slug), viewer)
}

export interface Code extends CodeRow {
  slug: string
}

/** The present code of a script, or that with this SHA-256. Throws AppError `script_not_found`. */
export async function getCode(db: Database, id: number | null, viewer: Viewer, sha256?: string): Promise<Code> {
  const find = () =>
    id === null ? undefined : sha256 ? findCodeByHash(db, id, sha256, viewer) : findCode(db, id, viewer)
  const row = await find()
  if (!row) throw scriptNotFound()
  return { ...row, slug: scriptSlug(row.title, row.id) }
}
