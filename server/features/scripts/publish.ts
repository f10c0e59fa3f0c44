import { sql } from 'kysely'
import type { NewScript } from '#contract/script-input.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { Database } from '#server/db/database.ts'
import { fold } from '#server/features/catalogue/service.ts'
import { lockMember } from '#server/features/members/standing.ts'
import { keepCover } from './cover.ts'
import { type GivenScript, readNewScript } from './input.ts'
import type { WritingOptions } from './options.ts'
import { type Answered, findAnswered, noteAnswered, readPublishKey, takeKey } from './publish-keys.ts'
import { writeSearchRow } from './search-row.ts'
import { setTags } from './tags.ts'

/** What a member wants to publish. */
export interface Wish {
  authorId: number
  body: NewScript
  /** The `idempotency-key` header as it came. */
  key: string | string[] | undefined
}

export interface Published extends Answered {
  slug: string
}

const named = ({ id, title }: Answered): Published => ({ id, title, slug: scriptSlug(title, id) })

/**
 * Publishes a script once: the same wish under the same key within 24 hours gives the script that was made first. Throws
 * AppError `invalid`, `bad_image`, `image_too_large`, `idempotency_key_reused`, and what `lockStanding` throws.
 */
export async function publishScript(options: WritingOptions, { authorId, body, key }: Wish): Promise<Published> {
  const { db, store } = options
  const given = readNewScript(body)
  const wish = readPublishKey(authorId, key, body)
  const former = wish && (await findAnswered(db, wish))
  if (former) return named(former)
  const image = await keepCover(db, store, body.image ?? null)
  const made = await db.transaction().execute(async (trx) => {
    const author = await lockMember(trx, authorId)
    if (wish && !(await takeKey(trx, wish))) return findAnswered(trx, wish)
    const id = await insertScript(trx, { ...given, authorId, image })
    await writeSearchRow(trx, id, given.properties, author)
    const answer = { id, title: given.properties.title }
    if (wish) await noteAnswered(trx, wish, answer)
    return answer
  })
  if (!made) throw new Error('A key is taken and names no script')
  return named(made)
}

interface NewRow extends GivenScript {
  authorId: number
  image: string | null
}

async function insertScript(trx: Database, { properties, code, authorId, image }: NewRow): Promise<number> {
  const { tags, ...columns } = properties
  // The API speaks in milliseconds; a state is known again by this time.
  const now = sql<Date>`date_trunc('milliseconds', now())`
  const { id } = await trx
    .insertInto('scripts')
    .values({
      ...columns,
      title_key: fold(columns.title),
      author_id: authorId,
      image,
      file_size: code.size,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('script_versions')
    .values({ ...code, script_id: id, number: 1, version: columns.version })
    .execute()
  await trx.insertInto('script_stats').values({ script_id: id }).execute()
  await setTags(trx, id, tags)
  return id
}
