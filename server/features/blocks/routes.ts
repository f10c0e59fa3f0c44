import type { Database } from '#server/platform/db/database.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { blockMember, listBlocked, unblockMember } from './blocks.ts'

export interface BlockRoutesOptions {
  db: Database
}

/** Muted members may block, too. */
export function registerBlocks(app: App, options: BlockRoutesOptions): void {
  const { db } = options

  serve(app, 'GET /api/blocks', async ({ caller }) => ({
    members: await listBlocked(options, caller.id),
  }))

  serve(app, 'POST /api/blocks', async ({ body, caller }) => {
    await blockMember(db, { memberId: caller.id, blockedId: body.user_id })
    return { message: 'Blocked.' }
  })

  serve(app, 'DELETE /api/blocks', async ({ query, caller }) => {
    await unblockMember(db, { memberId: caller.id, blockedId: query.user_id })
    return { message: 'Unblocked.' }
  })
}
