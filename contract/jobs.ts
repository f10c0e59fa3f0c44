import Type, { type Static } from 'typebox'
import { MAX_BULK } from './limits.ts'
import { nullableText, nullableTime, strict, time, type Operation } from './operation.ts'

export const JobQueueStatus = Type.Object({
  name: Type.String(),
  waiting: Type.Integer({ description: 'Includes jobs that wait for another attempt' }),
  running: Type.Integer(),
  failed: Type.Integer({ description: 'Failed at every attempt' }),
  due_since: Type.Union([time, Type.Null()], { description: 'When the oldest waiting job became due' }),
})
export type JobQueueStatus = Static<typeof JobQueueStatus>

/** A job that failed at every attempt. */
export const FailedJob = Type.Object({
  id: Type.String({ format: 'uuid' }),
  queue: Type.String(),
  added_at: nullableTime,
  failed_at: time,
  attempts: Type.Integer(),
  reason: nullableText,
})
export type FailedJob = Static<typeof FailedJob>

export const jobOperations = {
  'GET /api/jobs': {
    access: 'admin',
    summary: 'Queues of background jobs, and the newest failed jobs (admins)',
    response: {
      200: Type.Object({
        queues: Type.Array(JobQueueStatus),
        failed: Type.Array(FailedJob, { description: `At most ${MAX_BULK}, newest first` }),
      }),
    },
  },
  'POST /api/jobs': {
    access: 'admin',
    summary: 'Run failed jobs again, or delete them (admins)',
    body: Type.Object(
      {
        action: Type.Enum(['run_again', 'delete']),
        ids: Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: MAX_BULK }),
      },
      strict,
    ),
    response: { 200: Type.Object({ message: Type.String(), count: Type.Integer() }) },
  },
} as const satisfies Record<string, Operation>
