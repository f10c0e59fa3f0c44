import { firstLine, MAX_SUBJECT_LENGTH } from '@scriptyard/text'
import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Forge } from '#server/platform/config/forges.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { isCommit } from './forge-files.ts'

/** GitHub lists no more commits of one push. GitLab says how many there are. */
const MAX_LISTED_COMMITS = 2048
/** With more, the site looks at the repository instead of the list. */
const MAX_CHANGED_FILES = 2000
const MAX_DELIVERY_LENGTH = 200

const headerOf = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

// Equal lengths, as timingSafeEqual requires.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

export function isAuthentic(kind: Forge['kind'], headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  if (kind === 'gitlab') return isEqual(headerOf(headers, 'x-gitlab-token'), secret)
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return isEqual(headerOf(headers, 'x-hub-signature-256'), expected)
}

/** Id of a delivery, the same when it is repeated. */
export function deliveryIdOf(kind: Forge['kind'], headers: IncomingHttpHeaders, body: Buffer): string {
  const id =
    kind === 'github'
      ? headerOf(headers, 'x-github-delivery')
      : headerOf(headers, 'idempotency-key') || headerOf(headers, 'x-gitlab-event-uuid')
  return /^[\x21-\x7e]+$/.test(id) && id.length <= MAX_DELIVERY_LENGTH ? id : hash('sha256', body)
}

export const isPushEvent = (kind: Forge['kind'], headers: IncomingHttpHeaders): boolean =>
  kind === 'github'
    ? headerOf(headers, 'x-github-event') === 'push'
    : headerOf(headers, 'x-gitlab-event') === 'Push Hook'

export interface Push {
  repository: string
  repositoryId: string
  branch: string | undefined
  /** Undefined if the branch was created. */
  before: string | undefined
  after: string | undefined
  pushedAt: Date
  /** Changed files with the first line of the last commit's message; undefined if the server does not list them all. */
  changed: ReadonlyMap<string, string> | undefined
  removed: ReadonlySet<string>
}

const malformed = () => new AppError('malformed_push', 400, 'The body is not the push event of a repository.')

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

function textOf(value: unknown): string {
  if (typeof value === 'string' && value !== '' && !value.includes('\0') && value.isWellFormed()) return value
  throw malformed()
}

/** Reads the body of a push event. Throws AppError `malformed_push`. */
export function parsePush(kind: Forge['kind'], body: Buffer): Push {
  const event = parseJson(body)
  const isGitHub = kind === 'github'
  const repository = fieldsOf(event[isGitHub ? 'repository' : 'project'])
  const id = repository['id']
  if (!Number.isSafeInteger(id)) throw malformed()
  const ref = textOf(event['ref'])
  const after = commitOf(event['after'])
  const commits = Array.isArray(event['commits']) ? event['commits'].map(fieldsOf) : []
  return {
    repository: textOf(repository[isGitHub ? 'full_name' : 'path_with_namespace']),
    repositoryId: String(id),
    branch: ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined,
    before: commitOf(event['before']),
    after,
    pushedAt: timeOf(isGitHub ? repository['pushed_at'] : undefined, commits, after),
    ...filesOf(event, commits),
  }
}

function parseJson(body: Buffer): Fields {
  try {
    return fieldsOf(JSON.parse(body.toString('utf8')))
  } catch {
    throw malformed()
  }
}

/** A commit; undefined for the zeros that stand for none. */
function commitOf(value: unknown): string | undefined {
  if (!isCommit(value)) throw malformed()
  return /^0+$/.test(value) ? undefined : value
}

/** When the push happened. GitLab does not say it, so it is the time of its last commit. */
function timeOf(pushedAt: unknown, commits: readonly Fields[], after: string | undefined): Date {
  if (typeof pushedAt === 'number' && pushedAt > 0) return clamp(new Date(pushedAt * 1000))
  const last = commits.find(({ id }) => id === after)
  return clamp(new Date(typeof last?.['timestamp'] === 'string' ? last['timestamp'] : Number.NaN))
}

/** Not in the future, as the clock of a committer may be. */
function clamp(time: Date): Date {
  const now = new Date()
  return time < now ? time : now
}

const namesOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []

function filesOf(event: Fields, commits: readonly Fields[]): Pick<Push, 'changed' | 'removed'> {
  const changed = new Map<string, string>()
  const removed = new Set<string>()
  for (const commit of commits) {
    const message = typeof commit['message'] === 'string' ? firstLine(commit['message'], MAX_SUBJECT_LENGTH) : ''
    for (const name of [...namesOf(commit['added']), ...namesOf(commit['modified'])]) {
      changed.set(name, message)
      removed.delete(name)
    }
    for (const name of namesOf(commit['removed'])) {
      changed.delete(name)
      removed.add(name)
    }
  }
  const count = event['total_commits_count']
  // A forced push also removes commits, whose files are not listed.
  const isComplete =
    commits.length > 0 &&
    event['forced'] !== true &&
    commits.length < MAX_LISTED_COMMITS &&
    !(typeof count === 'number' && count > commits.length) &&
    changed.size + removed.size <= MAX_CHANGED_FILES
  return { changed: isComplete ? changed : undefined, removed: isComplete ? removed : new Set() }
}
