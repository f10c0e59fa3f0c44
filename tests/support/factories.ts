import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Members, Scripts, ScriptStats } from '#server/platform/db/types.generated.ts'
import { type TokenScope, TOKEN_SCOPES } from '#contract/limits.ts'
import { openSession } from '#server/features/accounts/sessions.ts'
import { createToken } from '#server/features/tokens/tokens.ts'
import { fold } from '#server/features/catalogue/words.ts'
import { searchDocument } from '#server/features/catalogue/search-document.ts'
import { setTags } from '#server/features/scripts/tags.ts'

let serial = 0

export async function makeMember(db: Database, values: Partial<Insertable<Members>> = {}): Promise<number> {
  const number = ++serial
  const { id } = await db
    .insertInto('members')
    .values({ discord_id: String(100_000 + number), username: `user${number}`, slug: `user${number}`, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export interface ScriptValues extends Partial<Insertable<Scripts>> {
  tags?: string[]
  content?: string
  authorName?: string
  stats?: Partial<Insertable<ScriptStats>>
}

/** Inserts a script with all its rows, by a new member unless `author_id` is set. */
export async function makeScript(db: Database, values: ScriptValues = {}): Promise<number> {
  const { tags = [], content = 'return 1', authorName = '', stats = {}, ...columns } = values
  const title = columns.title ?? 'A script'
  const description = columns.description ?? 'What it does.'
  const author_id = columns.author_id ?? (await makeMember(db))
  const size = Buffer.byteLength(content)
  return db.transaction().execute(async (trx) => {
    const row = { title, description, title_key: fold(title), file_size: size, ...columns, author_id }
    const { id } = await trx.insertInto('scripts').values(row).returning('id').executeTakeFirstOrThrow()
    const sha256 = createHash('sha256').update(content).digest('hex')
    const version = { script_id: id, number: 1, version: '1.0.0', content, sha256, size }
    await trx.insertInto('script_versions').values(version).execute()
    await trx
      .insertInto('script_stats')
      .values({ script_id: id, ...stats })
      .execute()
    const document = searchDocument({ title, summary: columns.summary ?? null, description, tags, authorName })
    await trx.insertInto('script_search').values({ script_id: id, document }).execute()
    await setTags(trx, id, tags)
    return id
  })
}

/** Opens a session of a member, by default a new one. Returns the authorization header. */
export async function signIn(db: Database, memberId?: number): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await openSession(db, memberId ?? (await makeMember(db)))}` }
}

/** Creates an API token of a member, with all scopes by default. Returns the authorization header. */
export async function makeApiToken(
  db: Database,
  memberId: number,
  scopes: readonly TokenScope[] = TOKEN_SCOPES,
): Promise<{ authorization: string; id: string }> {
  const { token, info } = await createToken(db, memberId, { name: 'deploy', scopes: [...scopes], expires_in_days: 30 })
  return { authorization: `Bearer ${token}`, id: info.id }
}
