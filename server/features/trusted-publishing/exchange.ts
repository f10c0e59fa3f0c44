// Exchanges ID tokens of builds for API tokens, as PyPI and npm do.
import { sql } from 'kysely'
import { scriptSlug } from '#contract/slug.ts'
import type { Provenance } from '#contract/versions.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isActive, transactAsMember } from '#server/features/members/standing.ts'
import { createPublishingToken } from '#server/features/tokens/tokens.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Build } from './id-token.ts'
import { PUBLISHER_COLUMNS, type PublisherRow } from './publishers.ts'

type Candidate = PublisherRow & { author_id: number }

export interface Trust {
  authorId: number
  publisherIds: number[]
}

const untrusted = (message: string) => new AppError('no_trusted_publisher', 403, message)

/** Throws AppError `id_token_event`, `no_trusted_publisher`, `repository_replaced` and `publisher_ambiguous`. */
export async function findTrust(db: Database, build: Build, scriptId: number | undefined): Promise<Trust> {
  if (build.isProposal) {
    throw new AppError(
      'id_token_event',
      403,
      'Builds of pull requests and merge requests cannot publish. Publish when a branch or tag is pushed.',
    )
  }
  const { rows } = await sql<Candidate>`select ${PUBLISHER_COLUMNS}, s.author_id
    from trusted_publishers p join scripts s on s.id = p.script_id join members m on m.id = s.author_id
    where p.forge = ${build.forge.url} and lower(p.repository) = lower(${build.repository}) and ${isActive('m')}
      and ${scriptId === undefined ? sql`true` : sql`p.script_id = ${scriptId}`}
    order by p.id`.execute(db)
  const trusting = requireMatch(rows, build, scriptId)
  const [first] = trusting
  if (!first || trusting.some(({ author_id }) => author_id !== first.author_id)) {
    throw new AppError(
      'publisher_ambiguous',
      409,
      'Scripts of several authors trust this build. Send the id of the script to publish.',
    )
  }
  return { authorId: first.author_id, publisherIds: trusting.map(({ id }) => id) }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The conditions of a publisher in the order in which a failing one is reported. */
const CONDITIONS: readonly [(publisher: Candidate, build: Build) => boolean, string][] = [
  [
    ({ workflow }, { forge, repository, definedBy }) => {
      const { host, pathname } = new URL(forge.url)
      const expected =
        forge.kind === 'github'
          ? `${repository}/.github/workflows/${workflow}`
          : `${host}${pathname.replace(/\/$/, '')}/${repository}//${workflow}`
      return definedBy === expected
    },
    'The script trusts another workflow of this repository.',
  ],
  [
    ({ branch }, { ref }) => branch === null || ref === `refs/heads/${branch}`,
    'The script trusts another branch of this repository.',
  ],
  [
    ({ environment }, build) => environment === null || isSame(environment, build.environment ?? ''),
    'The script trusts builds of another environment. Set the environment of the job.',
  ],
]

const WHERE = 'on the page “New version” of the script, under “From a repository”.'

function requireMatch(candidates: Candidate[], build: Build, scriptId: number | undefined): Candidate[] {
  if (candidates.length === 0) {
    const script = scriptId === undefined ? 'No script trusts' : 'The script does not trust'
    throw untrusted(`${script} this repository. Add it as a trusted publisher ${WHERE}`)
  }
  let left = candidates
  for (const [fits, sentence] of CONDITIONS) {
    left = left.filter((publisher) => fits(publisher, build))
    if (left.length === 0) throw untrusted(`${sentence} Change the trusted publisher ${WHERE}`)
  }
  const trusting = left.filter(({ repository_id }) => repository_id === null || repository_id === build.repositoryId)
  if (trusting.length > 0) return trusting
  throw new AppError(
    'repository_replaced',
    403,
    'Another repository has this name now. If it is yours, remove the trusted publisher and add it again.',
  )
}

export interface Exchanged {
  token: string
  expires_at: string
  scripts: { id: number; title: string; slug: string }[]
}

/**
 * Learns the repository's id from the first build. Throws AppError `id_token_used`, `no_trusted_publisher`, and what
 * `lockMember` throws.
 */
export async function exchange(db: Database, build: Build, { authorId, publisherIds }: Trust): Promise<Exchanged> {
  return transactAsMember(db, { memberId: authorId }, async (trx) => {
    // Concurrent requests with the same token wait here for the first one.
    const { rows: recorded } = await sql`insert into used_id_tokens (token_hash, expires_at)
      values (${build.tokenHash}, ${build.expiresAt}) on conflict do nothing returning token_hash`.execute(trx)
    if (recorded.length === 0) {
      throw new AppError('id_token_used', 400, 'This ID token was exchanged already. Request a new one.')
    }
    const { rows: trusting } = await sql<{ id: number; script_id: number; workflow: string }>`update trusted_publishers
      set repository_id = ${build.repositoryId}, last_used_at = now()
      where id in (select id from trusted_publishers where id = any(${publisherIds}::int[])
          and (repository_id is null or repository_id = ${build.repositoryId}) order by id for update)
      returning id, script_id, workflow`.execute(trx)
    const [first] = trusting
    if (!first) throw untrusted('The script no longer trusts this repository.')
    const ids = trusting.map(({ id }) => id)
    const provenance: Provenance = {
      by: 'build',
      repository: build.repository,
      commit: build.commit,
      // The same for all of them: the file that defines the build.
      workflow: first.workflow,
      run_url: build.runUrl,
      // The token says which commit was built, not what the build made of it.
      matches_commit: null,
    }
    const { token, expiresAt } = await createPublishingToken(trx, authorId, ids, provenance)
    const { rows: scripts } = await sql<{ id: number; title: string }>`select id, title from scripts
      where id = any(${trusting.map(({ script_id }) => script_id)}::int[]) order by id`.execute(trx)
    return {
      token,
      expires_at: expiresAt.toISOString(),
      scripts: scripts.map(({ id, title }) => ({ id, title, slug: scriptSlug(title, id) })),
    }
  })
}
