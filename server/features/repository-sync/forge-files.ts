import { decodeCode } from '@scriptyard/text'
import type { IncomingHttpHeaders } from 'node:http'
import { MAX_CODE_BYTES } from '#contract/limits.ts'
import type { Forge } from '#server/platform/config/forges.ts'
import { isTooLong, type PublicClient, RequestError } from '#server/platform/http/public-client.ts'

const MAX_DOCUMENT_BYTES = 2_097_152
const GITLAB_PAGE_SIZE = 100
const MAX_GITLAB_PAGES = 20
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

export const isCommit = (text: unknown): text is string => typeof text === 'string' && COMMIT.test(text)

/** Why a repository could not be read, as a sentence for its owner. */
export class ForgeError extends Error {
  override name = 'ForgeError'
  readonly isTemporary: boolean
  /** Whether the repository, branch or file does not exist, or not yet in every copy of the repository. */
  readonly isMissing: boolean

  constructor(message: string, { isTemporary = false, isMissing = false, cause }: ForgeErrorOptions = {}) {
    super(message, { cause })
    this.isTemporary = isTemporary || isMissing
    this.isMissing = isMissing
  }
}

interface ForgeErrorOptions {
  isTemporary?: boolean
  isMissing?: boolean
  cause?: unknown
}

export interface Repository {
  forge: Forge
  name: string
}

type Client = Pick<PublicClient, 'send'>

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

const apiOf = ({ forge, name }: Repository): string =>
  forge.kind === 'github'
    ? `${forge.apiUrl}/repos/${encodePath(name)}`
    : `${forge.apiUrl}/projects/${encodeURIComponent(name)}`

/** The page of a commit. */
export const commitUrlOf = ({ forge, name }: Repository, commit: string): string =>
  `${forge.url}/${encodePath(name)}${forge.kind === 'github' ? '' : '/-'}/commit/${commit}`

export async function readHead(client: Client, repository: Repository, branch: string): Promise<string> {
  const api = apiOf(repository)
  if (repository.forge.kind === 'github') {
    const text = await get(client, `${api}/commits/${encodePath(`heads/${branch}`)}`, {
      subject: 'The branch',
      accept: 'application/vnd.github.sha',
    })
    return requireCommit(text.toString('utf8').trim())
  }
  const url = `${api}/repository/branches/${encodeURIComponent(branch)}`
  const { commit } = parseObject(await get(client, url, { subject: 'The branch' })) as { commit?: { id?: unknown } }
  return requireCommit(commit?.id)
}

function requireCommit(value: unknown): string {
  if (isCommit(value)) return value
  throw unexpected()
}

export async function listFiles(client: Client, repository: Repository, commit: string): Promise<string[]> {
  return repository.forge.kind === 'github'
    ? listGitHubFiles(client, repository, commit)
    : listGitLabFiles(client, repository, commit)
}

const tooManyFiles = () =>
  new ForgeError('The repository has too many files for a pattern. Enter the path of the file.')

async function listGitHubFiles(client: Client, repository: Repository, commit: string): Promise<string[]> {
  const url = `${apiOf(repository)}/git/trees/${commit}?recursive=1`
  const { tree, truncated } = parseObject(await get(client, url, { subject: 'The commit', tooLong: tooManyFiles })) as {
    tree?: unknown
    truncated?: unknown
  }
  if (truncated === true) throw tooManyFiles()
  return pathsOf(tree)
}

async function listGitLabFiles(client: Client, repository: Repository, commit: string): Promise<string[]> {
  const paths: string[] = []
  for (let page = 1; page <= MAX_GITLAB_PAGES; page++) {
    const url = `${apiOf(repository)}/repository/tree?ref=${commit}&recursive=true&per_page=${GITLAB_PAGE_SIZE}&page=${page}`
    const entries = parse(await get(client, url, { subject: 'The commit' }))
    paths.push(...pathsOf(entries))
    if (!Array.isArray(entries) || entries.length < GITLAB_PAGE_SIZE) return paths
  }
  throw tooManyFiles()
}

function pathsOf(entries: unknown): string[] {
  if (!Array.isArray(entries)) throw unexpected()
  return (entries as { path?: unknown; type?: unknown }[]).flatMap(({ path, type }) =>
    type === 'blob' && typeof path === 'string' ? [path] : [],
  )
}

const tooLarge = () => new ForgeError(`The file is larger than ${MAX_CODE_BYTES / 1_048_576} MiB.`)

export async function readFile(client: Client, repository: Repository, commit: string, path: string): Promise<string> {
  const { forge, name } = repository
  const url =
    forge.kind === 'gitlab'
      ? `${apiOf(repository)}/repository/files/${encodeURIComponent(path)}/raw?ref=${commit}`
      : forge.rawUrl === undefined
        ? `${apiOf(repository)}/contents/${encodePath(path)}?ref=${commit}`
        : `${forge.rawUrl}/${encodePath(name)}/${commit}/${encodePath(path)}`
  const bytes = await get(client, url, {
    subject: 'The file',
    accept: 'application/vnd.github.raw, */*',
    maxBytes: MAX_CODE_BYTES,
    tooLong: tooLarge,
  })
  try {
    return decodeCode(bytes)
  } catch (error) {
    throw new ForgeError('The file is not UTF-8 text.', { cause: error })
  }
}

interface GetOptions {
  /** Subject of error messages, such as 'The file'. */
  subject: string
  accept?: string
  maxBytes?: number
  tooLong?: () => ForgeError
}

async function get(client: Client, url: string, options: GetOptions): Promise<Buffer> {
  const { subject, accept = 'application/json', maxBytes = MAX_DOCUMENT_BYTES, tooLong = unexpected } = options
  const response = await client
    .send(new URL(url), { headers: { accept }, maxResponseBytes: maxBytes })
    .catch((error: Error) => {
      if (isTooLong(error)) throw tooLong()
      const reason = error instanceof RequestError ? error.message : 'The request failed.'
      throw new ForgeError(`The server with the repository could not be reached. ${reason}`, {
        isTemporary: true,
        cause: error,
      })
    })
  const { status, headers, body } = response
  if (status === 200) return body
  throw explainStatus(status, headers, subject)
}

function explainStatus(status: number, headers: IncomingHttpHeaders, subject: string): ForgeError {
  if (status >= 300 && status < 400) {
    return new ForgeError('The repository was moved. Connect it again under its new name.')
  }
  if (status === 429 || (status === 403 && headers['x-ratelimit-remaining'] === '0')) {
    return new ForgeError('The server with the repository accepts no more requests for now.', { isTemporary: true })
  }
  if (status === 404 || status === 403 || status === 401) {
    return new ForgeError(`${subject} was not found. The repository must be public.`, { isMissing: status === 404 })
  }
  return new ForgeError(`The server with the repository answered with status ${status}.`, {
    isTemporary: status >= 500,
  })
}

const unexpected = () => new ForgeError('The server with the repository sent an unexpected response.')

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw unexpected()
  }
}

function parseObject(bytes: Buffer): object {
  const value = parse(bytes)
  if (typeof value === 'object' && value !== null) return value
  throw unexpected()
}
