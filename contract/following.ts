import Type, { type Static } from 'typebox'
import { Card, Pagination } from './catalogue.ts'
import { PAGE_SIZE } from './limits.ts'
import { id, strict, time, type Operation } from './operation.ts'

const FollowStatus = Type.Object({ is_following: Type.Boolean(), follower_count: Type.Integer() })
const WatchStatus = Type.Object({ is_watching: Type.Boolean() })

export const FollowedAuthor = Type.Object({
  user_id: Type.Integer(),
  name: Type.String(),
  slug: Type.String(),
  avatar_url: Type.String(),
  script_count: Type.Integer({ description: 'Public scripts' }),
  followed_at: time,
})
export type FollowedAuthor = Static<typeof FollowedAuthor>

const page = Type.Integer({ minimum: 1, maximum: 1000, default: 1 })
const limit = Type.Integer({ minimum: 1, maximum: 100, default: PAGE_SIZE })

export const followingOperations = {
  'GET /api/follows': {
    access: 'member',
    summary: 'Whether the caller follows a member, and how many others do',
    query: Type.Object({ user_id: id }),
    response: { 200: FollowStatus },
  },
  'POST /api/follows': {
    access: 'member',
    summary: 'Follow a member, to be notified of their new scripts. Doing it again changes nothing',
    body: Type.Object({ user_id: id }, strict),
    response: { 200: FollowStatus },
  },
  'DELETE /api/follows': {
    access: 'member',
    summary: 'Stop following a member',
    query: Type.Object({ user_id: id }),
    response: { 200: FollowStatus },
  },
  'GET /api/followed-authors': {
    access: 'member',
    summary: 'The members whom the caller follows, newest first',
    query: Type.Object({ page, limit }),
    response: { 200: Type.Object({ authors: Type.Array(FollowedAuthor), pagination: Pagination }) },
  },
  'GET /api/watches': {
    access: 'member',
    summary: 'Whether the caller watches a script',
    query: Type.Object({ script_id: id }),
    response: { 200: WatchStatus },
  },
  'POST /api/watches': {
    access: 'member',
    summary: 'Watch a script, to be notified of its new versions. Doing it again changes nothing',
    body: Type.Object({ script_id: id }, strict),
    response: { 200: WatchStatus },
  },
  'DELETE /api/watches': {
    access: 'member',
    summary: 'Stop watching a script',
    query: Type.Object({ script_id: id }),
    response: { 200: WatchStatus },
  },
  'GET /api/watched-scripts': {
    access: 'member',
    summary: 'The public scripts that the caller watches, newest first',
    query: Type.Object({ page, limit }),
    response: { 200: Type.Object({ scripts: Type.Array(Card), pagination: Pagination }) },
  },
} as const satisfies Record<string, Operation>
