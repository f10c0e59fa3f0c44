import sharp from 'sharp'
import { makeGiveaway } from '#tests/support/giveaways.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { makePublisher, makeSource } from '#tests/support/repositories.ts'
import { RESOLVED, makeCase } from '#tests/support/reports.ts'
import { makeWebhook } from '#tests/support/webhooks.ts'
import type { TestApp } from '#tests/support/app.ts'

/** Kinds of callers. The owner is a plain member whose data the requests are about. */
export const ACTORS = ['visitor', 'member', 'owner', 'muted', 'banned', 'moderator', 'admin'] as const
export type Actor = (typeof ACTORS)[number]

/** A caller of one kind, and the data of the owner that requests act on. */
export interface Scene {
  headers: Record<string, string>
  /** Id of the caller; 0 for visitors. */
  actorId: number
  ownerId: number
  ownerName: string
  scriptId: number
  scriptSlug: string
  /** Another member's rating of the owner's script. */
  ratingId: number
  /** Another member's comment on the owner's script. */
  commentId: number
  giveawayId: number
  /** An open report about the owner's script, and a resolved one about their profile. */
  caseId: number
  decidedCaseId: number
  collectionId: number
  collectedId: number
  /** A webhook of the owner and one of the site, with a delivery each. */
  webhookId: number
  deliveryId: number
  siteWebhookId: number
  siteDeliveryId: number
  publisherId: number
  image: Buffer
}

const MEMBER_COLUMNS: Record<Exclude<Actor, 'visitor' | 'owner'>, Record<string, unknown>> = {
  member: {},
  muted: { muted_until: 'infinity' },
  banned: { banned_until: 'infinity' },
  moderator: { is_moderator: true },
  admin: { is_admin: true },
}

let image: Buffer | undefined

export async function makeScene({ db }: Pick<TestApp, 'db'>, actor: Actor): Promise<Scene> {
  image ??= await sharp({ create: { width: 8, height: 8, channels: 3, background: '#445566' } })
    .png()
    .toBuffer()
  const ownerId = await makeMember(db)
  const { username } = await db
    .selectFrom('members')
    .select('username')
    .where('id', '=', ownerId)
    .executeTakeFirstOrThrow()
  const scriptId = await makeScript(db, { author_id: ownerId, stats: { five_star: 1 } })
  const { id: ratingId } = await db
    .insertInto('ratings')
    .values({ script_id: scriptId, member_id: await makeMember(db), rating: 5, review: 'Good.' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: collectionId } = await db
    .insertInto('collections')
    .values({ owner_id: ownerId, name: 'Lamps', is_public: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const collectedId = await makeScript(db)
  await db
    .insertInto('collection_items')
    .values({ collection_id: collectionId, script_id: collectedId, position: 1 })
    .execute()
  const { id: commentId } = await db
    .insertInto('comments')
    .values({ script_id: scriptId, author_id: await makeMember(db), text: 'How?' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await makeSource(db, { owner_id: ownerId, script_id: scriptId })
  const actorId = actor === 'visitor' ? 0 : actor === 'owner' ? ownerId : await makeMember(db, MEMBER_COLUMNS[actor])
  return {
    headers: actor === 'visitor' ? {} : await signIn(db, actorId),
    actorId,
    ownerId,
    ownerName: username,
    scriptId,
    scriptSlug: `a-script-${scriptId}`,
    ratingId,
    collectionId,
    collectedId,
    commentId,
    giveawayId: await makeGiveaway(db),
    caseId: await makeCase(db, { author_id: ownerId, subject_type: 'script', subject_id: scriptId }),
    decidedCaseId: await makeCase(db, { author_id: ownerId, subject_id: ownerId, ...RESOLVED }),
    ...(await makeWebhooks(db, ownerId)),
    publisherId: await makePublisher(db, scriptId),
    image,
  }
}

async function makeWebhooks(db: TestApp['db'], ownerId: number) {
  const own = await makeWebhook(db, { owner_id: ownerId })
  // The site may have 20. Scenes that run at the same time keep theirs.
  const newest = db.selectFrom('webhooks').select('id').where('owner_id', 'is', null).orderBy('id', 'desc').limit(16)
  await db.deleteFrom('webhooks').where('owner_id', 'is', null).where('id', 'not in', newest).execute()
  const site = await makeWebhook(db)
  return {
    webhookId: own.id,
    deliveryId: own.deliveryId,
    siteWebhookId: site.id,
    siteDeliveryId: site.deliveryId,
  }
}
