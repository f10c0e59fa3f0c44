import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Owner } from '#server/platform/http/fair-queue.ts'

export interface UploadQuota {
  bytesPerDay: number
}

const TODAY = sql`(now() at time zone 'utc')::date`
const DAY_MS = 86_400_000

const exceeded = (bytesPerDay: number) =>
  new AppError(
    'upload_quota',
    429,
    `You've reached the limit of ${Math.round(bytesPerDay / 1_000_000)} MB of uploads per day. Try again after 00:00 UTC.`,
    { retryAfter: Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000) },
  )

/** In a transaction, the bytes count only if it commits. Throws AppError `upload_quota`. */
export async function chargeUpload(
  db: Database,
  { bytesPerDay }: UploadQuota,
  uploader: Owner,
  bytes: number,
): Promise<void> {
  if (uploader === null) return
  const { rows } = await sql`insert into upload_usage as known (person_id, day, bytes)
    select person_of(${uploader}), ${TODAY}, ${bytes} where ${bytes}::bigint <= ${bytesPerDay}::bigint
    on conflict (person_id, day) do update set bytes = known.bytes + excluded.bytes
      where known.bytes + excluded.bytes <= ${bytesPerDay}
    returning 1`.execute(db)
  if (rows.length === 0) throw exceeded(bytesPerDay)
}
