import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { demoScripts } from '#demo/catalogue.ts'
import { demoGames } from '#demo/games.ts'
import { demoMembers } from '#demo/members.ts'
import { demoScreenshots } from '#demo/screenshots.ts'
import type { DemoScript } from '#demo/types.ts'
import { versionsOf } from '#demo/versions.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { enterGame } from '#server/features/catalogue/games.ts'
import { fold } from '#server/features/catalogue/words.ts'
import { searchDocument } from '#server/features/catalogue/search-document.ts'
import type { MediaLibrary } from '#server/platform/media/upload.ts'
import { type ParsedScreenshot, setScreenshots } from '#server/features/scripts/screenshots.ts'
import { setTags } from '#server/features/scripts/tags.ts'
import { daysAgo } from './load-members.ts'
import { storeDemoImage } from './store-image.ts'

const folder = path.resolve(import.meta.dirname, '../../../demo/scripts')
const nameOf = (key: string) => demoMembers.find((member) => member.key === key)?.displayName ?? key

/** Inserts the demo scripts and returns their ids by file name. */
export async function loadScripts(
  trx: Transaction,
  media: MediaLibrary,
  authors: Map<string, number>,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const script of demoScripts) {
    const content = await readFile(path.join(folder, script.file), 'utf8')
    const image = await storeDemoImage(trx, media, 'covers', path.basename(script.file, '.luau'))
    const authorId = authors.get(script.author)
    if (authorId === undefined) throw new Error(`The demo script ${script.file} has no author.`)
    const id = await insertScript(trx, script, { authorId, content, image })
    const screenshots: ParsedScreenshot[] = []
    for (const { image: name, alt } of demoScreenshots.get(script.file) ?? []) {
      screenshots.push({ image: await storeDemoImage(trx, media, 'screenshots', name), alt })
    }
    await setScreenshots(trx, { id, title: script.title }, screenshots)
    ids.set(script.file, id)
  }
  return ids
}

interface StoredParts {
  authorId: number
  content: string
  image: string
}

async function insertScript(
  db: Transaction,
  script: DemoScript,
  { authorId, content, image }: StoredParts,
): Promise<number> {
  const versions = versionsOf(script.file, script.version, content)
  const gameName = await enterGame(db, script.gameId, demoGames.get(script.gameId ?? '') ?? null)
  const document = searchDocument({ ...script, authorName: nameOf(script.author), gameName })
  const row = {
    ...toRow(script),
    ...kindOf(content),
    license: script.isFree ? 'MIT' : null,
    author_id: authorId,
    image,
    file_size: Buffer.byteLength(content),
    current_version: versions.length,
  }
  const { id } = await db.insertInto('scripts').values(row).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('script_versions')
    .values(
      versions.map(({ version, notes, content: code, daysAgo: age }, i) => ({
        script_id: id,
        number: i + 1,
        version,
        changelog: notes,
        content: code,
        sha256: createHash('sha256').update(code).digest('hex'),
        size: Buffer.byteLength(code),
        declared_capabilities: age === undefined ? (script.declares?.capabilities ?? null) : null,
        declared_hosts: age === undefined ? (script.declares?.hosts ?? null) : null,
        created_at: age === undefined ? row.updated_at : daysAgo(age),
        state_since: age === undefined ? row.updated_at : daysAgo(age),
      })),
    )
    .execute()
  const stats = { script_id: id, view_count: script.views, download_count: script.downloads }
  const trend = sql<number>`even_trend(${script.views + 3 * script.downloads}, ${row.created_at})`
  await db
    .insertInto('script_stats')
    .values({ ...stats, trend })
    .execute()
  await db.insertInto('script_search').values({ script_id: id, document }).execute()
  await setTags(db, id, script.tags)
  return id
}

/** Script type and placement from the comment at the start of a demo script; the others are modules. */
function kindOf(code: string): { script_type: string; placement: string } {
  const [, script_type = 'ModuleScript', placement = 'ReplicatedStorage'] =
    /\b(LocalScript|ModuleScript|Script) in (\w+)/.exec(code) ?? []
  return { script_type, placement }
}

function toRow(script: DemoScript) {
  const video = script.showcase?.videoId
  return {
    title: script.title,
    title_key: fold(script.title),
    summary: script.summary ?? null,
    description: script.description,
    version: script.version,
    has_key_system: script.hasKeySystem,
    key_system_url: script.keySystemUrl,
    is_universal: script.isUniversal,
    game_id: script.gameId,
    is_client_side: script.isClientSide,
    is_free: script.isFree,
    is_featured: script.isFeatured,
    is_verified: script.isVerified,
    is_public: script.isPublic,
    is_mobile_compatible: script.isMobileCompatible,
    is_working: script.isWorking,
    showcase_date: script.showcase ? daysAgo(script.showcase.daysAgo) : null,
    showcase_notes: script.showcase?.notes ?? null,
    showcase_video_url: video ? `https://www.youtube.com/watch?v=${video}` : null,
    created_at: daysAgo(script.createdDaysAgo),
    updated_at: daysAgo(script.updatedDaysAgo),
  }
}
