import Type, { type Static } from 'typebox'
import { id, strict, time, type Operation } from './operation.ts'

export const BlockedMember = Type.Object({
  user_id: Type.Integer(),
  name: Type.String(),
  slug: Type.String(),
  avatar_url: Type.String(),
  blocked_at: time,
})
export type BlockedMember = Static<typeof BlockedMember>

const message = { 200: Type.Object({ message: Type.String() }) }

export const blockOperations = {
  'GET /api/blocks': {
    access: 'member',
    summary: 'The members whom the caller has blocked, newest first, at most 500',
    response: { 200: Type.Object({ members: Type.Array(BlockedMember) }) },
  },
  'POST /api/blocks': {
    access: 'member',
    summary:
      'Block a member: no points, replies and notifications from them, and the caller stops following them. They are not notified',
    body: Type.Object({ user_id: id }, strict),
    response: message,
  },
  'DELETE /api/blocks': {
    access: 'member',
    summary: 'Unblock a member',
    query: Type.Object({ user_id: id }),
    response: message,
  },
} as const satisfies Record<string, Operation>
