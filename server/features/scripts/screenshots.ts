import { sql } from 'kysely'
import { MAX_SCREENSHOTS } from '#contract/limits.ts'
import { checkScreenshotAlt } from '#contract/script-fields.ts'
import type { NewScreenshot } from '#contract/script-input.ts'
import type { Screenshot } from '#contract/scripts.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { hashOfPath, mediaPath } from '#server/platform/media/store.ts'
import { type MediaLibrary, touchImage } from '#server/platform/media/upload.ts'
import { type FieldErrors, invalidField } from '#server/platform/http/field-errors.ts'

export interface ParsedScreenshot {
  /** The SHA-256 of the upload. */
  image: string
  /** Null for a text made from the title. */
  alt: string | null
}

const FIELD = 'screenshots'

/** Distinct screenshots in their order. They have to be uploaded first: a body with several images would be too large. */
export function parseScreenshots(raw: readonly NewScreenshot[], errors: FieldErrors): ParsedScreenshot[] {
  const byHash = new Map<string, ParsedScreenshot>()
  for (const { image, alt } of raw) {
    const hash = hashOfPath(image)
    if (hash === undefined) errors.add(FIELD, 'Upload each screenshot before you add it to the script.')
    else if (!byHash.has(hash)) {
      const { value, problem } = checkScreenshotAlt(alt)
      if (problem) errors.add(FIELD, problem.message)
      byHash.set(hash, { image: hash, alt: value })
    }
  }
  if (byHash.size > MAX_SCREENSHOTS) errors.add(FIELD, `A script can have at most ${MAX_SCREENSHOTS} screenshots.`)
  return [...byHash.values()]
}

/** Protects the images from the media sweep. Throws AppError `invalid` if one is not stored. Call it outside of transactions. */
export async function touchScreenshots(
  db: Database,
  { store }: MediaLibrary,
  screenshots: readonly ParsedScreenshot[],
): Promise<void> {
  for (const [i, { image }] of screenshots.entries()) {
    if (!(await touchImage(db, store, image))) {
      throw invalidField(FIELD, `Screenshot ${i + 1} is not stored any more. Remove it and add it again.`)
    }
  }
}

/** Lock the script first. */
export async function setScreenshots(
  trx: Transaction,
  { id, title }: { id: number; title: string },
  screenshots: readonly ParsedScreenshot[],
): Promise<void> {
  await trx.deleteFrom('script_screenshots').where('script_id', '=', id).execute()
  if (screenshots.length === 0) return
  const rows = screenshots.map(({ image, alt }, i) => ({
    script_id: id,
    position: i + 1,
    image,
    alt: alt ?? `Screenshot ${i + 1} of ${title}`,
  }))
  await trx.insertInto('script_screenshots').values(rows).execute()
}

export async function findScreenshots(db: Database, scriptId: number): Promise<Screenshot[]> {
  const { rows } = await sql<{ image: string; alt: string; width: number; height: number }>`
    select x.image, x.alt, m.width, m.height from script_screenshots x join media m on m.hash = x.image
    where x.script_id = ${scriptId} order by x.position`.execute(db)
  return rows.map(({ image, ...row }) => ({
    image: mediaPath(image, 'full'),
    image_card: mediaPath(image, 'card'),
    ...row,
  }))
}
