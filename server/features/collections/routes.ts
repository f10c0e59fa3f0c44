import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/features/scripts/visibility.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { addItem, changeCollection, changeItem, createCollection, deleteCollection, removeItem } from './collections.ts'
import { getCollection, listCollections, listOwnCollections } from './queries.ts'

export interface CollectionRoutesOptions {
  db: Database
  /** Serves visitors; may be a second behind. Members read from `db`, where they write. */
  reads: Database
}

export function registerCollections(app: App, options: CollectionRoutesOptions): void {
  registerReading(app, options)
  registerWriting(app, options)
}

function registerReading(app: App, options: CollectionRoutesOptions): void {
  const { db, reads } = options
  const from = (viewer: Viewer) => (viewer ? db : reads)

  serve(app, 'GET /api/collection', ({ query, caller }) => {
    return getCollection({ ...options, db: from(caller) }, query, caller)
  })
  serve(app, 'GET /api/collections', async ({ query, caller }) => {
    return { collections: await listCollections(from(caller), query.user_id, caller) }
  })
  serve(app, 'GET /api/own-collections', async ({ query, caller }) => ({
    collections: await listOwnCollections(db, caller.id, query.script_id),
  }))
}

const keyOf = (ownerId: number, input: { collection_id: number; script_id: number }) => ({
  ownerId,
  collectionId: input.collection_id,
  scriptId: input.script_id,
})

function registerWriting(app: App, { db }: CollectionRoutesOptions): void {
  serve(app, 'POST /api/collections', async ({ body, caller, reply }) => {
    const collection = await createCollection(db, caller.id, body)
    reply.code(201)
    return { collection }
  })
  serve(app, 'PUT /api/collections', async ({ body, caller }) => ({
    collection: await changeCollection(db, caller.id, body),
  }))
  // Muted members may delete what they made.
  serve(app, 'DELETE /api/collections', async ({ query, caller }) => {
    await deleteCollection(db, caller.id, query.id)
    return { message: 'Collection deleted.' }
  })

  serve(app, 'POST /api/collection-items', async ({ body, caller }) => ({
    collection: await addItem(db, keyOf(caller.id, body), body.note ?? null),
  }))
  serve(app, 'PUT /api/collection-items', async ({ body, caller }) => ({
    collection: await changeItem(db, keyOf(caller.id, body), { note: body.note, before: body.before_script_id }),
  }))
  serve(app, 'DELETE /api/collection-items', async ({ query, caller }) => ({
    collection: await removeItem(db, keyOf(caller.id, query)),
  }))
}
