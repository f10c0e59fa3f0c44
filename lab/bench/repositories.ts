// Public repositories at pinned commits. Their scripts are not part of this repository: `--repositories DIR` names a folder
// with a Git directory `OWNER+NAME/repo` for each.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

export interface Repository {
  repository: string
  commit: string
}

export const readRepositories = (file: string): Repository[] =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as Repository[]

const { values } = parseArgs({ options: { repositories: { type: 'string' } } })
if (values.repositories === undefined) throw new Error('--repositories DIR is missing')
const folder = path.resolve(values.repositories)

export const readGit = ({ repository }: Repository, args: readonly string[]): string =>
  execFileSync('git', ['--git-dir', path.join(folder, repository.replace('/', '+'), 'repo'), ...args], {
    maxBuffer: 1 << 28,
  }).toString('utf8')

/** Undefined if the mirror lacks the file, as it may for its largest ones. */
export function readBlob(repository: Repository, blob: string): string | undefined {
  try {
    return readGit(repository, ['cat-file', 'blob', blob])
  } catch {
    return undefined
  }
}
