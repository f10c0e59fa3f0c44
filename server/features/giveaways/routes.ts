import type { BodyOf } from '#contract/operations.ts'
import type { Caller, Guards } from '#server/features/authorization/guards.ts'
import { forbidden, unauthorized } from '#server/http/errors.ts'
import { serve, publicAccess } from '#server/http/operations.ts'
import type { App } from '#server/http/server.ts'
import { drawGiveaway } from './draw.ts'
import { enterGiveaway } from './enter.ts'
import { changeGiveaway, createGiveaway, deleteGiveaway, revealPrizes } from './manage.ts'
import { fieldError } from './errors.ts'
import { getDraw, getGiveaway, type GiveawaysOptions, listGiveaways } from './queries.ts'

type Action = BodyOf<'POST /api/giveaways'>

export function registerGiveaways(app: App, options: GiveawaysOptions & { guards: Guards }): void {
  const { db, seal, guards } = options

  serve(app, 'GET /api/giveaways', guards.optionalMember, async ({ query, caller, reply }) => {
    const isAdmin = query.admin === 'true'
    if (isAdmin) requireAdmin(caller)
    reply.header('cache-control', 'no-cache')
    const filter = { viewerId: caller?.id ?? 0, isAdmin, status: query.status }
    return { data: { giveaways: await listGiveaways(options, filter) } }
  })

  const perform = async (deed: Action, caller: Caller) => {
    const viewer = { viewerId: caller.id, isAdmin: caller.isAdmin }
    if (deed.action === 'enter') {
      const giveaway = await enterGiveaway(options, deed.giveaway_id, viewer)
      return { message: 'Successfully entered giveaway! Good luck!', giveaway }
    }
    requireAdmin(caller)
    if (deed.action === 'select-winners') {
      const won = await drawGiveaway(db, seal, deed.giveaway_id, caller.id)
      const giveaway = await getGiveaway(options, deed.giveaway_id, viewer)
      return { message: `${won === 1 ? '1 winner' : `${won} winners`} selected`, winners: giveaway.winners }
    }
    const id = await createGiveaway(db, seal, deed, caller.id)
    return { message: 'Giveaway created successfully', giveaway: await getGiveaway(options, id, viewer) }
  }

  serve(app, 'POST /api/giveaways', guards.member, async ({ body, caller, reply }) => {
    const done = await perform(body, caller)
    if (body.action === undefined || body.action === 'create') reply.code(201)
    return done
  })

  serve(app, 'PUT /api/giveaways', guards.admin, async ({ body, caller }) => {
    await changeGiveaway(db, seal, body, caller.id)
    const giveaway = await getGiveaway(options, body.id, { viewerId: caller.id, isAdmin: true })
    return { message: 'Giveaway updated successfully', giveaway }
  })

  serve(app, 'DELETE /api/giveaways', guards.admin, async ({ query, body, caller }) => {
    const id = body.id ?? query.id
    if (id === undefined) throw fieldError('id', 'is required')
    await deleteGiveaway(db, id, caller.id)
    return { message: 'Giveaway deleted successfully' }
  })

  serve(app, 'GET /api/giveaway-prizes', guards.admin, async ({ query, caller }) => ({
    prize_value: await revealPrizes(db, seal, query.id, caller.id),
  }))

  serve(app, 'GET /api/giveaway-draw', publicAccess, ({ query, reply }) => {
    reply.header('cache-control', 'no-cache')
    return getDraw(options, query.id)
  })
}

/** For calls that serve members and admins alike. */
function requireAdmin(caller: Caller | undefined): void {
  if (!caller) throw unauthorized()
  if (!caller.isAdmin) throw forbidden()
}
