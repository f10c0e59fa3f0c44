import type { Static, TSchema } from 'typebox'
import { accountOperations } from './accounts.ts'
import { adminOperations } from './admin.ts'
import { behaviorOperations } from './behavior.ts'
import { behaviorStaffOperations } from './behavior-staff.ts'
import { blockOperations } from './blocks.ts'
import { brandingOperations } from './branding.ts'
import { catalogueOperations } from './catalogue.ts'
import { draftOperations } from './drafts.ts'
import { emailOperations } from './email.ts'
import { embedOperations } from './embeds.ts'
import { feedOperations } from './feeds.ts'
import { favoriteOperations } from './favorites.ts'
import { collectionOperations } from './collections.ts'
import { followingOperations } from './following.ts'
import { commentOperations } from './comments.ts'
import { giveawayOperations } from './giveaways.ts'
import { insightOperations } from './insights.ts'
import { jobOperations } from './jobs.ts'
import { memberOperations } from './members.ts'
import { notificationOperations } from './notifications.ts'
import type { Operation } from './operation.ts'
import { ratingOperations } from './ratings.ts'
import { reportOperations } from './reports.ts'
import { reputationOperations } from './reputation.ts'
import { scriptOperations } from './scripts.ts'
import { showcaseOperations } from './showcases.ts'
import { tokenOperations } from './tokens.ts'
import { repositorySyncOperations } from './repository-sync.ts'
import { trustedPublishingOperations } from './trusted-publishing.ts'
import { setupOperations } from './setup.ts'
import { versionOperations } from './versions.ts'
import { siteWebhookOperations, webhookOperations } from './webhooks.ts'
import { worksOperations } from './works.ts'
import { mediaOperations, siteOperations } from './site.ts'

export const operations = {
  ...siteOperations,
  ...setupOperations,
  ...accountOperations,
  ...tokenOperations,
  ...trustedPublishingOperations,
  ...repositorySyncOperations,
  ...memberOperations,
  ...mediaOperations,
  ...catalogueOperations,
  ...feedOperations,
  ...embedOperations,
  ...scriptOperations,
  ...draftOperations,
  ...versionOperations,
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
  ...emailOperations,
  ...webhookOperations,
  ...siteWebhookOperations,
  ...giveawayOperations,
  ...showcaseOperations,
  ...adminOperations,
  ...jobOperations,
  ...brandingOperations,
  ...behaviorStaffOperations,
  ...reportOperations,
} as const

/** The groups of the API reference, in its order. Each operation is in one of them. */
export const OPERATION_GROUPS: { name: string; description: string; operations: Record<string, Operation> }[] = [
  {
    name: 'Catalogue',
    description: 'Lists, search and tags. Totals are exact.',
    operations: catalogueOperations,
  },
  {
    name: 'Feeds and embeds',
    description:
      'Atom and JSON Feed for feed readers. They take the filters of the list, and answer `If-None-Match` and `If-Modified-Since`.',
    operations: { ...feedOperations, ...embedOperations },
  },
  {
    name: 'Scripts',
    description: 'One script: its code, versions and statistics, and publishing.',
    operations: {
      ...scriptOperations,
      ...versionOperations,
      ...draftOperations,
      ...insightOperations,
      ...mediaOperations,
    },
  },
  {
    name: 'Behavior',
    description: 'What a script does, with the lines that show it.',
    operations: behaviorOperations,
  },
  {
    name: 'Reviews and comments',
    description: 'What members say about a script, and whether it works.',
    operations: { ...ratingOperations, ...worksOperations, ...commentOperations },
  },
  {
    name: 'Members',
    description: 'Profiles and reputation.',
    operations: { ...memberOperations, ...reputationOperations },
  },
  {
    name: 'Favorites, collections and following',
    description: 'What members save and follow. Favorites, follows and blocks are private.',
    operations: { ...favoriteOperations, ...collectionOperations, ...followingOperations, ...blockOperations },
  },
  { name: 'Notifications', description: 'The inbox of a member.', operations: notificationOperations },
  {
    name: 'Email',
    description: "A member's email address and email settings. Only on sites that send email (`has_email`).",
    operations: emailOperations,
  },
  {
    name: 'Webhooks',
    description:
      'URLs that receive events as signed requests. The bodies are under `webhooks` in the OpenAPI document.',
    operations: webhookOperations,
  },
  {
    name: 'Giveaways and showcases',
    description: 'Raffles with verifiable draws, and highlighted scripts.',
    operations: { ...giveawayOperations, ...showcaseOperations },
  },
  {
    name: 'Signing in',
    description: 'Sessions. The site uses these operations in the browser.',
    operations: accountOperations,
  },
  {
    name: 'API tokens',
    description: 'Tokens by which programs act for a member. Members create and revoke them on the site.',
    operations: tokenOperations,
  },
  {
    name: 'Publishing from repositories',
    description:
      'Builds of GitHub Actions and GitLab CI/CD that publish without a stored token, as far as the author of a script trusts them, and repositories whose pushes update a script.',
    operations: { ...trustedPublishingOperations, ...repositorySyncOperations },
  },
  {
    name: 'Moderation',
    description: 'Reports, decisions, appeals, and what all scripts do.',
    operations: { ...reportOperations, ...behaviorStaffOperations },
  },
  {
    name: 'Administration',
    description: 'The portal of the admins.',
    operations: { ...adminOperations, ...jobOperations, ...brandingOperations, ...siteWebhookOperations },
  },
  {
    name: 'Site',
    description: 'Public settings of this site, and its setup.',
    operations: { ...siteOperations, ...setupOperations },
  },
]

export type Operations = typeof operations
export type OperationName = keyof Operations

type SchemaOf<O, Part extends string> = O extends { [P in Part]: infer S extends TSchema } ? Static<S> : undefined
export type QueryOf<K extends OperationName> = SchemaOf<Operations[K], 'query'>
export type BodyOf<K extends OperationName> = SchemaOf<Operations[K], 'body'>
type Bodies<R> = { [S in keyof R]: R[S] extends TSchema ? Static<R[S]> : never }[keyof R]
export type ResultOf<K extends OperationName> = Bodies<Operations[K]['response']>
