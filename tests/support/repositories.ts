import type { Database } from '#server/platform/db/database.ts'
import { createSeal } from '#server/platform/db/seal.ts'

export async function makePublisher(db: Database, script_id: number): Promise<number> {
  const { id } = await db
    .insertInto('trusted_publishers')
    .values({ script_id, forge: 'https://github.com', repository: 'owner/lamp', workflow: 'release.yml' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

interface SourceValues {
  owner_id: number
  script_id: number
  forge?: string
  secret?: string
}

/** Connects the repository owner/lamp to a script, with one update in its log. Returns the key of the webhook's URL. */
export async function makeSource(
  db: Database,
  { owner_id, script_id, forge = 'https://github.com', secret = 'secret' }: SourceValues,
  secretKey: Buffer = Buffer.from('5e'.repeat(32), 'hex'),
): Promise<string> {
  const sealed_secret = createSeal(secretKey, 'repository webhooks').seal(secret)
  return db.transaction().execute(async (trx) => {
    const { id, key } = await trx
      .insertInto('repository_connections')
      .values({ owner_id, forge, repository: 'owner/lamp', sealed_secret })
      .returning(['id', 'key'])
      .executeTakeFirstOrThrow()
    const source = { script_id, connection_id: id, branch: 'main', pattern: 'src/lamp.luau' }
    await trx.insertInto('repository_sources').values(source).execute()
    await trx
      .insertInto('repository_syncs')
      .values({
        script_id,
        reason: 'push',
        commit: 'a'.repeat(40),
        path: 'src/lamp.luau',
        state: 'unchanged',
        version_number: 1,
      })
      .execute()
    return key
  })
}
