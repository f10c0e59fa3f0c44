import type { PutVersion, ScriptChange } from '#contract/script-input.ts'
import type { Script } from '#contract/scripts.ts'
import type { Transaction } from '#server/platform/db/database.ts'
import { enterGame } from '#server/features/catalogue/games.ts'
import { writeSearchRow } from '#server/features/catalogue/search-document.ts'
import { fold } from '#server/features/catalogue/words.ts'
import { withdrawnCode } from '#server/features/copies/withdrawn.ts'
import { chargeUpload } from '#server/platform/media/upload-quota.ts'
import { storeImageInput } from '#server/platform/media/upload.ts'
import { type LockedMember, lockMember, transactAsMember } from '#server/features/members/standing.ts'
import { announcePublished, announceVersion } from '#server/features/notifications/announce.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Caller, Publisher } from '#server/platform/authorization/guards.ts'
import { publishedBy } from '#server/platform/authorization/publisher.ts'
import {
  addVersion,
  findOwnCode,
  lockOwnScript,
  nextUpdate,
  type OwnScript,
  requireOwnScript,
  setDeclaration,
  type StoredState,
} from './queries.ts'
import { getScript, type WritingOptions } from './read.ts'
import { requireAccepted, requireAcceptedNow } from './only-builds.ts'
import { setScreenshots, touchScreenshots } from './screenshots.ts'
import { mergeProperties, type ParsedChange, parseScriptChange, type Properties } from './script-input.ts'
import { setTags } from './tags.ts'
import type { FormerScript } from './version-checks.ts'
import { chooseVersion } from './version-number.ts'
import { replaceWaiting, setVersionState, settleScript } from './version-states.ts'
import { rejectNonAuthor, type Viewer } from './visibility.ts'
import { setSuccessor } from './withdrawals.ts'

const editConflict = () =>
  new AppError(
    'changed_meanwhile',
    409,
    'This script changed since you opened it. Review the latest version and save again.',
  )

const hiddenByModerators = () =>
  new AppError('hidden', 409, 'Moderators hid this script, so you cannot make it public. You can appeal once.')

/**
 * With `sendsAllFields`, the current version number counts as omitted: clients send their whole form. Throws AppError
 * `invalid`, `changed_meanwhile`, `hidden`, `version_exists`, `upload_quota`, and what `requireOwnScript`, `storeImageInput`
 * and `lockMember` throw.
 */
export async function changeScript(
  options: WritingOptions,
  caller: Caller,
  id: number,
  body: ScriptChange,
  { sendsAllFields = false } = {},
): Promise<Script> {
  const { db, media, checks } = options
  const change = parseScriptChange(body)
  await requireOwnScript(db, id, caller)
  const storeImage = (input: string | null) =>
    storeImageInput(db, media, { field: 'image', input, uploader: caller.id })
  const image = body.image === undefined ? undefined : await storeImage(body.image)
  await touchScreenshots(db, media, change.screenshots ?? [])
  const becomesPublic = change.properties.is_public === true
  const code = change.code ?? (becomesPublic ? await findOwnCode(db, id) : undefined)
  if (code) await checks.prepare(code, { personId: caller.personId, depth: 'run', scriptId: id })
  return transactAsMember(db, { memberId: caller.id }, async (trx, author) => {
    const former = await lockOwnScript(trx, id, caller)
    if (change.base !== undefined && change.base !== former.updatedAt.getTime()) throw editConflict()
    if (sendsAllFields && change.properties.version === former.properties.version) change.properties.version = undefined
    await saveChange(options, trx, {
      id,
      authorId: caller.id,
      former,
      change,
      image,
      author,
      publisher: publisherOf(caller),
    })
    return getScript({ ...options, db: trx }, id, caller)
  })
}

/** Changes nothing if the code is current already, also if equal pushes are concurrent. Throws what `changeScript` throws. */
export async function putVersion(
  options: WritingOptions,
  caller: Caller,
  id: number,
  body: PutVersion,
): Promise<PutResult> {
  const change = parseScriptChange(body)
  await requireOwnScript(options.db, id, caller)
  await requireAcceptedNow(options.db, id, publisherOf(caller).provenance.by)
  if (change.code) await options.checks.prepare(change.code, { personId: caller.personId, depth: 'read', scriptId: id })
  return options.db.transaction().execute((trx) => putVersionIn(options, trx, caller, id, change, publisherOf(caller)))
}

interface PutResult {
  isNew: boolean
  title: string
  number: number
}

/** The same in the caller's transaction, whose first lock is the member's. */
export async function putVersionIn(
  options: WritingOptions,
  trx: Transaction,
  caller: NonNullable<Viewer>,
  id: number,
  change: ParsedChange,
  publisher: Publisher,
): Promise<PutResult> {
  const author = await lockMember(trx, caller.id)
  const former = await lockOwnScript(trx, id, caller)
  const { title } = former.properties
  const { waiting, currentVersion } = former
  requireAccepted(former, publisher.provenance.by)
  if (change.code?.sha256 === former.sha256) {
    if (former.state === 'withdrawn') throw withdrawnCode()
    // Who publishes the current code again does not want what waits.
    if (waiting?.number !== currentVersion) await replaceWaiting(trx, id, former.properties.version)
    return { isNew: false, title, number: currentVersion }
  }
  if (waiting && change.code?.sha256 === waiting.sha256) return { isNew: false, title, number: waiting.number }
  await saveChange(options, trx, { id, authorId: caller.id, former, change, image: undefined, author, publisher })
  return { isNew: true, title, number: former.nextNumber }
}

const publisherOf = (caller: Caller): Publisher => caller.publisher ?? publishedBy('web')

async function saveChange(
  options: WritingOptions,
  trx: Transaction,
  saved: Change & { authorId: number },
): Promise<void> {
  const { media, checks } = options
  const { id, authorId, former, change } = saved
  if (former.isHidden && change.properties.is_public) throw hiddenByModerators()
  const stored = await writeChange(trx, saved)
  if (stored > 0) await chargeUpload(trx, media.quota, authorId, stored)
  await checks.start(trx, id, former)
}

/** Call it last in the transaction. */
export async function announceChange(
  trx: Transaction,
  { emit }: Pick<WritingOptions, 'emit'>,
  { id, former }: { id: number; former: FormerScript },
): Promise<void> {
  const {
    author_id: authorId,
    is_public,
    is_unlisted,
    version,
    current_version,
  } = await trx
    .selectFrom('scripts')
    .select(['author_id', 'is_public', 'is_unlisted', 'version', 'current_version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (!is_public) return
  const script = { scriptId: id, authorId }
  const isFirst = !former.isVisible
  // Followers learn of a script when lists contain it.
  if (!is_unlisted && (isFirst || former.isUnlisted)) await announcePublished(trx, script)
  if (!isFirst) {
    if (current_version === former.currentVersion) return
    await announceVersion(trx, { ...script, version })
  }
  await emit(trx, { type: 'version.published', scriptId: id, isFirst })
}

interface Change {
  id: number
  former: OwnScript
  change: ParsedChange
  /** The hash of the new cover; null removes the cover, undefined leaves it unchanged. */
  image: string | null | undefined
  author: LockedMember
  publisher: Publisher
}

/** Returns the bytes of code that were stored. */
async function writeChange(trx: Transaction, written: Change): Promise<number> {
  const { id, former, change, image, author } = written
  const { code, properties: sent } = change
  const hasNewCode = code !== undefined && code.sha256 !== former.sha256 && code.sha256 !== former.waiting?.sha256
  const version = await chooseVersion(trx, {
    id,
    current: former.properties.version,
    hasNewCode,
    sent: sent.version,
  })
  if (version !== undefined) requireAccepted(former, written.publisher.provenance.by)
  const properties = mergeProperties(former.properties, { ...sent, version: undefined })
  const { tags, is_public, version: _version, ...columns } = properties
  const stored = version === undefined ? 0 : await writeVersion(trx, written, { version, hasNewCode, is_public })
  if (stored === 0) await setDeclaration(trx, { id, number: former.currentVersion }, change.declaration)
  await trx
    .updateTable('scripts')
    .set({ ...columns, title_key: fold(columns.title), updated_at: nextUpdate })
    .set(image === undefined ? {} : { image })
    .where('id', '=', id)
    .execute()
  await setSuccessor(trx, id, change.successor)
  if (stored === 0) await changeVisibility(trx, written, is_public)
  await settleScript(trx, id, is_public)
  if (areDifferent(properties, former.properties, ['tags'])) await setTags(trx, id, tags)
  if (change.screenshots) await setScreenshots(trx, { id, title: properties.title }, change.screenshots)
  const gameName = await enterGame(trx, properties.game_id, change.gameName)
  // Updating the full-text index is the most expensive part of a write.
  if (areDifferent(properties, former.properties, ['title', 'summary', 'description', 'tags', 'game_id'])) {
    await writeSearchRow(trx, id, { ...properties, gameName }, author)
  }
  return stored
}

/** Another number for the current code has its state. New code of a public script is checked, and replaces code that waits. */
async function writeVersion(
  trx: Transaction,
  { id, former, change, publisher }: Change,
  { version, hasNewCode, is_public }: { version: string; hasNewCode: boolean; is_public: boolean },
): Promise<number> {
  const { currentVersion: from, nextNumber: number, waiting } = former
  const isChecked = is_public && (hasNewCode || former.state !== 'published')
  if (hasNewCode || waiting?.number === from) await replaceWaiting(trx, id, version)
  const state: StoredState = isChecked ? 'checking' : hasNewCode || !is_public ? 'private' : 'published'
  const code = hasNewCode ? change.code : undefined
  const stored = await addVersion(trx, {
    id,
    number,
    version,
    changelog: change.changelog,
    from,
    code,
    state,
    publisher,
  })
  await setDeclaration(trx, { id, number }, change.declaration)
  return stored
}

/** A private script that becomes public is checked first. One that becomes private before that is not. */
async function changeVisibility(trx: Transaction, { id, former }: Change, isPublic: boolean): Promise<void> {
  const { currentVersion: number, state, waiting } = former
  if (isPublic && (state === 'private' || state === 'discarded')) {
    requireAccepted(former, former.publishedBy)
    await replaceWaiting(trx, id, former.properties.version)
    await setVersionState(trx, { id, number, state: 'checking' })
  }
  if (!isPublic && waiting?.number === number) await setVersionState(trx, { id, number, state: 'private' })
}

function areDifferent(first: Properties, second: Properties, keys: (keyof Properties)[]): boolean {
  return keys.some((key) => JSON.stringify(first[key]) !== JSON.stringify(second[key]))
}

/** The media sweep removes the images. Throws AppError `not_the_author`, `script_not_found`, and what `lockMember` throws. */
export async function removeScript({ db }: WritingOptions, caller: Caller, id: number): Promise<void> {
  await transactAsMember(db, { memberId: caller.id, allowMuted: true }, async (trx) => {
    const deleted = await trx
      .deleteFrom('scripts')
      .where('id', '=', id)
      .where('author_id', '=', caller.id)
      .returning('id')
      .executeTakeFirst()
    if (!deleted) await rejectNonAuthor(trx, id, caller)
  })
}
