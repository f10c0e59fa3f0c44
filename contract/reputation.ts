import Type, { type Static } from 'typebox'
import type { Operation } from './operation.ts'

const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** Whether the caller may give this member a point, and what is left of the caller's day (UTC). */
export const ReputationStatus = Type.Object({
  can_give_reputation: Type.Boolean(),
  daily_limit: Type.Integer(),
  daily_used: Type.Integer(),
  daily_remaining: Type.Integer(),
  subscription_type: Type.Enum(['free', 'premium']),
})
export type ReputationStatus = Static<typeof ReputationStatus>

export const reputationOperations = {
  'GET /api/profile-reputation': {
    summary: 'Whether the caller may give this member a point of reputation today',
    query: Type.Object({ target_user_id: id }),
    response: { 200: ReputationStatus },
  },
  'POST /api/profile-reputation': {
    summary: 'Give a member one point of reputation',
    body: Type.Object({ target_user_id: id }, { additionalProperties: false }),
    response: { 200: Type.Object({ ...ReputationStatus.properties, new_reputation: Type.Integer() }) },
  },
} as const satisfies Record<string, Operation>
