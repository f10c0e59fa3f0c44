import { sql } from 'kysely'
import {
  MAX_BRANCH_LENGTH,
  MAX_ENVIRONMENT_LENGTH,
  MAX_PUBLISHERS,
  MAX_REPOSITORY_LENGTH,
  MAX_WORKFLOW_LENGTH,
} from '#contract/limits.ts'
import { scriptSlug } from '#contract/slug.ts'
import type { NewTrustedPublisher, TrustedPublisher } from '#contract/trusted-publishing.ts'
import type { Forge } from '#server/platform/config/forges.ts'
import type { Database } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { setOnlyBuilds } from '#server/features/scripts/only-builds.ts'
import { lockOwnScript, requireOwnScript } from '#server/features/scripts/queries.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { FieldErrors } from '#server/platform/http/field-errors.ts'
import { parseLine, parseOptionalLine } from '#server/platform/http/text.ts'

export interface PublisherRow {
  id: number
  script_id: number
  forge: string
  repository: string
  repository_id: string | null
  workflow: string
  environment: string | null
  branch: string | null
  created_at: Date
  last_used_at: Date | null
}

export const PUBLISHER_COLUMNS = sql`p.id, p.script_id, p.forge, p.repository, p.repository_id, p.workflow, p.environment,
  p.branch, p.created_at, p.last_used_at`

/** The kind of a server; GitLab for one that the operator has removed since. */
export const kindOf = (forges: readonly Forge[], url: string): Forge['kind'] =>
  forges.find((forge) => forge.url === url)?.kind ?? 'gitlab'

const toPublisher = (forges: readonly Forge[], row: PublisherRow): TrustedPublisher => ({
  ...row,
  forge: { kind: kindOf(forges, row.forge), url: row.forge },
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

/** Throws what `requireOwnScript` throws. */
export async function listPublishers(
  db: Database,
  forges: readonly Forge[],
  caller: Caller,
  scriptId: number,
): Promise<{ publishers: TrustedPublisher[]; only_builds: boolean }> {
  await requireOwnScript(db, scriptId, caller)
  const { rows: own } = await sql<{ only_builds: boolean }>`select only_builds from scripts
    where id = ${scriptId}`.execute(db)
  const { rows } = await sql<PublisherRow>`select ${PUBLISHER_COLUMNS} from trusted_publishers p
    where p.script_id = ${scriptId} order by p.id`.execute(db)
  return { publishers: rows.map((row) => toPublisher(forges, row)), only_builds: own[0]?.only_builds ?? false }
}

const GITHUB_REPOSITORY = /^[\w.-]{1,100}\/[\w.-]{1,100}$/
const GITLAB_PROJECT = /^[\w.-]+(?:\/[\w.-]+){1,20}$/
const GITHUB_WORKFLOW = /^[^/\\@]+\.ya?ml$/
const GITLAB_WORKFLOW = /^(?!\/)[^\\@]+\.ya?ml$/

export const isRepository = (kind: Forge['kind'], text: string): boolean =>
  (kind === 'github' ? GITHUB_REPOSITORY : GITLAB_PROJECT).test(text) && !/(^|\/)\.{1,2}(\/|$)/.test(text)

type PublisherFields = Pick<
  PublisherRow,
  'forge' | 'repository' | 'repository_id' | 'workflow' | 'environment' | 'branch'
>

/** Throws AppError `invalid`. */
function parsePublisher(forges: readonly Forge[], input: NewTrustedPublisher): PublisherFields {
  const errors = new FieldErrors()
  const forge = forges.find(({ url }) => url === input.forge)
  if (!forge) errors.add('forge', 'Choose one of the servers that this site accepts.')
  const isGitHub = forge?.kind !== 'gitlab'
  const repository = parseLine(input.repository, { field: 'repository', maxLength: MAX_REPOSITORY_LENGTH }, errors)
  if (!isRepository(isGitHub ? 'github' : 'gitlab', repository)) {
    errors.add('repository', `Enter the repository as ${isGitHub ? 'owner/name' : 'group/project'}, not as a URL.`)
  }
  const workflow = parseLine(input.workflow, { field: 'workflow', maxLength: MAX_WORKFLOW_LENGTH }, errors)
  if (!(isGitHub ? GITHUB_WORKFLOW : GITLAB_WORKFLOW).test(workflow)) {
    errors.add(
      'workflow',
      isGitHub
        ? 'Enter the name of a file in .github/workflows, such as release.yml.'
        : 'Enter the path of the pipeline configuration, such as .gitlab-ci.yml.',
    )
  }
  const optional = (field: 'repository_id' | 'environment' | 'branch', maxLength: number) =>
    parseOptionalLine(input[field], { field, maxLength }, errors)
  const repository_id = optional('repository_id', 20)
  if (repository_id !== null && !/^\d+$/.test(repository_id)) errors.add('repository_id', 'Enter the number only.')
  const environment = optional('environment', MAX_ENVIRONMENT_LENGTH)
  const branch = optional('branch', MAX_BRANCH_LENGTH)
  if (branch?.startsWith('refs/')) errors.add('branch', 'Enter the name of the branch without refs/heads/.')
  errors.throwIfAny()
  return { forge: forge?.url ?? '', repository, repository_id, workflow, environment, branch }
}

const exists = () => new AppError('publisher_exists', 409, 'This script trusts these builds already.')
const tooMany = () =>
  new AppError(
    'too_many_publishers',
    409,
    `A script can have ${MAX_PUBLISHERS} trusted publishers. Remove one that you no longer use.`,
  )

/** Notifies the author. Throws AppError `invalid`, `publisher_exists`, `too_many_publishers`, and what the locks throw. */
export async function addPublisher(
  db: Database,
  forges: readonly Forge[],
  caller: Caller,
  input: NewTrustedPublisher,
): Promise<TrustedPublisher> {
  const fields = parsePublisher(forges, input)
  const { script_id } = input
  return transactAsMember(db, { memberId: caller.id }, async (trx) => {
    // The script's lock makes concurrent requests wait, so they cannot pass the limit.
    const { properties } = await lockOwnScript(trx, script_id, caller)
    const { rows: own } = await sql`select from trusted_publishers where script_id = ${script_id}`.execute(trx)
    if (own.length >= MAX_PUBLISHERS) throw tooMany()
    const { forge, repository, repository_id, workflow, environment, branch } = fields
    const { rows } = await sql<PublisherRow>`insert into trusted_publishers as p
        (script_id, forge, repository, repository_id, workflow, environment, branch)
      values (${script_id}, ${forge}, ${repository}, ${repository_id}, ${workflow}, ${environment}, ${branch})
      on conflict do nothing returning ${PUBLISHER_COLUMNS}`.execute(trx)
    const [row] = rows
    if (!row) throw exists()
    const { id } = row
    await writeAudit(trx, { ...auditOf(caller.id, script_id), action: 'add_trusted_publisher', after: { id } })
    const { title } = properties
    await notify(trx, {
      memberId: caller.id,
      kind: 'security',
      type: 'info',
      title: 'New trusted publisher',
      message: `Builds of ${repository} may now publish versions of “${title}”. If this was not you, remove the trusted publisher and sign out everywhere.`,
      link: `/scripts/${scriptSlug(title, script_id)}/new-version?tab=repository`,
    })
    return toPublisher(forges, row)
  })
}

const auditOf = (memberId: number, scriptId: number) => ({
  actorId: memberId,
  subjectType: 'script' as const,
  subjectId: scriptId,
  memberId,
})

/** Removes a trusted publisher of the caller. Its tokens are rejected from the commit on. Throws AppError `not_found`. */
export async function removePublisher(db: Database, caller: Caller, id: number): Promise<void> {
  await transactAsMember(db, { memberId: caller.id, allowMuted: true }, async (trx) => {
    const { rows } = await sql<{ script_id: number }>`delete from trusted_publishers p using scripts s
      where p.id = ${id} and s.id = p.script_id and s.author_id = ${caller.id} returning p.script_id`.execute(trx)
    const [row] = rows
    if (!row) throw notFound('This trusted publisher')
    await writeAudit(trx, { ...auditOf(caller.id, row.script_id), action: 'remove_trusted_publisher', before: { id } })
  })
}

/**
 * From the commit on, nothing but builds publishes versions of the script, also after its last trusted publisher was removed.
 * Throws AppError `no_publishers`, and what the locks throw.
 */
export async function acceptOnlyBuilds(db: Database, caller: Caller, scriptId: number): Promise<void> {
  await transactAsMember(db, { memberId: caller.id, allowMuted: true }, async (trx) => {
    await lockOwnScript(trx, scriptId, caller)
    const { rows } = await sql`select from trusted_publishers where script_id = ${scriptId}`.execute(trx)
    if (rows.length === 0) throw new AppError('no_publishers', 409, 'Add a trusted publisher first.')
    await setOnlyBuilds(trx, scriptId, true)
    await writeAudit(trx, { ...auditOf(caller.id, scriptId), action: 'accept_only_builds' })
  })
}

/** Notifies the author. Throws what the locks throw. */
export async function acceptAllVersions(db: Database, caller: Caller, scriptId: number): Promise<void> {
  await transactAsMember(db, { memberId: caller.id, allowMuted: true }, async (trx) => {
    const { properties, onlyBuilds } = await lockOwnScript(trx, scriptId, caller)
    if (!onlyBuilds) return
    await setOnlyBuilds(trx, scriptId, false)
    await writeAudit(trx, { ...auditOf(caller.id, scriptId), action: 'accept_all_versions' })
    const { title } = properties
    await notify(trx, {
      memberId: caller.id,
      kind: 'security',
      type: 'info',
      title: 'Versions without a build',
      message: `Versions of “${title}” may now be published without a trusted build. If this was not you, turn on “Only trusted builds may publish” and sign out everywhere.`,
      link: `/scripts/${scriptSlug(title, scriptId)}/new-version?tab=repository`,
    })
  })
}
