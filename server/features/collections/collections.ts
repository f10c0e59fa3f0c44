import { sql } from 'kysely'
import type { CollectionSummary } from '#contract/collections.ts'
import {
  MAX_COLLECTION_DESCRIPTION_LENGTH,
  MAX_COLLECTION_ITEMS,
  MAX_COLLECTION_NAME_LENGTH,
  MAX_COLLECTION_NOTE_LENGTH,
  MAX_COLLECTIONS,
} from '#contract/limits.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { scriptNotFound, visibleTo } from '#server/features/scripts/visibility.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { FieldErrors } from '#server/platform/http/field-errors.ts'
import { ifDefined, parseLine, parseOptionalText } from '#server/platform/http/text.ts'
import { collectionNotFound, getSummary } from './queries.ts'

interface CollectionFields {
  name?: string | undefined
  description?: string | null | undefined
  is_public?: boolean | undefined
}

/** Throws AppError `invalid` with all wrong fields. */
function parseFields({ name, description, is_public }: CollectionFields) {
  const errors = new FieldErrors()
  const fields = {
    name: ifDefined(name, (raw) => parseLine(raw, { field: 'name', maxLength: MAX_COLLECTION_NAME_LENGTH }, errors)),
    description: ifDefined(description, (raw) =>
      parseOptionalText(raw, { field: 'description', maxLength: MAX_COLLECTION_DESCRIPTION_LENGTH }, errors),
    ),
    is_public,
  }
  errors.throwIfAny()
  return fields
}

const parseNote = (raw: string | null) =>
  parseOptionalText(raw, { field: 'note', maxLength: MAX_COLLECTION_NOTE_LENGTH })

/** Throws AppError `invalid`, `too_many_collections`, `script_not_found`, and what `lockMember` throws. */
export function createCollection(
  db: Database,
  ownerId: number,
  { script_id, ...input }: CollectionFields & { name: string; is_public: boolean; script_id?: number | undefined },
): Promise<CollectionSummary> {
  const { name = '', description = null, is_public = false } = parseFields(input)
  // Exclusive, so that concurrent requests cannot pass the limit.
  return transactAsMember(db, { memberId: ownerId, exclusive: true }, async (trx) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from collections
      where owner_id = ${ownerId}`.execute(trx)
    if ((rows[0]?.count ?? 0) >= MAX_COLLECTIONS) {
      throw new AppError('too_many_collections', 409, `You have ${MAX_COLLECTIONS} collections, which is the limit.`)
    }
    const { id } = await trx
      .insertInto('collections')
      .values({ owner_id: ownerId, name, description, is_public })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (script_id !== undefined) await insertItem(trx, { ownerId, collectionId: id, scriptId: script_id, note: null })
    return getSummary(trx, id)
  })
}

/** Throws AppError `invalid`, `not_found`, and what `lockMember` throws. */
export function changeCollection(
  db: Database,
  ownerId: number,
  { id, ...input }: CollectionFields & { id: number },
): Promise<CollectionSummary> {
  const fields = parseFields(input)
  return transactAsMember(db, { memberId: ownerId }, async (trx) => {
    await lockCollection(trx, ownerId, id)
    await trx
      .updateTable('collections')
      .set({ ...fields, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute()
    return getSummary(trx, id)
  })
}

/** Throws AppError `not_found`, and what `lockMember` throws. */
export function deleteCollection(db: Database, ownerId: number, id: number): Promise<void> {
  return transactAsMember(db, { memberId: ownerId, allowMuted: true }, async (trx) => {
    await lockCollection(trx, ownerId, id)
    await trx.deleteFrom('collections').where('id', '=', id).execute()
  })
}

interface ItemKey {
  ownerId: number
  collectionId: number
  scriptId: number
}

/** Throws AppError `invalid`, `not_found`, `script_not_found`, `collection_full`, and what `lockMember` throws. */
export function addItem(db: Database, key: ItemKey, note: string | null): Promise<CollectionSummary> {
  const parsed = parseNote(note)
  return transactAsMember(db, { memberId: key.ownerId }, async (trx) => {
    await insertItem(trx, { ...key, note: parsed })
    return getSummary(trx, key.collectionId)
  })
}

async function insertItem(
  trx: Transaction,
  { ownerId, collectionId, scriptId, note }: ItemKey & { note: string | null },
): Promise<void> {
  // The script before the collection, as its deletion locks them.
  const { rows: scripts } = await sql`select from scripts s join members m on m.id = s.author_id
    where s.id = ${scriptId} and ${visibleTo({ id: ownerId, isAdmin: false })} for key share of s`.execute(trx)
  if (scripts.length === 0) throw scriptNotFound()
  await lockCollection(trx, ownerId, collectionId)
  const { rows } = await sql<{ others: number; last: number }>`select
      count(*) filter (where script_id <> ${scriptId}) as others, coalesce(max(position), 0) as last
    from collection_items where collection_id = ${collectionId}`.execute(trx)
  const { others = 0, last = 0 } = rows[0] ?? {}
  if (others >= MAX_COLLECTION_ITEMS) {
    throw new AppError(
      'collection_full',
      409,
      `A collection can have ${MAX_COLLECTION_ITEMS} scripts. Start another one.`,
    )
  }
  await sql`insert into collection_items (collection_id, script_id, position, note)
    values (${collectionId}, ${scriptId}, ${last + 1}, ${note}) on conflict do nothing`.execute(trx)
}

/** Moves to the end if `before` is null. Throws AppError `invalid`, `not_found`, and what `lockMember` throws. */
export function changeItem(
  db: Database,
  { ownerId, collectionId, scriptId }: ItemKey,
  { note, before }: { note?: string | null | undefined; before?: number | null | undefined },
): Promise<CollectionSummary> {
  const parsed = ifDefined(note, parseNote)
  return transactAsMember(db, { memberId: ownerId }, async (trx) => {
    await lockCollection(trx, ownerId, collectionId)
    const { rows } = await sql<{ script_id: number }>`select script_id from collection_items
      where collection_id = ${collectionId} order by position, script_id`.execute(trx)
    const ids = rows.map((row) => row.script_id)
    if (!ids.includes(scriptId) || (before != null && !ids.includes(before))) throw notFound('This script')
    if (parsed !== undefined) {
      await sql`update collection_items set note = ${parsed}
        where collection_id = ${collectionId} and script_id = ${scriptId}`.execute(trx)
    }
    if (before !== undefined && before !== scriptId) {
      const others = ids.filter((id) => id !== scriptId)
      const index = before === null ? others.length : others.indexOf(before)
      await sql`update collection_items i set position = o.position
        from unnest(${others.toSpliced(index, 0, scriptId)}::int[]) with ordinality o (script_id, position)
        where i.collection_id = ${collectionId} and i.script_id = o.script_id`.execute(trx)
    }
    await sql`update collections set updated_at = now() where id = ${collectionId}`.execute(trx)
    return getSummary(trx, collectionId)
  })
}

/** Throws AppError `not_found` if there is no such collection, and what `lockMember` throws. */
export function removeItem(db: Database, { ownerId, collectionId, scriptId }: ItemKey): Promise<CollectionSummary> {
  return transactAsMember(db, { memberId: ownerId, allowMuted: true }, async (trx) => {
    await lockCollection(trx, ownerId, collectionId)
    await sql`delete from collection_items
      where collection_id = ${collectionId} and script_id = ${scriptId}`.execute(trx)
    return getSummary(trx, collectionId)
  })
}

/** Returns false if the collection is in this state already. */
export async function setCollectionHidden(trx: Transaction, id: number, isHidden: boolean): Promise<boolean> {
  const { numAffectedRows } = await sql`update collections set hidden_at = case when ${isHidden}::boolean then now() end
    where id = ${id} and (hidden_at is not null) <> ${isHidden}::boolean`.execute(trx)
  return numAffectedRows === 1n
}

/** Throws AppError `not_found` unless the collection is the member's. */
async function lockCollection(trx: Transaction, ownerId: number, id: number): Promise<void> {
  const { rows } = await sql`select from collections where id = ${id} and owner_id = ${ownerId} for update`.execute(trx)
  if (rows.length === 0) throw collectionNotFound()
}
