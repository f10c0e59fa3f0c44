import Type, { type Static } from 'typebox'
import { id, strict, type Operation } from './operation.ts'

/** Whether the caller may give this member a point, and the rest of the caller's daily limit (UTC days). */
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
    access: 'member',
    tolerant: true,
    summary: 'Whether the caller may give this member a reputation point today',
    query: Type.Object({ target_user_id: id }),
    response: { 200: ReputationStatus },
  },
  'POST /api/profile-reputation': {
    access: 'member',
    tolerant: true,
    summary: 'Give a member one reputation point',
    body: Type.Object({ target_user_id: id }, strict),
    response: { 200: Type.Object({ ...ReputationStatus.properties, new_reputation: Type.Integer() }) },
  },
} as const satisfies Record<string, Operation>
