import type { ResultOf } from '#contract/operations.ts'
import type { NewRepositorySource, RepositorySource } from '#contract/repository-sync.ts'

/** The repository of a script, if one is connected, and its log. */
export type LoadedSource = ResultOf<'GET /api/repository-source'>

/** With a sync that has been started, unless the repository has been disconnected in the meantime. */
export function withSync(loaded: LoadedSource, sync: LoadedSource['syncs'][number]): LoadedSource {
  if (!loaded.source) return loaded
  return { ...loaded, syncs: [sync, ...loaded.syncs.filter(({ id }) => id !== sync.id)] }
}

/** With a repository that has been connected or changed. Only a change keeps the log. */
export const withSource = (loaded: LoadedSource, source: RepositorySource): LoadedSource => ({
  ...loaded,
  source,
  syncs: loaded.source ? loaded.syncs : [],
})

export const withoutSource = (loaded: LoadedSource): LoadedSource => ({ ...loaded, source: null, syncs: [] })

export const emptyDraft = (script_id: number, forge = ''): NewRepositorySource => ({
  script_id,
  forge,
  repository: '',
  branch: 'main',
  pattern: '',
})

export const draftOf = ({ script_id, connection, branch, pattern }: RepositorySource): NewRepositorySource => ({
  script_id,
  forge: connection.forge.url,
  repository: connection.repository,
  branch,
  pattern,
})
