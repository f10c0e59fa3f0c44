import { createHash } from 'node:crypto'
import path from 'node:path'
import { sql } from 'kysely'
import type { NewScript, ScriptChange } from '#contract/script-input.ts'
import { MAX_DESCRIPTION_LENGTH } from '#contract/limits.ts'
import { makeSlug } from '#contract/slug.ts'
import type { Database } from '#server/platform/db/database.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { findMember } from '#server/features/members/find-member.ts'
import { findPersonId } from '#server/features/accounts/persons.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { changeScript } from './change.ts'
import { publishScript } from './publish.ts'
import { publishedBy } from '#server/platform/authorization/publisher.ts'
import { requireAccepted } from './only-builds.ts'
import { lockOwnScript } from './queries.ts'
import type { WritingOptions } from './read.ts'
import { readFolder, type SourceFile } from './read-folder.ts'
import { parseNewScript, parseScriptChange, type Properties } from './script-input.ts'
import { chooseVersion } from './version-number.ts'

export interface ImportedFile {
  file: string
  action: 'publish' | 'update' | 'unchanged' | 'error'
  title: string
  /** Why there is an error, or which script has the same code. */
  note: string
}

interface FolderImport {
  folder: string
  /** Id, slug or username of the author. */
  member: string
  write: boolean
}

interface OwnScript {
  id: number
  title: string
  sha256: string
}

/**
 * A file whose title has the slug of a script of the member updates it; a file with the code of one is left out, so a second
 * run changes nothing. Throws UserFacingError if the folder or member cannot be used; faults of files are in the result.
 */
export async function importFolder(
  options: WritingOptions,
  { folder, member, write }: FolderImport,
): Promise<ImportedFile[]> {
  const { db } = options
  const author = await getAuthor(db, member)
  const files = await readFolder(folder)
  const run = new FolderRun(options, author, await findOwnScripts(db, author.id))
  const results: ImportedFile[] = []
  for (const file of files) results.push(await run.add(file, write))
  return results
}

/** The member as if they had sent a request themselves. Roles do not count. */
const IMPORT = publishedBy('import')

async function getAuthor(db: Database, name: string): Promise<Caller> {
  const member = await findMember(db, name)
  if (!member || member.is_banned) throw new UserFacingError(`There is no member ${name}, or the member is banned.`)
  const { id, username, slug } = member
  const rights = {
    publisher: IMPORT,
    isAdmin: false,
    isModerator: false,
    isMuted: false,
    mutedUntil: null,
    hasRecentSignIn: false,
  }
  return { id, personId: await findPersonId(db, id), username, slug, ...rights }
}

async function findOwnScripts(db: Database, authorId: number): Promise<OwnScript[]> {
  const { rows } = await sql<OwnScript>`select s.id, s.title, v.sha256 from scripts s
    join script_versions v on v.script_id = s.id and v.number = s.current_version
    where s.author_id = ${authorId} order by s.id`.execute(db)
  return rows
}

interface Outcome {
  action: ImportedFile['action']
  note?: string
}

class FolderRun {
  readonly #options: WritingOptions
  readonly #author: Caller
  readonly #bySlug: Map<string, OwnScript>
  readonly #byCode: Map<string, string>
  readonly #seen = new Map<string, string>()

  constructor(options: WritingOptions, author: Caller, own: readonly OwnScript[]) {
    this.#options = options
    this.#author = author
    this.#bySlug = new Map(own.map((script) => [makeSlug(script.title), script]))
    this.#byCode = new Map(own.map(({ sha256, title }) => [sha256, title]))
  }

  async add(source: SourceFile, write: boolean): Promise<ImportedFile> {
    const { file, problem } = source
    const title = source.metadata.title ?? titleOf(file)
    if (problem !== undefined) return { file, action: 'error', title, note: problem }
    try {
      const { action, note = '' } = await this.#apply(source, title, write)
      return { file, action, title, note }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { file, action: 'error', title, note: error.message }
    }
  }

  async #apply(source: SourceFile, title: string, write: boolean): Promise<Outcome> {
    const { content, metadata, file } = source
    const sha256 = createHash('sha256').update(content).digest('hex')
    const slug = makeSlug(title)
    const former = this.#bySlug.get(slug)
    const earlierFile = this.#seen.get(`/${slug}`) ?? this.#seen.get(sha256)
    if (earlierFile !== undefined)
      return { action: 'error', note: `${earlierFile} has the same title or the same code.` }
    this.#seen.set(`/${slug}`, file).set(sha256, file)
    if (former) return this.#update(former, { ...metadata, script_content: content }, write)
    const same = this.#byCode.get(sha256)
    if (same !== undefined) return { action: 'unchanged', note: `The script "${same}" has this code.` }
    const body = toNewScript(source, title)
    parseNewScript(body)
    if (write) {
      const { id: authorId, personId } = this.#author
      await publishScript(this.#options, { authorId, personId, publisher: IMPORT, body, key: undefined })
    }
    return { action: 'publish' }
  }

  async #update(former: OwnScript, body: ScriptChange, write: boolean): Promise<Outcome> {
    const caller = this.#author
    const change = parseScriptChange(body)
    const { current, hasNewCode } = await this.#options.db.transaction().execute(async (trx) => {
      const own = await lockOwnScript(trx, former.id, caller)
      const isNewCode = own.sha256 !== change.code?.sha256
      const { version } = own.properties
      const nextVersion = await chooseVersion(trx, {
        id: former.id,
        current: version,
        hasNewCode: isNewCode,
        sent: change.properties.version,
      })
      if (nextVersion !== undefined) requireAccepted(own, IMPORT.provenance.by)
      return { current: own, hasNewCode: isNewCode }
    })
    const isSame = !hasNewCode && !changesAny(change.properties, current.properties)
    if (isSame) return { action: 'unchanged' }
    if (write) await changeScript(this.#options, caller, former.id, body)
    return { action: 'update' }
  }
}

function changesAny(changes: { [K in keyof Properties]: Properties[K] | undefined }, current: Properties): boolean {
  const names = Object.keys(current) as (keyof Properties)[]
  return names.some(
    (name) => changes[name] !== undefined && JSON.stringify(changes[name]) !== JSON.stringify(current[name]),
  )
}

/** 'auto_farm.luau' becomes 'Auto farm'. */
function titleOf(file: string): string {
  const words = path.posix
    .basename(file)
    .replace(/\.luau?$/i, '')
    .replaceAll(/[_\s-]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The comments at the start of the file describe a script without a description. */
function toNewScript({ metadata, comment, content }: SourceFile, title: string): NewScript {
  const description = metadata.description ?? Array.from(comment).slice(0, MAX_DESCRIPTION_LENGTH).join('')
  return { ...metadata, title, description, script_content: content }
}
