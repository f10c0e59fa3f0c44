import type { Emit } from '#server/features/webhooks/emit.ts'
import { forbidden } from '#server/platform/http/errors.ts'
import { fieldError } from '#server/platform/http/field-errors.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import { drawGiveaway } from './draw.ts'
import { enterGiveaway } from './enter.ts'
import { changeGiveaway, createGiveaway, deleteGiveaway, revealPrizes } from './manage.ts'
import { getDraw, getGiveaway, type GiveawaysOptions, listGiveaways } from './queries.ts'

export function registerGiveaways(app: App, options: GiveawaysOptions & { emit: Emit }): void {
  const { db, seal } = options

  serve(app, 'GET /api/giveaways', async ({ query, caller }) => {
    const isAdmin = query.admin === 'true'
    const giveaways = await listGiveaways(options, { viewerId: caller?.id ?? 0, isAdmin, status: query.status })
    return { ...(isAdmin && { giveaways }), data: { giveaways } }
  })

  serve(app, 'POST /api/giveaways', async ({ body, caller, reply }) => {
    // Members may enter; every other action is for admins.
    if (body.action !== 'enter' && !caller.isAdmin) throw forbidden()
    const viewer = { viewerId: caller.id, isAdmin: caller.isAdmin }
    if (body.action === 'enter') {
      const giveaway = await enterGiveaway(options, body.giveaway_id, viewer)
      return { message: 'Successfully entered giveaway! Good luck!', giveaway }
    }
    if (body.action === 'select-winners') {
      const count = await drawGiveaway(options, body.giveaway_id, caller.id)
      const giveaway = await getGiveaway(options, body.giveaway_id, viewer)
      return { message: `${count === 1 ? '1 winner' : `${count} winners`} selected`, winners: giveaway.winners }
    }
    const id = await createGiveaway(db, seal, body, caller.id)
    const giveaway = await getGiveaway(options, id, viewer)
    reply.code(201)
    return { message: 'Giveaway created successfully', giveaway }
  })

  serve(app, 'PUT /api/giveaways', async ({ body, caller }) => {
    await changeGiveaway(db, seal, body, caller.id)
    const giveaway = await getGiveaway(options, body.id, { viewerId: caller.id, isAdmin: true })
    return { message: 'Giveaway updated successfully', giveaway }
  })

  serve(app, 'DELETE /api/giveaways', async ({ query, body, caller }) => {
    const id = body.id ?? query.id
    if (id === undefined) throw fieldError('id', 'is required')
    await deleteGiveaway(db, id, caller.id)
    return { message: 'Giveaway deleted successfully' }
  })

  serve(app, 'GET /api/giveaway-prizes', async ({ query, caller }) => ({
    prize_value: await revealPrizes(db, seal, query.id, caller.id),
  }))

  serve(app, 'GET /api/giveaway-draw', ({ query }) => {
    return getDraw(options, query.id)
  })
}
