import type { Static, TSchema } from 'typebox'
import { accountOperations } from './accounts.ts'
import { adminOperations } from './admin.ts'
import { behaviorOperations } from './behavior.ts'
import { blockOperations } from './blocks.ts'
import { catalogueOperations } from './catalogue.ts'
import { favoriteOperations } from './favorites.ts'
import { collectionOperations } from './collections.ts'
import { followingOperations } from './following.ts'
import { commentOperations } from './comments.ts'
import { giveawayOperations } from './giveaways.ts'
import { insightOperations } from './insights.ts'
import { jobOperations } from './jobs.ts'
import { memberOperations } from './members.ts'
import { notificationOperations } from './notifications.ts'
import { ratingOperations } from './ratings.ts'
import { reportOperations } from './reports.ts'
import { reputationOperations } from './reputation.ts'
import { scriptOperations } from './scripts.ts'
import { showcaseOperations } from './showcases.ts'
import { worksOperations } from './works.ts'
import { mediaOperations, siteOperations } from './site.ts'

/** All API operations by method and path. */
export const operations = {
  ...siteOperations,
  ...accountOperations,
  ...memberOperations,
  ...mediaOperations,
  ...catalogueOperations,
  ...scriptOperations,
  ...insightOperations,
  ...behaviorOperations,
  ...ratingOperations,
  ...commentOperations,
  ...favoriteOperations,
  ...collectionOperations,
  ...blockOperations,
  ...followingOperations,
  ...worksOperations,
  ...reputationOperations,
  ...notificationOperations,
  ...giveawayOperations,
  ...showcaseOperations,
  ...adminOperations,
  ...jobOperations,
  ...reportOperations,
} as const

export type Operations = typeof operations
export type OperationName = keyof Operations

type SchemaOf<O, Part extends string> = O extends { [P in Part]: infer S extends TSchema } ? Static<S> : undefined
export type QueryOf<K extends OperationName> = SchemaOf<Operations[K], 'query'>
export type BodyOf<K extends OperationName> = SchemaOf<Operations[K], 'body'>
type Bodies<R> = { [S in keyof R]: R[S] extends TSchema ? Static<R[S]> : never }[keyof R]
export type ResultOf<K extends OperationName> = Bodies<Operations[K]['response']>
